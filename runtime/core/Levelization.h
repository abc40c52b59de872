// Levelization: the order in which schedulers go through the levels of a graph, and which elements are ready there. All
// executors take both from here. A scheduler dispatches; this class decides at which level.
//
//   for (;;) {
//     ... dispatch at levels.current() ...
//     if (order.next(yielded) == LevelMove::Drained)   // nothing is left at this level and below it
//       order.riseTo(shallower);
//   }
//
// Schedulers keep their levels differently, so the order is a template over a view of them. A view has these functions:
//
//   current(), lowest()      the level that is dispatched, and the level at which the run started
//   deepest()                no level deeper than this one holds anything; LevelSet::kNone: no level does
//   holds(index)             something is left at a level that deepest() does not rule out
//   tasksAt(index)           the first of a list of the tasks at a level. A task has `next`, `task` (a TaskInfo),
//                            holds(), and active->post(k), a FrameChannel for each post-sync kernel.
//   isShared(index)          wavefronts that run, or other schedulers, may have elements of a level
//   mayGoOnAt(index)         lanes that go on at a level find room for elements that they spawn
//   goDeeper()               makes the next level the current one
//   goBackTo(index)          makes a shallower level, or the same one, the current one
//   becameReady(index)       post-sync elements of a level became ready
//
// Thread-safety: the owning scheduler's thread. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_LEVELIZATION_H
#define CILK2GPU_RUNTIME_CORE_LEVELIZATION_H

#include "core/FrameChannel.h"
#include "core/LevelSet.h"
#include "core/Policies.h"
#include "core/TaskTable.h"

namespace cilk2gpu::rt {

//===--------------------------------------------------------------------------------------------------------------===//
// Readiness
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns whether nothing deeper than level `index` is left of the tasks that `awaited` covers: the readiness
/// abi::ReadinessKind::DrainedBelow. `anyBelow(index, predicate)` returns whether the predicate is true of any task
/// that has elements deeper than that level. It passes null for elements whose task is not known.
template <typename AnyBelow> bool isDrainedBelow(AnyBelow anyBelow, uint64_t index, const Closure &awaited) {
  return awaited.isNothing() ||
         !anyBelow(index, [&](const TaskInfo *task) { return !task || awaited.contains(*task); });
}

//===--------------------------------------------------------------------------------------------------------------===//
// Dispatches at one level
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns the queue of a level that is drained next, null if all are drained. A queue is drained after the queues that
/// its elements lead to, and before anything else of its level. All levels together therefore never hold more elements
/// of a queue than one level does. `holds`: whether a task has elements to drain.
template <typename Task, typename Holds> Task *nextQueue(Task *first, Holds holds) {
  Task *next = nullptr;
  for (Task *task = first; task; task = task->next)
    if (task->task->isQueue() && (!next || task->task->rank < next->task->rank) && holds(*task))
      next = task;
  return next;
}

/// Dispatches a level's elements until an outcome is at least `last`: lanes that yielded, then pre-sync elements.
/// Post-sync elements that are ready come first (`endsFirst`) or last. Each function dispatches elements of one task
/// and returns the outcome. Returns the greatest outcome.
template <typename Outcome, typename Task, typename Ready, typename Restart, typename Fresh>
Outcome dispatchStages(Task *first, Outcome last, bool endsFirst, Ready ready, Restart restart, Fresh fresh) {
  Outcome result = {};
  auto each = [&](auto &dispatch) {
    for (Task *task = first; task && result < last; task = task->next) {
      Outcome outcome = dispatch(*task);
      result = outcome > result ? outcome : result;
    }
  };
  if (endsFirst)
    each(ready);
  each(restart);
  each(fresh);
  if (!endsFirst)
    each(ready);
  return result;
}

//===--------------------------------------------------------------------------------------------------------------===//
// From level to level
//===--------------------------------------------------------------------------------------------------------------===//

enum class LevelMove : uint8_t {
  Moved,   ///< there is something to dispatch at the current level, which may be another one
  Drained, ///< the current level and all deeper levels are empty
  Stuck,   ///< elements are left at the current level that no rule makes ready
};

template <typename Levels> class Levelization {
public:
  /// `levels` outlives the order.
  Levelization(Levels &levels, const Policy &policy) : levels(levels), policy(policy) {}
  Levelization(const Levelization &) = delete;

  /// Called when nothing more can be dispatched at the current level, and nothing of it runs. `yielded`: lanes of the
  /// level found no room below, so deeper levels come first whatever the policy says.
  [[gnu::always_inline]] LevelMove next(bool yielded) {
    uint64_t current = levels.current(), deepest = levels.deepest();
    if (deepest != LevelSet::kNone && deepest > current) {
      if (yielded || !policy.followsEdges || !riseToReady())
        levels.goDeeper();
      return LevelMove::Moved;
    }
    if (yielded && policy.endsFirst)
      makeReady(current);
    if (yielded || makeReady(current).any)
      return LevelMove::Moved;
    return levels.holds(current) ? LevelMove::Stuck : LevelMove::Drained;
  }

  /// Everything deeper than level `index` is done: makes it the current one.
  void riseTo(uint64_t index) {
    levels.goBackTo(index);
    if (policy.endsFirst)
      makeReady(index);
  }

  /// Post-sync elements of a level.
  struct Ready {
    bool any;    ///< some are ready
    bool areNew; ///< and were not before
  };

  /// Makes all post-sync elements of a level ready: nothing deeper is left.
  Ready makeReady(uint64_t index) {
    return makeReadyIf(index, [](const TaskInfo &, uint32_t) { return true; });
  }

private:
  template <typename Condition> Ready makeReadyIf(uint64_t index, Condition condition) {
    Ready result = {false, false};
    for (auto *task = levels.tasksAt(index); task; task = task->next)
      for (uint32_t k = 1; task->active && k < task->task->numKernels; ++k) {
        FrameChannel &post = task->active->post(k);
        uint64_t waiting = post.channel.size();
        if (post.ready != waiting && condition(*task->task, k)) {
          post.ready = waiting;
          result.areNew = true;
        }
        result.any |= post.ready != 0;
      }
    if (result.areNew)
      levels.becameReady(index);
    return result;
  }

  /// Makes post-sync elements of a level ready whose own dependencies are drained.
  bool makeDrainedReady(uint64_t index) {
    auto below = [this](uint64_t at, auto predicate) { return this->anyBelow(at, predicate); };
    return makeReadyIf(index, [&](const TaskInfo &task,
                                  uint32_t kernel) { return isDrainedBelow(below, index, task.awaited[kernel]); })
        .areNew;
  }

  /// Before the scheduler goes deeper, finds the deepest level with post-sync elements whose dependencies are drained
  /// although other work is left deeper. Makes that level the current one. Looks at kEdgeLevels levels, so that the
  /// search does not grow with the depth of a recursion.
  [[gnu::noinline]] bool riseToReady() {
    for (uint64_t index = levels.current(), looks = 0; looks < tunables::kEdgeLevels; ++looks, --index) {
      if (levels.mayGoOnAt(index) && makeDrainedReady(index)) {
        levels.goBackTo(index);
        return true;
      }
      if (index == levels.lowest())
        break;
    }
    return false;
  }

  template <typename Predicate> bool anyBelow(uint64_t index, Predicate predicate) const {
    for (uint64_t at = index + 1, deepest = levels.deepest(); at <= deepest; ++at) {
      if (levels.isShared(at) && predicate(nullptr))
        return true;
      for (auto *task = levels.tasksAt(at); task; task = task->next)
        if (task->holds() && predicate(task->task))
          return true;
    }
    return false;
  }

  Levels &levels;
  const Policy policy; ///< a copy: a control processor has its table at another address
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_LEVELIZATION_H
