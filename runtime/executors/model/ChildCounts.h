// Dependency-counted readiness: which post-sync elements go on, by the number of children that are not complete. A
// WaveNode (ModelLevels.h) says who waits for whom.
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
  /// Takes over the lanes that a wavefront left at a sync, to go on in `kernel`.
  void addPosts(Wavefront &wavefront, const abi::Cursor &synced, uint32_t kernel);
  /// The node's wavefront neither runs nor is blocked any more.
  void end(WaveNode *node);

private:
  void lookAt(WaveNode *node);
  void settle();
  /// `node` is over and has no children left.
  void settle(WaveNode *node);
  void makePostReady(LevelTask &task, uint32_t kernel, void *frame, WaveNode *tag);

  ModelState &shared;
  WaveNode *unsettled = nullptr; ///< nodes to look at
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_CHILDCOUNTS_H
