// Spawned results that go through a variable. Children's results reach the variable in two ways:
//
//   x = cilk_spawn f(...);   x += cilk_spawn f(...);
//
// The accumulating form takes the children's results out of the variable. What is left in it is a term of its own, so
// the program may also store to the variable and load from it where no child's result can be in it.
#include "ResultFold.h"

#include "Updates.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <bitset>

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// What children's results have become of at a point of the task.
enum State {
  None,    ///< no child's result is in the variable
  Started, ///< children may still write to it
  Arrived, ///< results of children that have finished are in it
  Taken,   ///< they have been folded, and are still in it
  kStates
};

/// The states in which the variable may be, on the different paths to a point.
using States = std::bitset<kStates>;

enum class Event { Store, Result, Update, Term, OtherLoad, Sync, Return };

/// The state behind an event, or kStates where the event must not happen.
State after(Event event, State before) {
  constexpr State bad = kStates;
  static const State table[][kStates] = {
      // None, Started, Arrived, Taken
      {None, bad, bad, None},           // Store: it would overwrite results
      {Started, bad, bad, Started},     // Result
      {Started, Started, Started, bad}, // Update: what has been taken would be taken again
      {None, bad, Taken, bad},          // Term: each result is taken once
      {None, bad, bad, bad},            // OtherLoad
      {None, Arrived, Arrived, Taken},  // Sync
      {None, bad, bad, Taken},          // Return: no result is lost
  };
  return table[unsigned(event)][before];
}

/// Follows the states of one variable along all paths of the task.
class Paths {
public:
  Paths(LLVM::LLVMFuncOp task, const llvm::DenseMap<Operation *, Event> &events) : task(task), events(events) {}

  /// Returns true if every event on every path happens in a state that allows it.
  bool areAllowed() {
    Block *entry = &task.getBody().front();
    atStart[entry].set(None);
    SmallVector<Block *> work{entry};
    while (!work.empty()) {
      Block *block = work.pop_back_val();
      std::optional<States> atEnd = through(*block, atStart[block]);
      if (!atEnd)
        return false;
      for (Block *next : block->getSuccessors()) {
        States &known = atStart[next];
        if ((known | *atEnd) == known && known.any())
          continue;
        known |= *atEnd;
        work.push_back(next);
      }
    }
    return true;
  }

private:
  std::optional<States> through(Block &block, States states) {
    for (Operation &op : block) {
      auto event = events.find(&op);
      if (event == events.end())
        continue;
      States next;
      for (unsigned state = 0; state < kStates; ++state) {
        if (!states[state])
          continue;
        State behind = after(event->second, State(state));
        if (behind == kStates)
          return {};
        next.set(behind);
      }
      states = next;
    }
    return states;
  }

  LLVM::LLVMFuncOp task;
  const llvm::DenseMap<Operation *, Event> &events;
  llvm::DenseMap<Block *, States> atStart;
};

} // namespace

std::optional<FoldedSlot> ResultFold::scalarSlot(LLVM::AllocaOp variable) const {
  FoldedSlot slot{variable, {}, {}, {}, nullptr, nullptr};
  llvm::DenseMap<Operation *, Event> events;
  auto isPlain = [this](auto access, Type accessed) {
    return accessed == type && !access.getVolatile_() && access.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  };
  for (OpOperand &use : variable->getUses()) {
    Operation *user = use.getOwner();
    if (!keepsAddress(use, *symbols))
      return {};
    if (auto load = dyn_cast<LLVM::LoadOp>(user); load && isPlain(load, load.getType())) {
      events[load] = isTerm(load) ? Event::Term : Event::OtherLoad;
    } else if (auto store = dyn_cast<LLVM::StoreOp>(user); store && isPlain(store, store.getValue().getType())) {
      events[store] = Event::Store;
    } else if (auto spawn = dyn_cast<SpawnOp>(user)) {
      events[spawn] = spawn.getDest() ? Event::Result : Event::Update;
      if (!spawn.getDest() && !updates(spawn))
        return {};
      slot.spawns.push_back(spawn);
    } else {
      return {};
    }
  }
  task.walk([&](Operation *op) {
    if (isa<SyncOp>(op))
      events[op] = Event::Sync;
    else if (isa<LLVM::ReturnOp>(op))
      events[op] = Event::Return;
  });
  return Paths(task, events).areAllowed() ? std::optional(slot) : std::nullopt;
}
