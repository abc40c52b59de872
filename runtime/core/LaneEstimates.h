// Estimates of the time of a pre-sync lane with its descendants, from what was measured at deeper levels.
//
// Thread-safety: the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_LANEESTIMATES_H
#define CILK2GPU_RUNTIME_CORE_LANEESTIMATES_H

#include "core/LevelState.h"

namespace cilk2gpu::rt {

/// Returns the sixteenths of a nanosecond that a lane of a level probably takes in the graph: the times of lanes by
/// themselves, down to a level of which more is known. Returns 0 if nothing is known, or if descendants of lanes that
/// ran still wait. If `isShared`, descendants may run elsewhere, so only a measurement of the level itself counts.
uint64_t estimatedLane(const TaskLevel &state, bool isShared);

/// Returns whether lanes of a level spawn tasks, and all of these run as elisions. If so, sets `each` to the sixteenths
/// of a nanosecond that a lane probably takes.
bool isAboveElisions(const TaskLevel &state, uint64_t &each);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_LANEESTIMATES_H
