// Spawned results that go through an array. Each spawn takes the next element, and a loop folds all elements that were
// taken.
//
//   n = 0; while (...) { ... r[n] = cilk_spawn f(...); n = n + 1; ... }   cilk_sync;
//   for (i = 0; i < n; i = i + 1) s = s o r[i];
//
// The addition may come before the spawn, as in r[n++] = cilk_spawn f(...).
#include "ResultFold.h"

#include "Paths.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

bool isConstant(Value value, int64_t wanted) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant.getSExtValue() == wanted;
}

/// Returns the index without its extensions to wider types. They do not change an index that is in range.
Value throughExtensions(Value index) {
  while (Operation *op = index.getDefiningOp()) {
    if (!isa<LLVM::SExtOp, LLVM::ZExtOp>(op))
      break;
    index = op->getOperand(0);
  }
  return index;
}

/// Returns the index if `address` is variable[0][index] or variable[index], else null.
Value elementIndex(LLVM::GEPOp address, Type element) {
  unsigned dynamic = address.getDynamicIndices().size();
  auto array = dyn_cast<LLVM::LLVMArrayType>(address.getElemType());
  Type indexed = array ? array.getElementType() : address.getElemType();
  unsigned rank = array ? 2 : 1;
  if (indexed != element || address.getRawConstantIndices().size() != rank || dynamic == 0)
    return {};
  SmallVector<Value> indices;
  for (auto index : address.getIndices()) {
    if (auto value = dyn_cast<Value>(index)) {
      indices.push_back(value);
    } else if (indices.empty() && rank == 2 && cast<IntegerAttr>(index).getInt() == 0) {
      indices.push_back({});
    } else {
      return {};
    }
  }
  if (rank == 2 && indices.front() && !isConstant(indices.front(), 0))
    return {};
  return indices.back() ? throughExtensions(indices.back()) : Value();
}

/// A counter: a variable that starts at 0 and grows by one each time its only addition runs.
class Counter {
public:
  /// Finds the counter whose count `value` holds. Check isValid() afterwards.
  explicit Counter(Value value) { valid = follow(value) && increment && isConsistent(); }

  bool isValid() const { return valid; }
  LLVM::AddOp getIncrement() { return increment; }

  /// Returns true if `value` holds the current count at the operation `at`, on every path from the definition of
  /// `value` that does not define it again.
  bool isCurrent(Value value, Operation *at) {
    if (!web.contains(value))
      return false;
    Points target;
    target.add(at);
    return value == increment.getResult() || !passesIncrement(value, target);
  }

private:
  bool follow(Value value) {
    if (isConstant(value, 0) || !web.insert(value))
      return true;
    if (auto add = value.getDefiningOp<LLVM::AddOp>()) {
      bool isIncrement = isConstant(add.getRhs(), 1) && (!increment || increment == add);
      increment = add;
      return isIncrement && follow(add.getLhs());
    }
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner()->isEntryBlock())
      return false;
    Block *block = argument.getOwner();
    for (auto it = block->pred_begin(), end = block->pred_end(); it != end; ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      if (!branch)
        return false;
      auto operands = branch.getSuccessorOperands(it.getSuccessorIndex());
      incoming.push_back(&branch->getOpOperand(operands.getOperandIndex(argument.getArgNumber())));
      if (!follow(incoming.back()->get()))
        return false;
    }
    return true;
  }

  /// Returns true if a path from the definition of `value` runs the increment and then meets a target, without defining
  /// `value` again in between.
  bool passesIncrement(Value value, const Points &targets) {
    Points definition, add;
    definition.addDefinition(value);
    add.add(increment.getOperation());
    return reaches(value, add, definition) && reaches(increment.getOperation(), targets, definition);
  }

  /// Returns true if each copy is current where it is passed on, and zeros enter only before any addition.
  bool isConsistent() {
    if (!web.contains(increment.getLhs()) && !isConstant(increment.getLhs(), 0))
      return false;
    Points add;
    add.add(increment.getOperation());
    for (OpOperand *use : incoming) {
      Points edge;
      edge.add(*use);
      if (web.contains(use->get()) ? use->get() != increment.getResult() && passesIncrement(use->get(), edge)
                                   : reaches(increment.getOperation(), edge, Points()))
        return false;
    }
    Points atAdd;
    atAdd.add(increment.getOperation());
    return isConstant(increment.getLhs(), 0) || !passesIncrement(increment.getLhs(), atAdd);
  }

  llvm::SetVector<Value> web;
  SmallVector<OpOperand *> incoming;
  LLVM::AddOp increment;
  bool valid = false;
};

/// A loop `for (index = 0; index < bound; ++index)` with a body of one block that contains `load`.
struct SumLoop {
  Block *header = nullptr;
  Value bound;
  LLVM::ICmpPredicate predicate;
};

/// Returns true if the program cannot observe whether `op` has run.
bool isUnseen(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  return isMemoryEffectFree(&op);
}

std::optional<SumLoop> matchSumLoop(LLVM::LoadOp load, Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  Block *body = load->getBlock(), *header = argument ? argument.getOwner() : nullptr;
  if (!header || header->isEntryBlock() || body->getSinglePredecessor() != header || body->getNumSuccessors() != 1 ||
      body->getSuccessor(0) != header)
    return {};
  auto branch = dyn_cast<LLVM::CondBrOp>(header->getTerminator());
  auto compare = branch ? branch.getCondition().getDefiningOp<LLVM::ICmpOp>() : nullptr;
  if (!compare || compare->getBlock() != header || branch.getTrueDest() != body || compare.getLhs() != index)
    return {};
  using Predicate = LLVM::ICmpPredicate;
  if (!llvm::is_contained({Predicate::slt, Predicate::ult, Predicate::ne}, compare.getPredicate()))
    return {};
  unsigned number = argument.getArgNumber(), entries = 0;
  for (auto it = header->pred_begin(), end = header->pred_end(); it != end; ++it) {
    auto from = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value next = from ? from.getSuccessorOperands(it.getSuccessorIndex())[number] : Value();
    if (!next)
      return {};
    if (*it != body) {
      if (!isConstant(next, 0))
        return {};
      ++entries;
      continue;
    }
    auto add = next.getDefiningOp<LLVM::AddOp>();
    if (!add || add.getLhs() != index || !isConstant(add.getRhs(), 1))
      return {};
  }
  // Nothing in the loop may have an effect, because the loop may be dropped.
  for (Block *block : {header, body})
    for (Operation &op : *block)
      if (!isUnseen(op) && !op.hasTrait<OpTrait::IsTerminator>())
        return {};
  return entries == 1 ? std::optional<SumLoop>({header, compare.getRhs(), compare.getPredicate()}) : std::nullopt;
}

/// Returns true if each spawn, and the addition beside it, run only after `branch` has found that the current count is
/// below the bound.
bool isOnlyBelow(Counter &counter, LLVM::CondBrOp branch, SpawnOp spawn, LLVM::LLVMFuncOp task) {
  Operation *addition = counter.getIncrement(), *first = addition->isBeforeInBlock(spawn) ? addition : spawn;
  Points target, below;
  target.add(first);
  below.addEdge(branch, 0);
  return !reachesFromStart(&task.getBody().front(), target, below) && !reaches(addition, target, below);
}

/// Returns true if two loops have the same bound, so that as many elements are folded as were spawned. Each path from
/// the spawn to the sum loop leaves the spawning loop when its counter has reached the bound of the sum loop.
bool sharesBound(Counter &counter, const SumLoop &sum, SpawnOp spawn, LLVM::LLVMFuncOp task) {
  Points entry;
  entry.add(sum.header);
  for (Block &block : task.getBody()) {
    auto branch = dyn_cast<LLVM::CondBrOp>(block.getTerminator());
    auto compare = branch ? branch.getCondition().getDefiningOp<LLVM::ICmpOp>() : nullptr;
    if (!compare || &block == sum.header || compare.getPredicate() != sum.predicate || compare.getRhs() != sum.bound ||
        !counter.isCurrent(compare.getLhs(), branch))
      continue;
    Points exit;
    exit.addEdge(branch, 1);
    if (reaches(spawn.getOperation(), entry, exit))
      continue;
    // The loop is left because the counter is not below the bound. If the counter was below the bound before each
    // spawn, it now equals the bound.
    if (sum.predicate == LLVM::ICmpPredicate::ne || isOnlyBelow(counter, branch, spawn, task))
      return true;
  }
  return false;
}

} // namespace

std::optional<FoldedSlot> ResultFold::arraySlot(LLVM::AllocaOp variable) const {
  FoldedSlot slot{variable, {}, {}, {}, nullptr};
  Value spawnIndex, loadIndex;
  for (Operation *user : variable->getUsers()) {
    auto address = dyn_cast<LLVM::GEPOp>(user);
    Value index =
        address && address.getBase() == variable && address->hasOneUse() ? elementIndex(address, type) : Value();
    if (!index)
      return {};
    Operation *access = *address->user_begin();
    if (auto spawn = dyn_cast<SpawnOp>(access); spawn && spawn.getDest() == address && !spawnIndex) {
      slot.spawns.push_back(spawn);
      spawnIndex = index;
    } else if (auto load = dyn_cast<LLVM::LoadOp>(access); load && isTerm(load) && !loadIndex) {
      slot.loads.push_back(load);
      loadIndex = index;
    } else {
      return {};
    }
  }
  if (!spawnIndex || !loadIndex)
    return {};
  SpawnOp spawn = slot.spawns.front();
  std::optional<SumLoop> loop = matchSumLoop(slot.loads.front(), loadIndex);
  if (!loop)
    return {};
  // The spawn must store to the element whose index is the count before the addition beside it, and to no other. They
  // run together, in any order. The loop reads elements 0 to count - 1, each once.
  Counter counter(spawnIndex);
  if (!counter.isValid() || counter.getIncrement()->getBlock() != spawn->getBlock() ||
      counter.getIncrement().getLhs() != spawnIndex)
    return {};
  if (!counter.isCurrent(loop->bound, loop->header->getTerminator()) && !sharesBound(counter, *loop, spawn, task))
    return {};
  if (spawnIndex.getType() != loadIndex.getType() || loop->bound.getType() != loadIndex.getType())
    return {};
  // Every spawn must be followed by the loop. The loop must not run twice, nor may spawns follow it.
  Points entry, returns, spawns;
  entry.add(loop->header);
  spawns.add(spawn.getOperation());
  variable->getParentOfType<LLVM::LLVMFuncOp>().walk([&](LLVM::ReturnOp op) { returns.add(op.getOperation()); });
  Block *exit = cast<LLVM::CondBrOp>(loop->header->getTerminator()).getFalseDest();
  if (reaches(spawn.getOperation(), returns, entry) || reachesFromStart(exit, spawns, Points()) ||
      reachesFromStart(exit, entry, Points()) || reachesFromStart(slot.loads.front()->getBlock(), spawns, Points()))
    return {};
  slot.sumHeader = loop->header;
  return slot;
}
