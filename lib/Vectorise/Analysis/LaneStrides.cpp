// See LaneStrides.h. Arguments of loops are first assumed to grow like the value that enters the loop. The assumption
// is dropped where the value of the next iteration grows otherwise, and the analysis starts again.
#include "LaneStrides.h"

#include "cilk2gpu/Support/Displacement.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2gpu;

LaneStrides::LaneStrides(LLVM::LLVMFuncOp func, const Divergence &divergence, const DataLayout &dataLayout)
    : divergence(divergence), dataLayout(dataLayout) {
  if (!func.walk([](lane::ThreadOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return;
  do {
    changed = false;
    growths.clear();
    func.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
    func.walk([&](scf::WhileOp loop) { visitLoop(loop); });
  } while (changed);
}

std::optional<int64_t> LaneStrides::strideOf(Value value) const {
  std::optional<Growth> growth = divergence.varies(value) ? growthOf(value) : std::nullopt;
  return growth ? std::optional(growth->stride) : std::nullopt;
}

SmallVector<Value> LaneStrides::conversionsOf(Value value) const {
  llvm::SmallSetVector<Value, 4> found;
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    std::optional<Growth> growth = growthOf(next);
    Operation *op = next.getDefiningOp();
    if (!op || !growth || !growth->depends)
      continue;
    bool isConversion = isa<LLVM::ZExtOp, LLVM::SExtOp>(op);
    std::optional<Growth> narrow = isConversion ? growthOf(op->getOperand(0)) : std::nullopt;
    if (isConversion && narrow && !narrow->depends)
      found.insert(next);
    else
      llvm::append_range(work, op->getOperands());
  }
  return found.takeVector();
}

std::optional<LaneStrides::Growth> LaneStrides::growthOf(Value value) const {
  if (!divergence.varies(value))
    return Growth{};
  auto known = growths.find(value);
  return known == growths.end() ? std::nullopt : std::optional(known->second);
}

std::optional<LaneStrides::Growth> LaneStrides::sumOf(Value left, Value right, int64_t sign) const {
  std::optional<Growth> a = growthOf(left), b = growthOf(right);
  if (!a || !b)
    return std::nullopt;
  return Growth{.stride = a->stride + sign * b->stride, .depends = a->depends || b->depends};
}

/// Returns the growth of a sum or a difference. The operation may promise that active lanes do not overflow. If one
/// operand is a coordinate and the other one is uniform, lane 0 does not overflow either, because its value lies
/// between the value of an active lane and the uniform one.
template <typename OpT> std::optional<LaneStrides::Growth> LaneStrides::sumOf(OpT op, int64_t sign) const {
  std::optional<Growth> sum = sumOf(op.getLhs(), op.getRhs(), sign);
  bool leftVaries = divergence.varies(op.getLhs()), rightVaries = divergence.varies(op.getRhs());
  if (!sum || leftVaries == rightVaries || !growthOf(leftVaries ? op.getLhs() : op.getRhs())->isSmall)
    return sum;
  sum->isSigned = bitEnumContainsAll(op.getOverflowFlags(), LLVM::IntegerOverflowFlags::nsw);
  sum->isUnsigned =
      bitEnumContainsAll(op.getOverflowFlags(), LLVM::IntegerOverflowFlags::nuw) && !(leftVaries && sign < 0);
  return sum;
}

std::optional<LaneStrides::Growth> LaneStrides::productOf(Value value, Value factor, bool isShift) const {
  APInt number;
  std::optional<Growth> growth = growthOf(value);
  if (!growth || !matchPattern(factor, m_ConstantInt(&number)) || number.getSignificantBits() > 31)
    return std::nullopt;
  int64_t times = isShift ? int64_t(1) << number.getZExtValue() % 31 : number.getSExtValue();
  if (growth->stride > INT32_MAX || growth->stride < INT32_MIN)
    return std::nullopt;
  return Growth{.stride = growth->stride * times, .depends = growth->depends};
}

/// Returns the growth of a value that is converted to a wider type.
std::optional<LaneStrides::Growth> LaneStrides::widened(Value value, bool isSigned) const {
  std::optional<Growth> growth = growthOf(value);
  if (!growth || growth->depends) // a condition about two conversions, one inside of the other, is not worth its code
    return std::nullopt;
  bool isEven = !growth->stride || growth->isSmall || (isSigned ? growth->isSigned : growth->isUnsigned);
  return Growth{.stride = growth->stride, .depends = !isEven, .isSmall = growth->isSmall};
}

std::optional<LaneStrides::Growth> LaneStrides::growthOf(LLVM::GEPOp op) const {
  std::optional<SmallVector<AddressTerm>> terms = displacement(op, dataLayout);
  std::optional<Growth> sum = growthOf(op.getBase());
  if (!terms || !sum)
    return std::nullopt;
  for (const AddressTerm &term : *terms) {
    if (!term.index)
      continue;
    std::optional<Growth> index = growthOf(term.index);
    bool isWide = term.index.getType().isInteger(64) || (index && index->isSmall);
    if (!index || (index->stride && !isWide))
      return std::nullopt;
    sum->stride += index->stride * term.stride;
    sum->depends |= index->depends;
  }
  return Growth{.stride = sum->stride, .depends = sum->depends};
}

std::optional<LaneStrides::Growth> LaneStrides::growthOf(Operation *op) const {
  return llvm::TypeSwitch<Operation *, std::optional<Growth>>(op)
      .Case<lane::ThreadOp>([](auto) { return Growth{.stride = 1, .isSmall = true}; })
      .Case<LLVM::AddOp>([&](auto op) { return sumOf(op, 1); })
      .Case<LLVM::SubOp>([&](auto op) { return sumOf(op, -1); })
      .Case<LLVM::OrOp>([&](auto op) { return op.getIsDisjoint() ? sumOf(op.getLhs(), op.getRhs(), 1) : std::nullopt; })
      .Case<LLVM::MulOp>([&](auto op) { return productOf(op.getLhs(), op.getRhs(), /*isShift=*/false); })
      .Case<LLVM::ShlOp>([&](auto op) { return productOf(op.getLhs(), op.getRhs(), /*isShift=*/true); })
      .Case<LLVM::ZExtOp>([&](auto op) { return widened(op.getArg(), /*isSigned=*/false); })
      .Case<LLVM::SExtOp>([&](auto op) { return widened(op.getArg(), /*isSigned=*/true); })
      .Case<LLVM::FreezeOp>([&](auto op) { return growthOf(op.getVal()); })
      .Case<LLVM::GEPOp>([&](auto op) { return growthOf(op); })
      .Default(std::nullopt);
}

void LaneStrides::set(Value value, std::optional<Growth> growth) {
  if (growth && divergence.varies(value))
    growths[value] = *growth;
}

void LaneStrides::visit(Operation *op) {
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop) {
    if (op->getNumResults() == 1)
      set(op->getResult(0), growthOf(op));
    return;
  }
  for (auto [init, argument] : llvm::zip_equal(loop.getInits(), loop.getBeforeArguments())) {
    std::optional<Growth> growth = growthOf(init);
    if (growth && !growth->depends && !uneven.contains(argument))
      set(argument, Growth{.stride = growth->stride});
  }
}

void LaneStrides::visitLoop(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  for (auto [next, argument] : llvm::zip_equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments())) {
    std::optional<Growth> before = growthOf(argument), after = growthOf(next);
    bool isEven = before && after && !after->depends && before->stride == after->stride;
    if (growths.contains(argument) && !isEven)
      changed |= uneven.insert(argument).second;
  }
}
