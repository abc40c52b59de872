// Spawned results that go through an array. Each spawn takes an element, and a loop folds all elements that were taken.
//
//   n = 0; while (...) { ... r[n] = cilk_spawn f(...); n = n + 1; ... }   cilk_sync;
//   for (i = 0; i < n; i = i + 1) s = s o r[i];
//
// The addition may come before the spawn, as in r[n++] = cilk_spawn f(...), there may be several spawns, and some
// elements may get values of the task's own. The loop may run in any direction. It must take as many different elements
// as were written; that these are the same elements follows, because an element without a value cannot be folded.
//
// Or the array is cleared, spawns write to any elements, and the whole array is folded, by the loop or element by
// element. Two spawns without a sync in between write to different elements, since anything else is a race.
#include "ResultFold.h"

#include "Constants.h"
#include "Paths.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

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

/// Returns `value` without a constant that is added to it, and that constant.
std::pair<Value, int64_t> withoutConstant(Value value) {
  int64_t sum = 0;
  for (;;) {
    Operation *op = value.getDefiningOp();
    std::optional<int64_t> constant = op && op->getNumOperands() == 2 ? constantOf(op->getOperand(1)) : std::nullopt;
    if (!constant || !isa<LLVM::AddOp, LLVM::SubOp>(op))
      return {value, sum};
    sum += isa<LLVM::AddOp>(op) ? *constant : -*constant;
    value = op->getOperand(0);
  }
}

/// A counter: a variable that starts at 0 and grows by one each time one of its additions runs.
class Counter {
public:
  /// Finds the counter whose count `value` holds. Check isValid() afterwards.
  explicit Counter(Value value) { valid = follow(value) && !increments.empty() && isConsistent(); }

  bool isValid() const { return valid; }
  ArrayRef<LLVM::AddOp> getIncrements() const { return increments.getArrayRef(); }

  /// Returns true if `value` holds the current count at the operation `at`, on every path from the definition of
  /// `value` that does not define it again.
  bool isCurrent(Value value, Operation *at) const {
    if (!web.contains(value))
      return false;
    Points target;
    target.add(at);
    return !passesIncrement(value, target);
  }

private:
  bool follow(Value value) {
    if (isConstant(value, 0) || !web.insert(value))
      return true;
    if (auto add = value.getDefiningOp<LLVM::AddOp>()) {
      increments.insert(add);
      return isConstant(add.getRhs(), 1) && follow(add.getLhs());
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

  /// Returns true if a path from the definition of `value` runs an increment and then meets a target, without defining
  /// `value` again in between.
  bool passesIncrement(Value value, const Points &targets) const {
    Points definition;
    definition.addDefinition(value);
    return llvm::any_of(increments, [&](LLVM::AddOp increment) {
      Points add;
      add.add(increment.getOperation());
      return increment.getResult() != value && reaches(value, add, definition) &&
             reaches(increment.getOperation(), targets, definition);
    });
  }

  /// Returns true if each copy is current where it is passed on, and zeros enter only before any addition.
  bool isConsistent() const {
    for (OpOperand *use : incoming) {
      Points edge;
      edge.add(*use);
      bool isStale =
          web.contains(use->get())
              ? passesIncrement(use->get(), edge)
              : llvm::any_of(increments, [&](auto add) { return reaches(add.getOperation(), edge, Points()); });
      if (isStale)
        return false;
    }
    return llvm::all_of(increments, [&](LLVM::AddOp increment) {
      Value before = increment.getLhs();
      Points here;
      here.add(increment.getOperation());
      if (isConstant(before, 0)) // the first addition on each path
        return llvm::none_of(increments,
                             [&](LLVM::AddOp other) { return reaches(other.getOperation(), here, Points()); });
      return web.contains(before) && !passesIncrement(before, here);
    });
  }

  llvm::SetVector<Value> web;
  SmallVector<OpOperand *> incoming;
  llvm::SmallSetVector<LLVM::AddOp, 2> increments;
  bool valid = false;
};

/// A loop with a body of one block that contains `load` and has no effect but the fold. Each iteration loads another
/// element.
struct SumLoop {
  Block *header = nullptr;
  Value trips; ///< the number of iterations
  Value bound; ///< for `index = 0; index < bound; index = index + 1`: the bound, else null
  LLVM::ICmpPredicate predicate;
};

/// Returns true if the program cannot observe whether `op` has run.
bool isUnseen(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  return isMemoryEffectFree(&op);
}

/// A value of a loop that changes by a constant in each iteration.
struct Induction {
  Value start;
  int64_t step = 0; ///< 0 if it is none
};

Induction inductionOf(BlockArgument argument, Block *body) {
  Induction found;
  Block *header = argument.getOwner();
  Value next;
  for (auto it = header->pred_begin(), end = header->pred_end(); it != end; ++it) {
    auto from = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value value = from ? from.getSuccessorOperands(it.getSuccessorIndex())[argument.getArgNumber()] : Value();
    if (!value || (*it != body && found.start)) // the loop has one entry
      return {};
    (*it == body ? next : found.start) = value;
  }
  if (!next || !found.start)
    return {};
  auto [base, step] = withoutConstant(next);
  return base == argument ? Induction{found.start, step} : Induction();
}

/// Fills in the number of iterations of a loop that goes on while `value + added <predicate> limit`.
bool countTrips(SumLoop &loop, const Induction &value, int64_t added, LLVM::ICmpPredicate predicate, Value limit) {
  using Predicate = LLVM::ICmpPredicate;
  limit = throughExtensions(limit);
  auto isOneOf = [predicate](std::initializer_list<Predicate> wanted) { return llvm::is_contained(wanted, predicate); };
  if (value.step == 1 && added == 0) {
    if (isOneOf({Predicate::slt, Predicate::ult, Predicate::ne}) && isConstant(value.start, 0))
      loop.trips = loop.bound = limit;
    else if (isOneOf({Predicate::sle, Predicate::ule}) && isConstant(value.start, 1))
      loop.trips = limit;
  } else if (value.step == -1) {
    // It goes on while value >= least.
    std::optional<int64_t> least = constantOf(limit);
    if (!least || !isOneOf({Predicate::sgt, Predicate::ugt, Predicate::ne, Predicate::sge, Predicate::uge}))
      return false;
    *least += (isOneOf({Predicate::sge, Predicate::uge}) ? 0 : 1) - added;
    auto [count, more] = withoutConstant(throughExtensions(value.start));
    if (*least == 1 + more) // from count + more down to 1 + more
      loop.trips = throughExtensions(count);
  }
  loop.predicate = predicate;
  return bool(loop.trips);
}

std::optional<SumLoop> matchSumLoop(LLVM::LoadOp load, Value index) {
  Block *body = load->getBlock(), *header = body->getSinglePredecessor();
  if (!header || body->getNumSuccessors() != 1 || body->getSuccessor(0) != header)
    return {};
  auto branch = dyn_cast<LLVM::CondBrOp>(header->getTerminator());
  auto compare = branch ? branch.getCondition().getDefiningOp<LLVM::ICmpOp>() : nullptr;
  auto indexed = dyn_cast<BlockArgument>(throughExtensions(withoutConstant(index).first));
  if (!compare || compare->getBlock() != header || branch.getTrueDest() != body || !indexed ||
      indexed.getOwner() != header || inductionOf(indexed, body).step == 0)
    return {};
  auto [tested, added] = withoutConstant(compare.getLhs());
  auto counted = dyn_cast<BlockArgument>(tested);
  if (!counted || counted.getOwner() != header)
    return {};
  SumLoop loop;
  loop.header = header;
  if (!countTrips(loop, inductionOf(counted, body), added, compare.getPredicate(), compare.getRhs()))
    return {};
  // Nothing in the loop may have an effect, because the loop may be dropped.
  for (Block *block : {header, body})
    for (Operation &op : *block)
      if (!isUnseen(op) && !op.hasTrait<OpTrait::IsTerminator>())
        return {};
  return loop;
}

/// Returns true if each spawn, and the addition beside it, run only after `branch` has found that the current count is
/// below the bound.
bool isOnlyBelow(const Counter &counter, LLVM::CondBrOp branch, Operation *spawn, LLVM::LLVMFuncOp task) {
  Operation *addition = counter.getIncrements().front(), *first = addition->isBeforeInBlock(spawn) ? addition : spawn;
  Points target, below;
  target.add(first);
  below.addEdge(branch, 0);
  return !reachesFromStart(&task.getBody().front(), target, below) && !reaches(addition, target, below);
}

/// Returns true if two loops have the same bound, so that as many elements are folded as were spawned. Each path from
/// the spawn to the sum loop leaves the spawning loop when its counter has reached the bound of the sum loop.
bool sharesBound(const Counter &counter, const SumLoop &sum, Operation *spawn, LLVM::LLVMFuncOp task) {
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
    if (reaches(spawn, entry, exit))
      continue;
    // The loop is left because the counter is not below the bound. If the counter was below the bound before each
    // spawn, it now equals the bound.
    if (sum.predicate == LLVM::ICmpPredicate::ne || isOnlyBelow(counter, branch, spawn, task))
      return true;
  }
  return false;
}

using Write = ResultFold::Write;

/// Returns true if each write goes to the element whose index is the count before an addition beside it, and each
/// addition belongs to one write.
bool areCounted(ArrayRef<Write> writes, const Counter &counter) {
  llvm::SmallPtrSet<Operation *, 4> used;
  return counter.getIncrements().size() == writes.size() && llvm::all_of(writes, [&](const Write &write) {
           return llvm::any_of(counter.getIncrements(), [&](LLVM::AddOp increment) {
             return increment.getLhs() == write.index && increment->getBlock() == write.op->getBlock() &&
                    used.insert(increment).second;
           });
         });
}

/// Returns true if the loads stand in one block and load each of `count` elements once.
bool areAllElements(ArrayRef<LLVM::LoadOp> loads, ArrayRef<Value> indices, uint64_t count) {
  llvm::SmallDenseSet<int64_t> found;
  for (auto [load, index] : llvm::zip_equal(loads, indices)) {
    std::optional<int64_t> constant = constantOf(index);
    if (!constant || *constant < 0 || uint64_t(*constant) >= count || load->getBlock() != loads.front()->getBlock() ||
        !found.insert(*constant).second)
      return false;
  }
  return found.size() == count;
}

} // namespace

/// Returns true if the loop folds each element that was written exactly once.
static bool foldsAll(const SumLoop &loop, ArrayRef<Write> writes, LLVM::LLVMFuncOp task) {
  // In a first addition, the index is a constant, which no counter can be found from.
  auto counted = llvm::find_if(writes, [](const Write &write) { return !constantOf(write.index); });
  Counter counter(counted == writes.end() ? loop.trips : counted->index);
  if (!counter.isValid() || !areCounted(writes, counter))
    return false;
  return counter.isCurrent(loop.trips, loop.header->getTerminator()) ||
         (loop.bound && writes.size() == 1 && sharesBound(counter, loop, writes.front().op, task));
}

/// Returns true if the array is cleared before each write, and never again.
static bool isClearedFirst(LLVM::MemsetOp clear, const Points &writes, LLVM::LLVMFuncOp task) {
  Points atClear;
  atClear.add(clear.getOperation());
  return !reachesFromStart(&task.getBody().front(), writes, atClear) &&
         !reaches(clear.getOperation(), atClear, Points());
}

/// Returns the results that go through an array, and fills in the writes and the indices of the loads. Returns nothing
/// if the array is used in another way. It is not checked yet that each result is folded once.
std::optional<FoldedSlot> ResultFold::findArray(LLVM::AllocaOp variable, SmallVectorImpl<Write> &writes,
                                                SmallVectorImpl<Value> &loadIndices) const {
  FoldedSlot slot{variable, {}, {}, {}, nullptr, nullptr};
  for (Operation *user : variable->getUsers()) {
    if (auto clear = dyn_cast<LLVM::MemsetOp>(user);
        clear && !slot.clear && isa<LLVM::LLVMArrayType>(variable.getElemType())) {
      slot.clear = clear;
      continue;
    }
    auto address = dyn_cast<LLVM::GEPOp>(user);
    Value index =
        address && address.getBase() == variable && address->hasOneUse() ? elementIndex(address, type) : Value();
    if (!index)
      return {};
    Operation *access = *address->user_begin();
    auto load = dyn_cast<LLVM::LoadOp>(access);
    auto store = dyn_cast<LLVM::StoreOp>(access);
    if (auto spawn = dyn_cast<SpawnOp>(access); spawn && spawn.getDest() == address) {
      slot.spawns.push_back(spawn);
      writes.push_back({spawn, index});
    } else if (store && store.getAddr() == address && store.getValue().getType() == type && !store.getVolatile_()) {
      slot.stores.push_back(store);
      writes.push_back({store, index});
    } else if (load && isTerm(load)) {
      slot.loads.push_back(load);
      loadIndices.push_back(index);
    } else {
      return {};
    }
  }
  return slot.spawns.empty() || slot.loads.empty() ? std::nullopt : std::optional(slot);
}

std::optional<FoldedSlot> ResultFold::arraySlot(LLVM::AllocaOp variable) const {
  SmallVector<Write> writes;
  SmallVector<Value> loadIndices;
  std::optional<FoldedSlot> slot = findArray(variable, writes, loadIndices);
  if (!slot)
    return {};
  auto array = dyn_cast<LLVM::LLVMArrayType>(variable.getElemType());
  uint64_t elements = array ? array.getNumElements() : 0;
  std::optional<SumLoop> loop =
      slot->loads.size() == 1 ? matchSumLoop(slot->loads.front(), loadIndices.front()) : std::nullopt;
  bool byElement = array && areAllElements(slot->loads, loadIndices, elements);
  if (!loop && !byElement)
    return {};
  Points fold, ends, atWrites;
  loop ? fold.add(loop->header) : fold.add(slot->loads.front().getOperation());
  task.walk([&](LLVM::ReturnOp op) { ends.add(op.getOperation()); });
  for (const Write &write : writes)
    atWrites.add(write.op);
  if (slot->clear && !isClearedFirst(slot->clear, atWrites, task))
    return {};
  bool foldsWholeArray = slot->clear && isClearedToIdentity(slot->clear) && slot->stores.empty() &&
                         (byElement || isConstant(loop->trips, elements)) && !spawnsBehindSync(*slot, fold);
  if (!foldsWholeArray && !(loop && foldsAll(*loop, writes, task)))
    return {};
  // Every write must be followed by the fold. The fold must not run twice, nor may writes follow it.
  auto isLost = [&](const Write &write) { return reaches(write.op, ends, fold); };
  auto isFollowed = [&](LLVM::LoadOp load) {
    Operation *at = load;
    return loop ? reachesFromStart(load->getBlock(), atWrites, Points())
                : reaches(at, atWrites, Points()) || reaches(at, fold, Points());
  };
  if (llvm::any_of(writes, isLost) || llvm::any_of(slot->loads, isFollowed))
    return {};
  if (loop) {
    Block *exit = cast<LLVM::CondBrOp>(loop->header->getTerminator()).getFalseDest();
    if (reachesFromStart(exit, atWrites, Points()) || reachesFromStart(exit, fold, Points()))
      return {};
    slot->sumHeader = loop->header;
  }
  return slot;
}

/// Returns true if what clears an array gives each element the identity of the fold.
bool ResultFold::isClearedToIdentity(LLVM::MemsetOp clear) const {
  return isConstant(clear.getVal(), 0) && getIdentity() == Builder(clear).getIntegerAttr(type, 0);
}

/// Returns true if a spawn into the array can follow a sync that waits for such a spawn. It could write to the same
/// element.
bool ResultFold::spawnsBehindSync(const FoldedSlot &slot, const Points &loop) const {
  Points spawns;
  for (SpawnOp spawn : slot.spawns)
    spawns.add(spawn.getOperation());
  bool found = false;
  task.walk([&](SyncOp sync) {
    Points here;
    here.add(sync.getOperation());
    found |= reaches(sync.getOperation(), spawns, loop) &&
             llvm::any_of(slot.spawns, [&](SpawnOp spawn) { return reaches(spawn.getOperation(), here, loop); });
  });
  return found;
}
