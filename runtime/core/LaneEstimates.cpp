// See LaneEstimates.h.
#include "core/LaneEstimates.h"

#include "core/SchedulerState.h"

namespace cilk2gpu::rt {

using namespace tunables;

/// Returns sixteenths of the tasks of one kind that a lane of a level spawns on average.
static uint64_t spawnsOf(const TaskLevel &state, const TaskLevel &target) {
  uint64_t started = state.active->started, spawned = target.active->taken + target.pre.size();
  return started ? 16 * spawned / started : 16 * kUsualSpawns;
}

/// Finds the deeper level of whose tasks a lane spawns most, null if it spawns none, and sixteenths of their number.
/// Returns false if tasks that lanes have spawned still wait.
static bool findMostSpawned(const TaskLevel &state, const TaskLevel *&found, uint64_t &spawns) {
  found = nullptr;
  spawns = 0;
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const TaskLevel &target = SchedulerState::taskLevelOf(*state.active->spawns[t]);
    if (target.pre.size())
      return false;
    uint64_t own = target.active ? spawnsOf(state, target) : 0;
    if (own > spawns) {
      spawns = own;
      found = &target;
    }
  }
  return true;
}

uint64_t estimatedLane(const TaskLevel &state, bool isShared) {
  const Elision *own = state.active->band->elision;
  if (isShared || !state.active->started)
    return own ? own->graph : 0;
  uint64_t sum = 0, lanes = 16; // sixteenths of lanes for each lane of the first level
  uint32_t levels = 0;
  for (const TaskLevel *level = &state; level; ++levels) {
    const Elision *elision = level->active->band->elision;
    if (elision && elision->graph)
      return sum + elision->graph * lanes / 16;
    sum += level->active->laneTime * lanes;
    uint64_t spawns;
    if (levels == kMostEstimated || lanes > kMostEstimatedLanes || !findMostSpawned(*level, level, spawns))
      return 0;
    lanes = lanes * spawns / 16;
  }
  return sum;
}

bool isAboveElisions(const TaskLevel &state, uint64_t &each) {
  each = 16 * uint64_t(state.active->laneTime);
  for (uint32_t t = 0; t < state.task->numTargets; ++t) {
    const TaskLevel &target = SchedulerState::taskLevelOf(*state.active->spawns[t]);
    const Elision *elision = target.active ? target.active->band->elision : nullptr;
    if (!elision || !elision->chosen)
      return false;
    each += spawnsOf(state, target) * elision->elided / 16;
  }
  return state.task->numTargets != 0;
}

} // namespace cilk2gpu::rt
