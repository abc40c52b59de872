// See Readiness.h.
#include "core/Readiness.h"

namespace cilk2gpu::rt {

bool Readiness::riseToReady() {
  for (uint64_t index = shared.current, looks = 0; looks < tunables::kEdgeLevels; ++looks, --index) {
    if (!blocksSpawns(index) && makeReady(index)) {
      shared.enter(index);
      return true;
    }
    if (index == shared.lowest)
      break;
  }
  return false;
}

/// Makes the post-sync elements of a level ready whose dependencies are drained.
bool Readiness::makeReady(uint64_t index) {
  bool any = false;
  for (TaskLevel *state = shared.tasksAt(index); state; state = state->next)
    for (uint32_t k = 1; state->active && k < state->task->numKernels; ++k) {
      FrameChannel &post = state->active->post(k);
      if (!post.channel.size() || !isDrainedBelow(index, state->task->awaited[k]))
        continue;
      post.ready = post.channel.size();
      any = true;
    }
  return any;
}

/// Returns whether elements stand in the way of elements that level `index` spawns. These are fresh elements one level
/// deeper, or elements of a queue at any deeper level.
bool Readiness::blocksSpawns(uint64_t index) const {
  for (uint64_t at = index + 1; at <= shared.bottom; ++at) {
    for (const TaskLevel *state = shared.tasksAt(at); state; state = state->next)
      if (state->pre.size() && (state->task->isQueue() || at == index + 1))
        return true;
    if (!shared.hasQueues)
      break;
  }
  return false;
}

/// Returns whether levels deeper than `index` hold nothing of the tasks that are awaited. A block that another
/// scheduler runs may hold elements of any task.
bool Readiness::isDrainedBelow(uint64_t index, const Closure &awaited) const {
  for (uint64_t at = index + 1; at <= shared.bottom; ++at) {
    if (stealing.stolen(at))
      return false;
    for (const TaskLevel *state = shared.tasksAt(at); state; state = state->next) {
      bool holds = state->pre.size() || (state->active && state->active->yielded);
      for (uint32_t k = 1; state->active && k < state->task->numKernels; ++k)
        holds |= state->active->post(k).channel.size() != 0;
      if (holds && awaited.contains(*state->task))
        return false;
    }
  }
  return true;
}

} // namespace cilk2gpu::rt
