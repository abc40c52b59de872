// Dispatches wavefronts, one for each action of the aggregator: of the current level, or of any level, as the policy
// says. Of a level, restarts come first, then pre-sync elements, then post-sync elements; some policies put post-sync
// elements first.
//
//   dispatch.one();
//
// Thread-safety: one host thread. Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELDISPATCH_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELDISPATCH_H

#include "executors/model/BlockedWavefronts.h"
#include "executors/model/ChildCounts.h"

namespace cilk2gpu::rt {

class ModelDispatch {
public:
  ModelDispatch(ModelState &shared, ChildCounts &nodes, LevelMoves &moves, WavefrontLaunch &launches,
                BlockedWavefronts &blocked)
      : shared(shared), nodes(nodes), moves(moves), launches(launches), blocked(blocked) {}
  ModelDispatch(const ModelDispatch &) = delete;

  /// Dispatches or restarts one wavefront. Returns false if there is none, or no free context.
  bool one();

private:
  using Outcome = DispatchOutcome;

  // `force`: wavefronts that are not full go, too.
  bool dispatchFreely();
  bool dispatchDeepest(bool force);
  bool dispatchAt(uint64_t index, bool force);
  bool dispatchQueue(LevelTask &queue, bool force);
  Outcome dispatchTasks(LevelTask *tasks, bool force);
  Outcome dispatchFresh(LevelTask &task, bool force);
  void launchFresh(LevelTask &task, uint64_t lanes, Context &context);
  Outcome dispatchPosts(LevelTask &task, bool force);
  void launchPosts(LevelTask &task, uint32_t kernel, uint64_t lanes, Context &context);
  bool isEnough(const LevelTask &task, uint64_t available);
  bool framesMissing(LevelTask &task, uint64_t &lanes);

  ModelState &shared;
  ChildCounts &nodes;
  LevelMoves &moves;
  WavefrontLaunch &launches;
  BlockedWavefronts &blocked;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELDISPATCH_H
