// Finds post-sync elements that may go on: those whose dependencies are drained (TaskInfo::awaited).
//
// The policy decides when a scheduler asks. Most policies ask when all deeper levels are empty, so that every dependency
// is drained. A policy that follows the graph's edges (Policy::followsEdges) also asks before the scheduler goes deeper.
//
// Thread-safety: the owning scheduler's thread. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_READINESS_H
#define CILK2GPU_RUNTIME_CORE_READINESS_H

#include "core/Stealing.h"

namespace cilk2gpu::rt {

class Readiness {
public:
  Readiness(SchedulerState &shared, const Stealing &stealing) : shared(shared), stealing(stealing) {}

  /// Called when nothing deeper than level `index` is left: all its post-sync elements are ready. Returns false if
  /// there are none.
  bool makeAllReady(uint64_t index) {
    bool any = false;
    for (TaskLevel *state = shared.tasksAt(index); state; state = state->next)
      for (uint32_t k = 1; state->active && k < state->task->numKernels; ++k) {
        FrameChannel &post = state->active->post(k);
        post.ready = post.channel.size();
        any |= post.ready != 0;
      }
    return any;
  }

  /// Before the scheduler goes deeper, finds the deepest level with post-sync elements whose dependencies are drained
  /// although other work is left deeper. Makes them ready and that level the current one. Looks at kEdgeLevels levels,
  /// so that the search does not grow with the depth of a recursion.
  bool riseToReady();

private:
  bool makeReady(uint64_t index);
  bool blocksSpawns(uint64_t index) const;
  bool isDrainedBelow(uint64_t index, const Closure &awaited) const;

  SchedulerState &shared;
  const Stealing &stealing;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_READINESS_H
