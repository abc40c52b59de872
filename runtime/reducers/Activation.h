// The views of a task, in serial order. A slot holds the views of neighbouring strands and finished tasks. A task
// writes into its own slot until its first spawn. Each spawn appends a slot for the child to the list of the parent,
// and the parent's next strand gets a slot at its first lookup:
//
//   { a(); spawn f(); b(); spawn g(); c(); sync; d(); }
//
//   first: a    list: f, b, g, c     after the sync: first holds everything, and d() goes on in it
//
// An ordered task (`#pragma cilk depend`) gets its slot where its spawn stands, too, and starts later. So the list may
// have slots of such tasks behind a sync that does not wait for them.
//
// The slot `first` is the entry of the task in the list of its own parent. Neighbours that are done are reduced at
// once, the right one into the left one, so the order of the operands is the serial order under every schedule.
//
// Thread-safety: the task itself calls all functions of its activation, on one thread at a time. A child that ends
// calls `settle` of its parent's activation, also while the parent runs. The lock guards the list. The state Merging
// guards the tables of views, so that no lock is held while the program's functions run. Pairs: release in unlock with
// acquire in lock.
#ifndef CILK2GPU_RUNTIME_REDUCERS_ACTIVATION_H
#define CILK2GPU_RUNTIME_REDUCERS_ACTIVATION_H

#include "process/TaskScope.h"
#include "reducers/ViewTable.h"

namespace cilk2gpu::rt::reducers {

class Activation;

/// Open: a task or a strand writes into the table. Reserved: the same for an ordered task, which may not have started.
/// Done: its strands have ended. Merging: a thread reduces another table into this one.
/// Open -> Done <-> Merging, Reserved -> Done.
enum class SlotState : uint32_t { Open, Reserved, Done, Merging };

struct Slot {
  ViewTable views;
  Activation *owner = nullptr; ///< the activation in whose list the slot is; null: the first slot of all
  Slot *left = nullptr, *right = nullptr;
  SlotState state = SlotState::Open;

  /// Returns true if no strand comes before the slot's strands: their views are the reducers themselves.
  bool isLeftmost() const { return !owner; }
};

class Activation {
public:
  /// Starts a task whose views go into `slot`.
  void begin(Slot *slot);
  /// Ends the task. Its slot is done.
  void end();

  /// Ends the running strand. Returns the slot of a child.
  Slot *spawn();
  /// Reduces all slots to the first one. All children are done, except ordered ones that have not started.
  void sync();

  /// Ends the running strand. Returns the slot of an ordered child, which starts later.
  Slot *reserve();
  /// Lets the strands write into the slot of an ordered task. Returns the slot of the activation itself. No child runs.
  Slot *adopt(Slot *slot);
  /// Ends the ordered task. The strands write into `own` again, which adopt() has returned.
  void release(Slot *own);
  /// Ends the slot of an ordered task that never starts.
  static void giveUp(Slot *slot) { slot->owner->settle(slot); }

  /// Returns the view of a reducer in the running strand.
  void *lookup(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce) {
    if (strand) {
      if (strand->isLeftmost())
        return key;
      if (View *view = strand->views.find(key))
        return view->memory;
    }
    return lookupFirst(key, size, identity, reduce);
  }
  /// Makes the object at `key` the first view of a new reducer.
  void add(void *key, __cilk2gpu_reduce reduce);
  /// Reduces the views of a reducer, from the running strand to the left, to the reducer itself.
  void remove(void *key);

  /// Between these calls, `current()` of the thread is this activation.
  void enter();
  void leave();
  static Activation *current() { return static_cast<Activation *>(threadStrand()); }

private:
  void *lookupFirst(void *key, size_t size, __cilk2gpu_identity identity, __cilk2gpu_reduce reduce);
  Slot *open();
  Slot *append();
  Slot *appendChild(SlotState state);
  void unlink(Slot *slot);
  void settle(Slot *slot);
  bool mayMerge(const Slot *slot) const;
  Slot *neighbourOf(const Slot *slot, bool isLeft) const;
  bool mergeWithNeighbour(Slot *&slot);
  void lock();
  void unlock();
  bool takeLeftOf(const Slot *from, void *key, View &right);

  Slot *first;        ///< the task's own slot
  Slot *strand;       ///< the slot of the running strand; null: it has none yet
  Slot *head, *tail;  ///< the list behind `first`
  Activation *outer;  ///< the thread's activation before `enter`
  uint32_t isEntered; ///< 1 between `enter` and `leave`
  uint32_t isMerging; ///< 1: a thread reduces a slot into `first`; guarded by the lock
  uint32_t isLocked;  ///< the lock
  uint32_t reserved;
};

static_assert(sizeof(Activation) <= abi::kActivationBytes && alignof(Activation) <= abi::kActivationAlign,
              "the compiler reserves the storage");

/// Returns the slot for a task that ordinary code of this thread calls.
Slot *rootSlot();

} // namespace cilk2gpu::rt::reducers

#endif // CILK2GPU_RUNTIME_REDUCERS_ACTIVATION_H
