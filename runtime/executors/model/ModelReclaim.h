// Frees done elements, one channel at a time, so that producers find room.
//
//   reclaim.queue(task);    // a channel that may hold done elements
//   reclaim.one();          // an action of the aggregator
//
// Thread-safety: one host thread. Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELRECLAIM_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELRECLAIM_H

#include "executors/model/ModelState.h"

namespace cilk2gpu::rt {

class ModelReclaim {
public:
  explicit ModelReclaim(ModelState &shared) : shared(shared) {}
  ModelReclaim(const ModelReclaim &) = delete;

  /// Enters a task's channel in the list of channels to examine, and wakes the aggregator.
  void queue(LevelTask &task);
  /// Frees the elements of the channel that was entered last. Returns false if the list is empty.
  bool one();
  /// Called when no wavefront runs at level `index`: gives back the spares one level deeper, which no wavefront needs.
  void dropSpares(uint64_t index);

private:
  void wakeProducers(const LevelTask &task);

  ModelState &shared;
  LevelTask *first = nullptr; ///< the list of channels to examine
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELRECLAIM_H
