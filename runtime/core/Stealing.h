// Hands blocks of elements to other schedulers, and counts the blocks that are not done. A block that was given away
// counts at the giver's level until all its descendants are done. The receiver then repays it.
//
// No scheduler waits for ever, for this reason. A scheduler waits at a level L only when its levels L and deeper are
// empty. While it waits, it accepts only blocks of levels deeper than L. So at most one foreign block runs at a level
// of a scheduler. When the scheduler accepted that block, all blocks that it had given away at that level were done. If
// schedulers waited for one another in a circle, all would wait at one level, each for the next. Take the block of the
// circle that was accepted last. Its receiver waits for a block that it gave away after that, so this block was
// accepted even later: a contradiction.
//
//   Stealing::Surplus surplus = scheduler.stealing().find(small, parts);
//   if (surplus.from && scheduler.stealing().canGive(surplus))
//     scheduler.stealing().give(surplus, receiver.stealing());
//
// Thread-safety: only the owning scheduler's thread calls these functions. give() also writes to the receiving
// scheduler, which must wait. Any thread may call stolen(). Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_STEALING_H
#define CILK2GPU_RUNTIME_CORE_STEALING_H

#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

class Stealing {
public:
  /// `owner`: the scheduler that has the state.
  Stealing(SchedulerState &shared, Scheduler &owner) : shared(shared), owner(owner) {}

  /// A block that can be given away.
  struct Surplus {
    uint64_t level;
    TaskLevel *from; ///< null: there is none
    uint64_t count;  ///< elements to give
  };

  /// Called when a run starts, at level `base`.
  void start(uint64_t base) { shallowest = base; }
  /// Called when the scheduler goes up from a deeper level to level `index`.
  void returned(uint64_t index) {
    if (shallowest > index)
      shallowest = index;
  }

  /// Returns one of `parts` (>= 2) parts of the shallowest channel that has elements to spare. `small`: also gives
  /// elements that run in vectors but are too few to fill a vector. Elements of queues are never given away, because a
  /// queue's capacity bounds the elements of one scheduler. Called between dispatches.
  Surplus find(bool small, uint64_t parts);

  /// Returns a part of a channel at the current level, or one level deeper, whose elements are long. They
  /// are worth a hand-over before the intervals between hand-overs have passed.
  Surplus findLong(uint64_t parts);

  /// Returns whether the wave that runs may take long enough for its children to be given away before it ends.
  bool mayOffer() const;
  /// Called before and after elements may be given away by a kernel that runs.
  void beginOffer() { offers = true; }
  void endOffer() { offers = false; }

  /// Returns whether the budget has room for the surplus, and a frame, in another scheduler.
  bool canGive(const Surplus &surplus) const;

  /// Moves a surplus to the same level of `receiver`, which waits and has no elements at that level or deeper. The
  /// block counts as stolen here until the receiver's Environment::repay was called for it.
  void give(const Surplus &surplus, Stealing &receiver);

  /// Returns the number of blocks that were given away at level `index` and are not done.
  uint64_t stolen(uint64_t index) const;

  /// Called when level `index` is empty: repays the block that ran there, if it came from another scheduler.
  void repay(uint64_t index);

private:
  uint64_t leastSurplus(const TaskLevel &state, uint64_t index, bool small) const;
  bool isShareable(const TaskLevel &state) const;
  uint64_t spare(const TaskLevel &state) const;
  StealState &stateAt(uint64_t index);

  SchedulerState &shared;
  Scheduler &owner;
  uint64_t shallowest = 0; ///< no level above this one has a surplus; if wasSmall, not even a small one
  bool wasSmall = false;   ///< `small` of the last find()
  bool offers = false;     ///< a kernel that runs offers its children
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_STEALING_H
