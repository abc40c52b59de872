// A scheduler's levels, as Levelization.h wants to see them.
//
// Thread-safety: the owning scheduler's thread. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_SCHEDULERLEVELS_H
#define CILK2GPU_RUNTIME_CORE_SCHEDULERLEVELS_H

#include "core/Levelization.h"
#include "core/Stealing.h"

namespace cilk2gpu::rt {

class SchedulerLevels {
public:
  SchedulerLevels(SchedulerState &shared, Stealing &stealing) : shared(shared), stealing(stealing) {}

  uint64_t current() const { return shared.current; }
  uint64_t lowest() const { return shared.lowest; }
  uint64_t deepest() const { return shared.bottom; }
  TaskLevel *tasksAt(uint64_t index) const { return shared.tasksAt(index); }

  /// Returns whether pre-sync elements or lanes that yielded are left at a level.
  bool holds(uint64_t index) const {
    for (const TaskLevel *state = shared.tasksAt(index); state; state = state->next)
      if (state->waits())
        return true;
    return false;
  }

  /// A block that another scheduler runs may hold elements of any task.
  bool isShared(uint64_t index) const { return stealing.stolen(index); }

  /// Lanes that run find the channels that they spawn into empty. So no fresh elements may be one level deeper, and no
  /// elements of a queue at any deeper level.
  bool mayGoOnAt(uint64_t index) const {
    for (uint64_t at = index + 1; at <= shared.bottom; ++at) {
      for (const TaskLevel *state = shared.tasksAt(at); state; state = state->next)
        if (state->pre.size() && (state->task->isQueue() || at == index + 1))
          return false;
      if (!shared.hasQueues)
        break;
    }
    return true;
  }

  void goDeeper() {
    shared.enter(shared.current + 1);
    fetchAhead(+1);
  }
  void goBackTo(uint64_t index) {
    shared.enter(index);
    fetchAhead(-1);
    stealing.returned(index);
  }
  void becameReady(uint64_t) {}

private:
  /// Asks for the memory of levels that are some steps ahead. A deep recursion that comes back to them finds them out
  /// of the cache.
  void fetchAhead(int64_t step) const {
    if (shared.environment.device)
      return;
    uint64_t next = shared.current + uint64_t(tunables::kFetchedAhead * step); // no level if it wraps around
    uint64_t afterNext = next + uint64_t(tunables::kFetchedAhead * step);
    if (afterNext < shared.numLevels)
      fetch(shared.levels[afterNext].tasks, sizeof(TaskLevel));
    if (next < shared.numLevels && shared.levels[next].tasks && shared.levels[next].tasks->active)
      fetch(shared.levels[next].tasks->active, tunables::kLevelBytes);
  }
  /// Asks for memory that will be read or written soon; null is none.
  static void fetch(const void *memory, uint64_t bytes) {
    for (uint64_t at = 0; memory && at < bytes; at += tunables::kCacheLine)
      __builtin_prefetch(static_cast<const char *>(memory) + at, 1);
  }

  SchedulerState &shared;
  Stealing &stealing;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_SCHEDULERLEVELS_H
