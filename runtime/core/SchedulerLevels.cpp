// See SchedulerLevels.h.
#include "core/SchedulerLevels.h"

namespace cilk2gpu::rt {

/// Asks for memory that will be read or written soon; null is none.
static void fetch(const void *memory, uint64_t bytes) {
  for (uint64_t at = 0; memory && at < bytes; at += tunables::kCacheLine)
    __builtin_prefetch(static_cast<const char *>(memory) + at, 1);
}

void SchedulerLevels::fetchAhead(int64_t step) const {
  if (shared.environment.device)
    return;
  uint64_t next = shared.current + uint64_t(tunables::kFetchedAhead * step); // no level if it wraps around
  uint64_t afterNext = next + uint64_t(tunables::kFetchedAhead * step);
  if (afterNext < shared.numLevels)
    fetch(shared.levels[afterNext].tasks, sizeof(TaskLevel));
  if (next < shared.numLevels && shared.levels[next].tasks && shared.levels[next].tasks->active)
    fetch(shared.levels[next].tasks->active, tunables::kLevelBytes);
}

} // namespace cilk2gpu::rt
