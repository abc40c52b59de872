// The fold. Spawned results in variables are in ScalarSlots.cpp, those in arrays in FoldedArrays.cpp. See ResultFold.h.
#include "ResultFold.h"

#include "Paths.h"
#include "Updates.h"
#include "cilk2gpu/Support/Folds.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

//===-- Folding operations ----------------------------------------------------------------------------------------===//

template <typename OpT> static bool isOp(Operation *op) { return isa<OpT>(op); }

static bool isSum(Operation *op, LLVM::FastmathFlags flags) {
  auto sum = dyn_cast<LLVM::FAddOp>(op);
  return sum && LLVM::bitEnumContainsAll(sum.getFastmathFlags(), flags);
}

static bool isReassociableSum(Operation *op) { return isSum(op, kReassociable); }

namespace {
/// One kind of fold: the operation that folds, and the comparisons for a selection that folds.
struct KindInfo {
  ResultFold::Kind kind;
  bool (*isFold)(Operation *);
  std::optional<LLVM::ICmpPredicate> strict, orEqual; ///< select (a pred b), a, b
};
} // namespace

static const KindInfo kinds[] = {
    {LLVM::AtomicBinOp::add, isOp<LLVM::AddOp>, {}, {}},
    {LLVM::AtomicBinOp::_xor, isOp<LLVM::XOrOp>, {}, {}},
    {LLVM::AtomicBinOp::_and, isOp<LLVM::AndOp>, {}, {}},
    {LLVM::AtomicBinOp::_or, isOp<LLVM::OrOp>, {}, {}},
    {LLVM::AtomicBinOp::max, isOp<LLVM::SMaxOp>, LLVM::ICmpPredicate::sgt, LLVM::ICmpPredicate::sge},
    {LLVM::AtomicBinOp::min, isOp<LLVM::SMinOp>, LLVM::ICmpPredicate::slt, LLVM::ICmpPredicate::sle},
    {LLVM::AtomicBinOp::umax, isOp<LLVM::UMaxOp>, LLVM::ICmpPredicate::ugt, LLVM::ICmpPredicate::uge},
    {LLVM::AtomicBinOp::umin, isOp<LLVM::UMinOp>, LLVM::ICmpPredicate::ult, LLVM::ICmpPredicate::ule},
    {LLVM::AtomicBinOp::fadd, isReassociableSum, {}, {}},
};

static const KindInfo &infoOf(ResultFold::Kind kind) {
  return *llvm::find_if(kinds, [&](const KindInfo &info) { return info.kind == kind; });
}

/// Returns true for `select (a pred b), a, b`, or with a and b exchanged in the comparison.
static bool selectsWith(LLVM::SelectOp select, const KindInfo &info) {
  auto compare = select.getCondition().getDefiningOp<LLVM::ICmpOp>();
  if (!compare || !compare->hasOneUse() || !info.strict)
    return false;
  LLVM::ICmpPredicate predicate = compare.getPredicate();
  bool forward = predicate == *info.strict || predicate == *info.orEqual;
  if (forward && compare.getLhs() == select.getTrueValue() && compare.getRhs() == select.getFalseValue())
    return true;
  const KindInfo &opposite = kinds[(&info - kinds) ^ 1]; // max and min stand side by side
  bool backward = predicate == *opposite.strict || predicate == *opposite.orEqual;
  return backward && compare.getLhs() == select.getFalseValue() && compare.getRhs() == select.getTrueValue();
}

SmallVector<OpOperand *> cilk2gpu::cilk::foldedOperands(Value value, ResultFold::Kind kind) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  const KindInfo &info = infoOf(kind);
  if (info.isFold(op))
    return {&op->getOpOperand(0), &op->getOpOperand(1)};
  if (auto select = dyn_cast<LLVM::SelectOp>(op); select && selectsWith(select, info))
    return {&op->getOpOperand(1), &op->getOpOperand(2)};
  return {};
}

TypedAttr ResultFold::getIdentity() const { return foldIdentity(kind, type); }

bool ResultFold::isIdentity(Value value) const {
  Attribute constant;
  if (isa<FloatType>(type) && matchPattern(value, m_PosZeroFloat()))
    return ignoresSignOfZero;
  return matchPattern(value, m_Constant(&constant)) && constant == getIdentity();
}

//===-- The fold --------------------------------------------------------------------------------------------------===//

/// Returns the type of accumulators for a result of type `result`. For a bool, it is the byte that holds the bool.
static Type accumulatorType(Type result) {
  return result.isInteger(1) ? IntegerType::get(result.getContext(), 8) : result;
}

ResultFold::ResultFold(LLVM::LLVMFuncOp task, Kind kind, SymbolTable &symbols)
    : task(task), kind(kind), type(accumulatorType(task.getFunctionType().getReturnType())), symbols(&symbols) {}

bool ResultFold::canFold(Type type) {
  return type.isInteger(1) || type.isInteger(8) || type.isInteger(16) || type.isInteger(32) || type.isInteger(64) ||
         type.isF32() || type.isF64();
}

bool ResultFold::updates(SpawnOp spawn) const {
  std::optional<Update> update = updateOf(spawn, *symbols);
  return update && update->takesResult() && update->update.getBinOp() == kind && update->result.getType() == type;
}

bool ResultFold::hasFold(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
  return llvm::any_of(kinds, [&](const KindInfo &info) {
    std::optional<ResultFold> fold = analyse(task, info.kind, symbols);
    return fold && llvm::any_of(fold->partials, [&](Value value) { return !foldedOperands(value, info.kind).empty(); });
  });
}

/// Returns true if the value is loaded from a local, as children's results are.
static bool isLoadedFromLocal(Value value) {
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  if (!load)
    return false;
  Value address = load.getAddr();
  while (auto step = address.getDefiningOp<LLVM::GEPOp>())
    address = step.getBase();
  return address.getDefiningOp<LLVM::AllocaOp>();
}

/// Returns true if an operation of the kind folds a child's result. Operations that only compute a term do not count.
bool ResultFold::foldsChildren() const {
  bool found = false;
  task.walk([&](SpawnOp spawn) { found |= updates(spawn); });
  llvm::SmallPtrSet<Value, 8> seen;
  auto takesChild = [&](auto &takesChild, Value value) -> bool {
    if (!partials.contains(value))
      return isLoadedFromLocal(value);
    if (!seen.insert(value).second)
      return false;
    return llvm::any_of(operandsOf(value), [&](OpOperand *operand) { return takesChild(takesChild, operand->get()); });
  };
  return found || llvm::any_of(partials, [&](Value value) {
           seen.clear();
           return !foldedOperands(value, kind).empty() && takesChild(takesChild, value);
         });
}

/// Returns the operands of a partial: of its operation, or what branches pass to a block argument.
SmallVector<OpOperand *> ResultFold::operandsOf(Value partial) const {
  auto argument = dyn_cast<BlockArgument>(partial);
  if (!argument)
    return foldedOperands(partial, kind);
  SmallVector<OpOperand *> operands;
  for (auto it = argument.getOwner()->pred_begin(), end = argument.getOwner()->pred_end(); it != end; ++it) {
    auto branch = cast<BranchOpInterface>((*it)->getTerminator());
    auto passed = branch.getSuccessorOperands(it.getSuccessorIndex());
    operands.push_back(&branch->getOpOperand(passed.getOperandIndex(argument.getArgNumber())));
  }
  return operands;
}

std::optional<ResultFold> ResultFold::analyse(LLVM::LLVMFuncOp task, Kind kind, SymbolTable &symbols) {
  if (!canFold(task.getFunctionType().getReturnType()))
    return {};
  ResultFold fold(task, kind, symbols);
  fold.collect();
  return fold;
}

std::optional<ResultFold> ResultFold::analyse(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
  std::optional<ResultFold> some;
  for (const KindInfo &info : kinds) {
    std::optional<ResultFold> fold = analyse(task, info.kind, symbols);
    if (!fold || !fold->foldsChildren())
      continue;
    if (fold->takesAllResults(fold->findSlots([](SpawnOp) { return true; })))
      return fold;
    if (!some)
      some = std::move(fold);
  }
  return some;
}

bool ResultFold::takesAllResults(ArrayRef<FoldedSlot> slots) const {
  size_t folded = 0, all = 0;
  for (const FoldedSlot &slot : slots)
    folded += slot.spawns.size();
  task.walk([&](SpawnOp spawn) { all += spawn.getDest() || updateOf(spawn, *symbols); });
  return !slots.empty() && folded == all;
}

/// Returns true if the definition of the value allows that it holds part of the fold.
bool ResultFold::isPartial(Value value) const {
  if (value.getType() != type || excluded.contains(value))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner()->isEntryBlock())
      return false;
    return llvm::all_of(argument.getOwner()->getPredecessors(),
                        [](Block *block) { return isa<BranchOpInterface>(block->getTerminator()); });
  }
  return !foldedOperands(value, kind).empty();
}

void ResultFold::visit(OpOperand &use) {
  Value value = use.get();
  if (!isPartial(value)) {
    terms.push_back(&use);
    return;
  }
  if (!partials.insert(value))
    return;
  for (OpOperand *operand : operandsOf(value))
    visit(*operand);
}

/// Returns the use that makes a value the task's result. For a bool, it is the use by the truncation of its byte.
OpOperand &ResultFold::resultOf(LLVM::ReturnOp op) const {
  auto truncation = op.getArg().getDefiningOp<LLVM::TruncOp>();
  bool isBool = op.getArg().getType() != type && truncation && truncation.getArg().getType() == type;
  return isBool ? truncation->getOpOperand(0) : op->getOpOperand(0);
}

/// Returns true if the use folds a partial into the next partial.
bool ResultFold::isFoldingUse(OpOperand &use) const {
  Operation *owner = use.getOwner();
  if (isa<LLVM::ReturnOp>(owner))
    return true;
  if (isa<LLVM::TruncOp>(owner) && owner->hasOneUse())
    if (auto result = dyn_cast<LLVM::ReturnOp>(*owner->user_begin()))
      return &resultOf(result) == &use;
  if (auto successor = successorOf(use)) {
    auto branch = cast<BranchOpInterface>(owner);
    for (BlockArgument argument : owner->getSuccessor(*successor)->getArguments()) {
      auto operands = branch.getSuccessorOperands(*successor);
      if (operands.getOperandIndex(argument.getArgNumber()) == use.getOperandNumber())
        return partials.contains(argument);
    }
    return false;
  }
  if (owner->getNumResults() != 1)
    return false;
  if (isa<LLVM::ICmpOp>(owner) && owner->hasOneUse()) {
    // The comparison may belong to a selection that also uses the value.
    Operation *select = *owner->user_begin();
    return isa<LLVM::SelectOp>(select) && partials.contains(select->getResult(0));
  }
  return partials.contains(owner->getResult(0)) && llvm::is_contained(foldedOperands(owner->getResult(0), kind), &use);
}

/// Returns the uses of a value without comparisons that belong to a selection which also uses the value.
static SmallVector<OpOperand *> usesOf(Value value) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (!isa<LLVM::ICmpOp>(use.getOwner()))
      uses.push_back(&use);
  return uses;
}

/// Returns true if the value is used exactly once on each path from its definition. A path ends at the end of the task,
/// or at the next definition.
bool ResultFold::isUsedOnce(Value value) const {
  Points uses, definition, lost;
  definition.addDefinition(value);
  lost.addDefinition(value);
  SmallVector<OpOperand *> folding = usesOf(value);
  llvm::DenseSet<std::pair<Operation *, unsigned>> places;
  for (OpOperand *use : folding) {
    uses.add(*use);
    // Two uses by one operation, or on one edge, are two uses.
    std::optional<unsigned> successor = successorOf(*use);
    if (!places.insert({use->getOwner(), successor ? *successor + 1 : 0}).second)
      return false;
  }
  task.walk([&](LLVM::ReturnOp op) {
    if (!uses.has(op.getOperation()))
      lost.add(op.getOperation());
  });
  return !reaches(value, lost, uses) &&
         llvm::none_of(folding, [&](OpOperand *use) { return reaches(*use, uses, definition); });
}

/// Collects the values of the fold. Excludes values until each remaining value is used exactly once.
void ResultFold::collect() {
  for (;;) {
    partials.clear();
    terms.clear();
    task.walk([&](LLVM::ReturnOp op) { visit(resultOf(op)); });
    size_t before = excluded.size();
    for (Value value : partials)
      if (!llvm::all_of(value.getUses(), [&](OpOperand &use) { return isFoldingUse(use); }) || !isUsedOnce(value))
        excluded.insert(value);
    if (excluded.size() == before)
      break;
  }
  ignoresSignOfZero = llvm::all_of(partials, [](Value partial) {
    Operation *op = partial.getDefiningOp();
    return !op || isSum(op, LLVM::FastmathFlags::nsz);
  });
}

//===-- Spawned results -------------------------------------------------------------------------------------------===//

/// Returns true if the loaded value is a term of the fold on every path on which it is loaded.
bool ResultFold::isTerm(LLVM::LoadOp load) const {
  if (load.getType() != type || load.getVolatile_())
    return false;
  SmallVector<OpOperand *> uses = usesOf(load);
  if (uses.size() != 1 || !llvm::is_contained(terms, uses.front()))
    return false;
  bool onlyFolded =
      llvm::all_of(load->getUses(), [&](OpOperand &use) { return &use == uses.front() || isFoldingUse(use); });
  return onlyFolded && isUsedOnce(load);
}

SmallVector<FoldedSlot> ResultFold::findSlots(llvm::function_ref<bool(SpawnOp)> isCombined) const {
  SmallVector<FoldedSlot> slots;
  task.walk([&](LLVM::AllocaOp variable) {
    std::optional<FoldedSlot> slot = variable.getElemType() == type ? scalarSlot(variable) : arraySlot(variable);
    if (slot && !slot->spawns.empty() && llvm::all_of(slot->spawns, isCombined))
      slots.push_back(*slot);
  });
  return slots;
}
