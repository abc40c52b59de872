// The aggregator: the work of the GPU's control processor, one action at a time. It tries actions in this order:
//
//   1. enter a wavefront that yielded in the table of blocked wavefronts;
//   2. free elements that are done;
//   3. dispatch or restart a wavefront;
//   4. move on to another level.
//
//   aggregator.start();
//   while (aggregator.aggregate() || ...)     // false: it waits until a wavefront does something
//   aggregator.retire(wavefront);             // for each wavefront that is over
//
// Thread-safety: one host thread. Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELAGGREGATOR_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELAGGREGATOR_H

#include "executors/model/ModelDispatch.h"
#include "executors/model/ModelReclaim.h"

namespace cilk2gpu::rt {

class ModelAggregator {
public:
  ModelAggregator(ModelState &shared, ChildCounts &nodes, WavefrontBody &body)
      : shared(shared), reclaim(shared), moves(shared), launches(shared, body), blocked(shared, moves, launches),
        dispatch(shared, nodes, moves, launches, blocked) {}
  ModelAggregator(const ModelAggregator &) = delete;

  /// A run starts.
  void start();
  /// Does one action. Returns false if there is nothing to do.
  bool aggregate();
  /// A wavefront is over: its level may go on.
  void retire(Wavefront &wavefront);

  /// Bytes of the largest Wavefront::block.
  uint64_t largestBlock() const { return launches.largestBlock(); }

private:
  ModelState &shared;
  ModelReclaim reclaim;
  LevelMoves moves;
  WavefrontLaunch launches;
  BlockedWavefronts blocked;
  ModelDispatch dispatch;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELAGGREGATOR_H
