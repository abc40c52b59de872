// See LoopValues.h.
#include "LoopValues.h"

#include "Extract.h"
#include "cilk2gpu/abi/Records.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Returns the constant that a variable of the frontend has, before SSA form: its only value is stored once.
Value *simplify(Value *value) {
  if (auto *cast = dyn_cast<CastInst>(value); cast && cast->getType()->isIntegerTy()) {
    auto *constant = dyn_cast<ConstantInt>(simplify(cast->getOperand(0)));
    Constant *folded = constant ? ConstantFoldCastInstruction(cast->getOpcode(), constant, cast->getType()) : nullptr;
    return folded ? folded : value;
  }
  auto *load = dyn_cast<LoadInst>(value);
  auto *variable = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  Value *only = nullptr;
  for (User *user : variable ? variable->users() : iterator_range<Value::user_iterator>({}, {})) {
    auto *store = dyn_cast<StoreInst>(user);
    auto *mark = dyn_cast<IntrinsicInst>(user);
    if (isa<LoadInst>(user) || (mark && mark->isLifetimeStartOrEnd()))
      continue;
    if (!store || only || store->getPointerOperand() != variable)
      return value;
    only = store->getValueOperand();
  }
  return only && isa<ConstantInt>(only) && only->getType() == load->getType() ? only : value;
}

/// The arguments of a begin marker, or of another call that describes a loop, from the argument `from` on.
struct LoopArguments {
  explicit LoopArguments(CallInst &call, unsigned from = 1)
      : first(simplify(call.getArgOperand(from))), last(simplify(call.getArgOperand(from + 1))),
        step(simplify(call.getArgOperand(from + 2))), comparison(call.getArgOperand(from + 3)) {
    if (auto *constant = dyn_cast<ConstantInt>(comparison))
      flags = int32_t(constant->getSExtValue());
    if (auto *constant = dyn_cast<ConstantInt>(step); constant && !constant->isZero())
      constantStep = constant->getSExtValue();
  }

  int32_t kind() const { return *flags & abi::kComparisonKind; }
  unsigned bits() const { return uint32_t(*flags) >> abi::kVariableBitsShift; }
  bool isFromZero() const { return *flags & abi::kFromZero; }
  bool isInclusive() const { return kind() == abi::kLessEqual || kind() == abi::kGreaterEqual; }
  bool goesUp() const {
    return kind() == abi::kNotEqual ? constantStep.value_or(0) > 0 : kind() == abi::kLess || kind() == abi::kLessEqual;
  }
  uint64_t stride() const { return *constantStep < 0 ? -uint64_t(*constantStep) : uint64_t(*constantStep); }

  /// Returns true if the variable's type holds all values, as they are compared, in ascending or descending order.
  bool isOrdinary() const {
    if (!flags || (kind() == abi::kNotEqual && !constantStep) || ((*flags & abi::kUnsigned) && !isFromZero()))
      return false;
    return stepFits() && (bits() == 0 || bits() == 8 || bits() == 16 || bits() == 32 || bits() == 64);
  }
  /// Returns true if the step is a number of the variable's type. The sum of both may fit although the step does not.
  bool stepFits() const {
    if (!constantStep || bits() == 0 || bits() >= 64)
      return true;
    return isFromZero() ? stride() <= maxUIntN(bits()) : isIntN(bits(), *constantStep);
  }
  /// Returns true if the number of iterations is computed in place.
  bool isSimple() const {
    return isOrdinary() && constantStep && goesUp() == (*constantStep > 0) &&
           (kind() != abi::kNotEqual || stride() == 1);
  }

  Value *first, *last, *step, *comparison;
  std::optional<int32_t> flags;
  std::optional<int64_t> constantStep;
};

} // namespace

LoopValues::LoopValues(CallInst &begin) {
  LoopArguments loop(begin);
  IRBuilder<> builder(&begin);
  hasNarrow = loop.isOrdinary();
  isConstantStep = loop.constantStep.has_value();
  isUp = hasNarrow && loop.goesUp();
  isUnsigned = hasNarrow && loop.bits() && loop.isFromZero();
  type = builder.getIntNTy(hasNarrow && loop.bits() ? loop.bits() : 64);
  first = builder.CreateTrunc(loop.first, type);
  step = builder.CreateTrunc(loop.step, type);
}

Value *LoopValues::at(IRBuilderBase &builder, Value *index) const {
  Value *narrow = builder.CreateTrunc(index, type, "", /*IsNUW=*/false, /*IsNSW=*/false);
  return builder.CreateAdd(first, builder.CreateMul(narrow, step));
}

Value *LoopValues::extend(IRBuilderBase &builder, Value *value) const {
  return isUnsigned ? builder.CreateZExt(value, builder.getInt64Ty()) : builder.CreateSExt(value, builder.getInt64Ty());
}

/// Returns the number of iterations of a simple loop that is not `mayFail`, which receives the condition that the
/// variable may wrap around, or that the loop may not end.
static Value *countSimple(IRBuilderBase &builder, const LoopArguments &loop, Value *&mayFail) {
  bool isUnsigned = *loop.flags & abi::kUnsigned, isUp = loop.goesUp();
  uint64_t stride = loop.stride(), all = loop.bits() ? ~uint64_t(0) >> (64 - loop.bits()) : 0;
  uint64_t most = loop.isFromZero() ? all : all >> 1, least = loop.isFromZero() ? 0 : ~most;
  Value *low = isUp ? loop.first : loop.last, *high = isUp ? loop.last : loop.first;
  auto less = [&](Value *a, Value *b) {
    return builder.CreateICmp(isUnsigned ? CmpInst::ICMP_ULT : CmpInst::ICMP_SLT, a, b);
  };
  uint64_t beyond = loop.isInclusive() ? stride : stride - 1;
  mayFail = builder.getFalse();
  if (loop.bits())
    mayFail =
        isUp ? less(builder.getInt64(most - beyond), loop.last) : less(loop.last, builder.getInt64(least + beyond));
  if (loop.kind() == abi::kNotEqual)
    mayFail = builder.CreateOr(mayFail, less(high, low));
  Value *distance = builder.CreateSub(high, low), *one = builder.getInt64(1), *width = builder.getInt64(stride);
  Value *enters = loop.isInclusive() ? builder.CreateNot(less(high, low)) : less(low, high);
  Value *count = distance;
  if (loop.isInclusive())
    count = builder.CreateAdd(builder.CreateUDiv(distance, width), one);
  else if (stride != 1)
    count = builder.CreateAdd(builder.CreateUDiv(builder.CreateSub(distance, one), width), one);
  return builder.CreateSelect(enters, count, builder.getInt64(0));
}

/// Computes the number of iterations in front of the call.
static Value *countFrom(CallInst &begin, const LoopArguments &loop) {
  FunctionCallee runtime = getTripCount(*begin.getModule());
  SmallVector<Value *> arguments{loop.first, loop.last, loop.step, loop.comparison};
  IRBuilder<> builder(&begin);
  if (!loop.isSimple())
    return builder.CreateCall(runtime, arguments);
  Value *mayFail;
  Value *count = countSimple(builder, loop, mayFail);
  if (auto *constant = dyn_cast<ConstantInt>(mayFail); constant && constant->isZero())
    return count;
  BasicBlock *before = begin.getParent();
  MDNode *rarely = MDBuilder(begin.getContext()).createUnlikelyBranchWeights();
  Instruction *rare = SplitBlockAndInsertIfThen(mayFail, begin.getIterator(), /*Unreachable=*/false, rarely);
  builder.SetInsertPoint(rare);
  Value *checked = builder.CreateCall(runtime, arguments);
  builder.SetInsertPoint(&begin);
  PHINode *either = builder.CreatePHI(builder.getInt64Ty(), 2);
  either->addIncoming(count, before);
  either->addIncoming(checked, rare->getParent());
  return either;
}

Value *cilk2gpu::countIterations(CallInst &begin) { return countFrom(begin, LoopArguments(begin)); }

void cilk2gpu::expandTripCount(CallInst &call) {
  call.replaceAllUsesWith(countFrom(call, LoopArguments(call, /*from=*/0)));
  call.eraseFromParent();
}

ValueLoop::ValueLoop(IRBuilderBase &builder, const LoopValues &values, Value *low, Value *high)
    : values(values), low(low), high(high) {
  if (!values.hasNarrow)
    return;
  start = values.at(builder, low);
  if (values.isConstantStep)
    end = values.at(builder, high);
}

Value *ValueLoop::makeHead(IRBuilderBase &builder, BasicBlock *before) {
  index = builder.CreatePHI(builder.getInt64Ty(), 2);
  index->addIncoming(low, before);
  if (!values.hasNarrow) {
    value = values.at(builder, index);
    return builder.CreateICmpULT(index, high);
  }
  variable = builder.CreatePHI(values.type, 2);
  variable->addIncoming(start, before);
  value = values.extend(builder, variable);
  if (!end)
    return builder.CreateICmpULT(index, high);
  CmpInst::Predicate less = values.isUnsigned ? CmpInst::ICMP_ULT : CmpInst::ICMP_SLT;
  return values.isUp ? builder.CreateICmp(less, variable, end) : builder.CreateICmp(less, end, variable);
}

void ValueLoop::makeNext(IRBuilderBase &builder) {
  BasicBlock *from = builder.GetInsertBlock();
  index->addIncoming(builder.CreateAdd(index, builder.getInt64(1), "", /*HasNUW=*/true), from);
  if (!variable)
    return;
  bool isExact = values.isConstantStep && (values.isUp || !values.isUnsigned);
  variable->addIncoming(builder.CreateAdd(variable, values.step, "", /*HasNUW=*/isExact && values.isUnsigned,
                                          /*HasNSW=*/isExact && !values.isUnsigned),
                        from);
}
