// The order in which pre-sync elements were spawned, for TaskOrder::Stepped. A channel has the elements of one task, so
// the order among several tasks of a level is lost there. With steps, each spawn asks for space (Cursor::limit is the
// next element), so that its place in the order is known.
//
//   level d:   order  | f | g | f | h |        one entry for each waiting element, the oldest first
//              f's channel: elements 0 and 2 of the order; g's: 1; h's: 3
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_STEPORDER_H
#define CILK2GPU_RUNTIME_CORE_STEPORDER_H

#include "core/SchedulerState.h"
#include "core/Steps.h"

namespace cilk2gpu::rt {

class StepOrder {
public:
  explicit StepOrder(SchedulerState &shared) : shared(shared), steps(shared.environment.steps) {}

  /// Returns whether steps decide the order. Graphs with queues keep the policy's order, because a queue must be
  /// drained before anything else.
  bool isOn() const { return steps && !shared.hasQueueTasks; }
  Steps &choices() const { return *steps; }

  /// Makes every spawn of a task at the current level ask for space.
  void refuseSpawns(const TaskLevel &state) const;
  /// Grants one element of a channel, if there is space.
  uint64_t grant(abi::Cursor &target, uint64_t level);
  /// Notes a root, which ordinary code has spawned.
  void noteRoot(TaskLevel &state);

  /// Returns the number of elements that wait at a level.
  uint64_t size(uint64_t level) const { return level < numLists ? lists[level].end - lists[level].first : 0; }
  /// Returns the task of an element that waits; `place` counts from the oldest one.
  TaskLevel &at(uint64_t level, uint64_t place) const { return *lists[level].items[lists[level].first + place]; }
  /// Moves that element to the front of its channel, where the scheduler takes it, and removes it from the order.
  void take(uint64_t level, uint64_t place);

  /// Names the last of all steps, and the tasks that it ran before. A step that is StepKind::Ahead gets its others as
  /// they are spawned.
  void name(StepKind kind, const TaskLevel &task);
  void nameOther(const TaskLevel &task);

private:
  struct List {
    TaskLevel **items;
    uint64_t first, end, capacity; ///< entries [first, end)
  };

  void note(uint64_t level, TaskLevel &state);
  List &listOf(uint64_t level);
  void makeRoom(List &list);

  SchedulerState &shared;
  Steps *const steps; ///< null: off
  List *lists = nullptr;
  uint64_t numLists = 0;
  const TaskLevel *ahead = nullptr; ///< the task of a StepKind::Ahead, whose children are the others; null: none
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_STEPORDER_H
