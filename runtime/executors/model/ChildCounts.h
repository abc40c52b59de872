// Decides which post-sync elements are ready, by counting children that are not complete. A WaveNode (ModelLevels.h)
// says which wavefronts wait for which.
//
//   wavefront.node = nodes.create(wavefront);   // at its start
//   nodes.addPosts(wavefront, synced, kernel);  // for the lanes that it left at a sync
//   nodes.end(wavefront.node);                  // unless lanes yielded
//
// Thread-safety: one host thread. Freestanding: also compiled for a control processor (firmware/Firmware.cpp).
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_CHILDCOUNTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_CHILDCOUNTS_H

#include "executors/model/ModelState.h"

namespace cilk2gpu::rt {

class ChildCounts {
public:
  explicit ChildCounts(ModelState &shared) : shared(shared) {}
  ChildCounts(const ChildCounts &) = delete;

  /// Makes the node of a wavefront whose elements are loaded.
  WaveNode *create(Wavefront &wavefront);
  /// Adds the lanes of a wavefront that wait at a sync and will go on in `kernel`.
  void addPosts(Wavefront &wavefront, const abi::Cursor &synced, uint32_t kernel);
  /// Called when the node's wavefront neither runs nor is blocked any more.
  void end(WaveNode *node);

private:
  void lookAt(WaveNode *node);
  void settle();
  /// Called when `node` has ended and has no children left.
  void settle(WaveNode *node);
  void makePostReady(LevelTask &task, uint32_t kernel, void *frame, WaveNode *tag);

  ModelState &shared;
  WaveNode *unsettled = nullptr; ///< nodes to examine
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_CHILDCOUNTS_H
