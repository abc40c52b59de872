// Hands blocks of elements to other schedulers, and keeps account of them. A block that was given away counts at the
// giver's level until all that it spawned is done; then the receiver repays it.
//
// Why no scheduler waits for ever. A scheduler waits at a level L only when its levels L and deeper are empty. While it
// waits, it accepts only blocks of levels deeper than L. So at most one block runs at a level of a scheduler. When the
// scheduler accepted it, everything that it had given away at that level was done. In a circle of schedulers that wait
// for one another, all would wait at one level, each for the next. The block accepted last would break that rule.
//
//   Stealing::Surplus surplus = scheduler.stealing().find(small, parts);
//   if (surplus.from && scheduler.stealing().canGive(surplus))
//     scheduler.stealing().give(surplus, receiver.stealing());
//
// Thread-safety: the owning scheduler's thread. give() also writes the receiving scheduler, which must wait.
// stolen() may be called by any thread. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_STEALING_H
#define CILK2GPU_RUNTIME_CORE_STEALING_H

#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

class Stealing {
public:
  /// `owner`: whose state it is.
  Stealing(SchedulerState &shared, Scheduler &owner) : shared(shared), owner(owner) {}

  /// A block that can be given away.
  struct Surplus {
    uint64_t level;
    TaskLevel *from; ///< null: there is none
    uint64_t count;  ///< elements to give
  };

  /// A run starts at level `base`.
  void start(uint64_t base) { shallowest = base; }
  /// The scheduler left a level upwards, for level `index`.
  void returned(uint64_t index) {
    if (shallowest > index)
      shallowest = index;
  }

  /// Returns one of `parts` (>= 2) parts of the shallowest channel that has elements to spare. `small`: elements that
  /// run in vectors may go, too, where they fill no vector. Elements of queues never go: a queue's capacity bounds the
  /// elements of one scheduler. Called between dispatches.
  Surplus find(bool small, uint64_t parts);

  /// Returns whether the budget has room for the surplus, and a frame, in another scheduler.
  bool canGive(const Surplus &surplus) const;

  /// Moves a surplus to the same level of `receiver`, which waits and has nothing at that level or deeper. The block
  /// counts as stolen here until the receiver's Environment::repay was called for it.
  void give(const Surplus &surplus, Stealing &receiver);

  /// Blocks given away at level `index` that are not done.
  uint64_t stolen(uint64_t index) const;

  /// Level `index` is empty: repays the block that ran there, if it was another scheduler's.
  void repay(uint64_t index);

private:
  uint64_t leastSurplus(const TaskLevel &state, uint64_t index, bool small) const;
  StealState &stateAt(uint64_t index);

  SchedulerState &shared;
  Scheduler &owner;
  uint64_t shallowest = 0; ///< no level shallower than this one has a surplus, small ones counted if wasSmall
  bool wasSmall = false;   ///< `small` of the last find()
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_STEALING_H
