// See NarrowFolds.h. The low bits of sums, products and bitwise operations depend only on the low bits of the operands.
// Comparisons depend on all bits, so they are narrowed only if both sides are extended in the same way.
#include "NarrowFolds.h"

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// Kinds of extension that the values of a web have.
enum class Extension {
  Any,  ///< unknown: only the low bits are used, or there are no high bits
  Zero, ///< the high bits are zero
  Sign  ///< the high bits are copies of the sign
};

/// A set of values that are computed from each other, that nothing else uses, and that are to get another width.
class Web {
public:
  Web(IntegerType to, Extension extension) : to(to), extension(extension), builder(to.getContext()) {}

  /// Collects the values from which `root` is computed. Returns true if they can have the type `to`.
  bool collect(Value root);

  /// Replaces the values and their users.
  void rewrite();

  /// Returns true if `value` is an extension of the wanted kind, or a constant that has the same value in both widths.
  bool fits(Value value) const;

  /// Returns `value` in the type `to`.
  Value convert(Value value);

  /// Compares the narrow values instead of the wide ones. Values extended by zeros are compared as unsigned numbers.
  void convert(LLVM::ICmpOp compare);

private:
  bool isWider(Value value) const { return value.getType().getIntOrFloatBitWidth() < to.getWidth(); }
  bool isMember(Value value) const;
  bool isUse(OpOperand &use) const;
  void visit(Value value);
  SmallVector<std::pair<BranchOpInterface, unsigned>> entriesOf(BlockArgument argument) const;
  void addArgument(BlockArgument argument);
  void removeArgument(BlockArgument argument);
  Value convertOther(Value value);

  IntegerType to;
  Extension extension;
  OpBuilder builder;
  llvm::SetVector<Value> members;
  llvm::SmallPtrSet<Value, 8> excluded;
  bool valid = true;
  llvm::DenseMap<Value, Value> converted;
};

/// Returns true if the value was loaded from the destination of a spawn.
bool isSpawnedResult(Value value) {
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  Value place = load ? load.getAddr() : Value();
  while (auto element = place ? place.getDefiningOp<LLVM::GEPOp>() : LLVM::GEPOp())
    place = element.getBase();
  auto isTarget = [](Value address) {
    return llvm::any_of(address.getUsers(), [&](Operation *user) {
      auto spawn = dyn_cast<SpawnOp>(user);
      return spawn && spawn.getDest() == address;
    });
  };
  return place && (isTarget(place) || llvm::any_of(place.getUsers(), [&](Operation *user) {
                     return isa<LLVM::GEPOp>(user) && isTarget(user->getResult(0));
                   }));
}

/// Returns the indices of the operands that are combined bit by bit or as a sum, and have the result's type.
ArrayRef<unsigned> operandsOf(Operation *op) {
  static constexpr unsigned both[] = {0, 1}, chosen[] = {1, 2};
  if (isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp>(op))
    return both;
  return isa<LLVM::SelectOp>(op) ? ArrayRef<unsigned>(chosen) : ArrayRef<unsigned>();
}

} // namespace

bool Web::isMember(Value value) const {
  if (excluded.contains(value))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return !argument.getOwner()->isEntryBlock() &&
           llvm::all_of(argument.getOwner()->getPredecessors(),
                        [](Block *block) { return isa<BranchOpInterface>(block->getTerminator()); });
  Operation *op = value.getDefiningOp();
  if (isWider(value))
    return isa<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp>(op);
  // A sum of extended values may need more bits than the values.
  return !operandsOf(op).empty() && (extension == Extension::Any || !isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp>(op));
}

bool Web::fits(Value value) const {
  APInt constant;
  unsigned width = to.getWidth();
  if (matchPattern(value, m_ConstantInt(&constant)))
    return extension == Extension::Any || constant.getBitWidth() <= width ||
           (extension == Extension::Zero ? constant.isIntN(width) : constant.isSignedIntN(width));
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<LLVM::ZExtOp, LLVM::SExtOp>(op))
    return extension == Extension::Any;
  unsigned from = op->getOperand(0).getType().getIntOrFloatBitWidth();
  if (isa<LLVM::ZExtOp>(op))
    return extension != Extension::Sign ? from <= width : from < width;
  return extension != Extension::Zero && from <= width;
}

void Web::visit(Value value) {
  if (!isMember(value)) {
    valid &= extension == Extension::Any || fits(value);
    return;
  }
  if (!members.insert(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    for (auto [branch, successor] : entriesOf(argument)) {
      Value incoming = branch.getSuccessorOperands(successor)[argument.getArgNumber()];
      if (incoming)
        visit(incoming);
      else
        valid = false;
    }
    return;
  }
  for (unsigned index : operandsOf(value.getDefiningOp()))
    visit(value.getDefiningOp()->getOperand(index));
}

/// Returns true if a use of a member needs only the low bits, or compares the member with a value of the same
/// extension.
bool Web::isUse(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (auto branch = dyn_cast<BranchOpInterface>(user)) {
    std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(use.getOperandNumber());
    return argument && members.contains(*argument);
  }
  if (isa<LLVM::ReturnOp>(user))
    return isWider(use.get());
  if (isa<LLVM::TruncOp>(user))
    return user->getResult(0).getType() == to;
  if (auto compare = dyn_cast<LLVM::ICmpOp>(user); compare && extension != Extension::Any) {
    Value other = compare->getOperand(1 - use.getOperandNumber());
    return members.contains(other) || fits(other);
  }
  return user->getNumResults() == 1 && members.contains(user->getResult(0)) &&
         llvm::is_contained(operandsOf(user), use.getOperandNumber());
}

bool Web::collect(Value root) {
  for (;;) {
    members.clear();
    visit(root);
    if (!valid || !members.contains(root))
      return false;
    size_t before = excluded.size();
    for (Value member : members)
      if (!llvm::all_of(member.getUses(), [&](OpOperand &use) { return isUse(use); }))
        excluded.insert(member);
    if (excluded.size() == before) // without an operation, narrowing just moves the conversion
      return extension != Extension::Any ||
             llvm::any_of(members, [](Value member) { return member.getDefiningOp() != nullptr; });
    if (extension != Extension::Any)
      return false;
  }
}

SmallVector<std::pair<BranchOpInterface, unsigned>> Web::entriesOf(BlockArgument argument) const {
  SmallVector<std::pair<BranchOpInterface, unsigned>> entries;
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end; ++it)
    entries.emplace_back(cast<BranchOpInterface>((*it)->getTerminator()), it.getSuccessorIndex());
  return entries;
}

Value Web::convertOther(Value value) {
  if (auto invoke = value.getDefiningOp<LLVM::InvokeOp>()) // its result exists only on the way without an exception
    builder.setInsertionPointToStart(invoke.getNormalDest());
  else if (Operation *op = value.getDefiningOp())
    builder.setInsertionPointAfter(op);
  else
    builder.setInsertionPointToStart(cast<BlockArgument>(value).getOwner());
  Location loc = value.getLoc();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(to, constant.zextOrTrunc(to.getWidth())));
  Operation *op = value.getDefiningOp();
  if (isWider(value)) {
    // The byte that holds a bool has no other bits.
    auto byte = value.getDefiningOp<LLVM::TruncOp>();
    bool isBool = byte && byte.getArg().getType() == to && isSpawnedResult(byte.getArg());
    return isBool ? byte.getArg() : LLVM::ZExtOp::create(builder, loc, to, value).getResult();
  }
  if (!isa_and_nonnull<LLVM::ZExtOp, LLVM::SExtOp>(op))
    return LLVM::TruncOp::create(builder, loc, to, value);
  Value narrow = op->getOperand(0);
  unsigned from = narrow.getType().getIntOrFloatBitWidth();
  if (from == to.getWidth())
    return narrow;
  if (from > to.getWidth())
    return LLVM::TruncOp::create(builder, loc, to, narrow);
  return isa<LLVM::ZExtOp>(op) ? LLVM::ZExtOp::create(builder, loc, to, narrow).getResult()
                               : LLVM::SExtOp::create(builder, loc, to, narrow).getResult();
}

/// Returns `value` in the other width.
Value Web::convert(Value value) {
  auto it = converted.find(value);
  if (it != converted.end())
    return it->second;
  if (!members.contains(value))
    return converted[value] = convertOther(value);
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands(op->getOperands());
  for (unsigned index : operandsOf(op))
    operands[index] = convert(operands[index]);
  builder.setInsertionPoint(op);
  // The copy has no overflow flags, because it may wrap in the other width.
  OperationState state(op->getLoc(), op->getName(), operands, to, {});
  return converted[value] = builder.create(state)->getResult(0);
}

/// Makes the branches to the argument's block pass the converted value, too.
void Web::addArgument(BlockArgument argument) {
  for (auto [branch, successor] : entriesOf(argument)) {
    Value incoming = branch.getSuccessorOperands(successor)[argument.getArgNumber()];
    branch.getSuccessorOperands(successor).append(convert(incoming));
  }
}

void Web::removeArgument(BlockArgument argument) {
  for (auto [branch, successor] : entriesOf(argument))
    branch.getSuccessorOperands(successor).erase(argument.getArgNumber());
  argument.dropAllUses(); // also uses by arguments that will be removed
  argument.getOwner()->eraseArgument(argument.getArgNumber());
}

void Web::convert(LLVM::ICmpOp compare) {
  using Predicate = LLVM::ICmpPredicate;
  static constexpr std::pair<Predicate, Predicate> kUnsigned[] = {{Predicate::slt, Predicate::ult},
                                                                  {Predicate::sle, Predicate::ule},
                                                                  {Predicate::sgt, Predicate::ugt},
                                                                  {Predicate::sge, Predicate::uge}};
  Value left = convert(compare.getLhs()), right = convert(compare.getRhs());
  Predicate predicate = compare.getPredicate();
  for (auto [withSign, without] : kUnsigned)
    if (extension == Extension::Zero && predicate == withSign)
      predicate = without;
  builder.setInsertionPoint(compare);
  bool isItself = to.getWidth() == 1 && predicate == Predicate::ne && matchPattern(right, m_Zero());
  compare.replaceAllUsesWith(
      isItself ? left : LLVM::ICmpOp::create(builder, compare.getLoc(), predicate, left, right).getResult());
  compare.erase();
}

void Web::rewrite() {
  SmallVector<BlockArgument> arguments;
  SmallVector<Operation *> operations;
  llvm::SmallSetVector<Operation *, 8> users;
  for (Value member : members) {
    if (auto argument = dyn_cast<BlockArgument>(member)) {
      arguments.push_back(argument);
      converted[argument] = argument.getOwner()->addArgument(to, argument.getLoc());
    } else {
      operations.push_back(member.getDefiningOp());
    }
    for (Operation *user : member.getUsers())
      if (isa<LLVM::TruncOp, LLVM::ICmpOp, LLVM::ReturnOp>(user))
        users.insert(user);
  }
  for (BlockArgument argument : arguments)
    addArgument(argument);
  for (Operation *user : users) {
    if (auto compare = dyn_cast<LLVM::ICmpOp>(user)) {
      convert(compare);
      continue;
    }
    Value value = convert(user->getOperand(0));
    builder.setInsertionPoint(user);
    if (isa<LLVM::ReturnOp>(user)) {
      user->setOperand(0, LLVM::TruncOp::create(builder, user->getLoc(), user->getOperand(0).getType(), value));
    } else {
      user->replaceAllUsesWith(ValueRange(value));
      user->erase();
    }
  }
  for (BlockArgument argument : arguments)
    removeArgument(argument);
  for (Operation *op : operations)
    op->dropAllUses();
  for (Operation *op : operations)
    op->erase();
}

//===-- Narrowing -------------------------------------------------------------------------------------------------===//

/// Narrows the values from which `root` is computed; `user` uses only the low bits of `root`. Returns true if any value
/// was narrowed.
static bool narrow(Value root, Operation *user, IntegerType to) {
  for (Extension extension : {Extension::Zero, Extension::Sign, Extension::Any}) {
    bool needsAll = isa<LLVM::ICmpOp>(user); // a comparison equals the bool only if the high bits are zero
    if (needsAll && extension != Extension::Zero)
      return false;
    Web web(to, extension);
    if (web.collect(root)) {
      web.rewrite();
      return true;
    }
  }
  return false;
}

/// Returns true if the operation narrows a wider value to type `to`.
static bool narrows(Operation *op, IntegerType to) {
  auto compare = dyn_cast<LLVM::ICmpOp>(op);
  bool asksIfZero = compare && to.getWidth() == 1 && compare.getPredicate() == LLVM::ICmpPredicate::ne &&
                    isa<IntegerType>(compare.getLhs().getType()) && compare.getLhs().getType() != to &&
                    matchPattern(compare.getRhs(), m_Zero());
  return asksIfZero || (isa<LLVM::TruncOp>(op) && op->getResult(0).getType() == to);
}

static void narrowAll(LLVM::LLVMFuncOp task, IntegerType to) {
  auto narrowOne = [&] {
    return task
        .walk([&](Operation *op) {
          return narrows(op, to) && narrow(op->getOperand(0), op, to) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  while (narrowOne())
    eraseDead(task); // otherwise dead code would count as a use of widened values
}

/// icmp slt (sext %x), (sext %y) -> icmp slt %x, %y
static void narrowComparisons(LLVM::LLVMFuncOp task, IntegerType to) {
  SmallVector<LLVM::ICmpOp> compares;
  task.walk([&](LLVM::ICmpOp compare) { compares.push_back(compare); });
  auto isExtended = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return isa_and_nonnull<LLVM::ZExtOp, LLVM::SExtOp>(op) && value.getType().getIntOrFloatBitWidth() > to.getWidth();
  };
  for (LLVM::ICmpOp compare : compares)
    for (Extension extension : {Extension::Zero, Extension::Sign}) {
      Web web(to, extension);
      Value left = compare.getLhs(), right = compare.getRhs();
      if (!isExtended(left) && !isExtended(right))
        break;
      if (web.fits(left) && web.fits(right)) {
        web.convert(compare);
        break;
      }
    }
}

//===-- Bools -----------------------------------------------------------------------------------------------------===//

/// Returns the values that reach a block's argument, with a null value if some are not known.
static SmallVector<Value> incomingOf(BlockArgument argument) {
  SmallVector<Value> values;
  Block *block = argument.getOwner();
  if (block->isEntryBlock())
    return {Value()};
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    values.push_back(branch ? branch.getSuccessorOperands(it.getSuccessorIndex())[argument.getArgNumber()] : Value());
  }
  return values;
}

/// Returns true if a value may be poison. `&&` and `||` hide a poison operand that is not evaluated.
static bool mayBePoison(Value value, llvm::SmallPtrSetImpl<Value> &seen) {
  auto isAny = [&](Value from) { return !from || mayBePoison(from, seen); };
  if (!seen.insert(value).second)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return llvm::any_of(incomingOf(argument), isAny);
  Operation *op = value.getDefiningOp();
  if (isa<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp, LLVM::TruncOp, LLVM::SelectOp>(op))
    return llvm::any_of(op->getOperands(), isAny);
  return !isa<LLVM::FreezeOp>(op) && !op->hasTrait<OpTrait::ConstantLike>() && !isSpawnedResult(value);
}

// select %a, true, %b -> or %a, (freeze %b)    select %a, %b, false -> and %a, (freeze %b)
static void joinSelections(LLVM::LLVMFuncOp task) {
  SmallVector<LLVM::SelectOp> selects;
  task.walk([&](LLVM::SelectOp select) { selects.push_back(select); });
  for (LLVM::SelectOp select : selects) {
    bool isOr = matchPattern(select.getTrueValue(), m_One());
    if (!select.getType().isInteger(1) || !(isOr || matchPattern(select.getFalseValue(), m_Zero())))
      continue;
    OpBuilder builder(select);
    Value other = isOr ? select.getFalseValue() : select.getTrueValue();
    llvm::SmallPtrSet<Value, 8> seen;
    if (mayBePoison(other, seen))
      other = LLVM::FreezeOp::create(builder, select.getLoc(), other);
    Operation *joined =
        isOr ? LLVM::OrOp::create(builder, select.getLoc(), select.getCondition(), other).getOperation()
             : LLVM::AndOp::create(builder, select.getLoc(), select.getCondition(), other).getOperation();
    select.replaceAllUsesWith(joined->getResult(0));
    select.erase();
  }
}

/// Changes the type of the result's computation to a byte, if the result is computed from other values.
static void widenResult(LLVM::LLVMFuncOp task) {
  auto byte = IntegerType::get(task.getContext(), 8);
  task.walk([&](LLVM::ReturnOp op) {
    Web web(byte, Extension::Any);
    if (web.collect(op.getArg()))
      web.rewrite();
  });
  // Gives returns of values that are not truncated bytes the same form.
  task.walk([&](LLVM::ReturnOp op) {
    if (auto narrowed = op.getArg().getDefiningOp<LLVM::TruncOp>(); narrowed && narrowed.getArg().getType() == byte)
      return;
    OpBuilder builder(op);
    Value wide = LLVM::ZExtOp::create(builder, op.getLoc(), byte, op.getArg());
    op->setOperand(0, LLVM::TruncOp::create(builder, op.getLoc(), op.getArg().getType(), wide));
  });
}

void cilk2gpu::cilk::narrowFolds(LLVM::LLVMFuncOp task) {
  auto type = dyn_cast<IntegerType>(task.getFunctionType().getReturnType());
  bool takesResults =
      task.walk([](SpawnOp spawn) { return spawn.getDest() ? WalkResult::interrupt() : WalkResult::advance(); })
          .wasInterrupted();
  if (!type || !takesResults)
    return;
  narrowAll(task, type);
  narrowComparisons(task, type);
  eraseDead(task);
  if (type.getWidth() != 1)
    return;
  joinSelections(task);
  eraseDead(task);
  widenResult(task);
  eraseDead(task);
}

void cilk2gpu::cilk::eraseDead(LLVM::LLVMFuncOp func) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : func.getBody())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op)) {
          op.erase();
          changed = true;
        }
  }
}
