// The host's side of the kernel that runs lanes of hand-written graphs on a GPU (cilk2gpu/abi/GraphLanes.h): its
// launch, and the mailboxes of its lanes. A launch lasts for a run of a graph.
//
//   kernel.start();
//   uint32_t lane = kernel.take();
//   kernel.assign(lane, work);
//   while (!kernel.hasAsked(lane))
//     kernel.attend();
//   ... kernel.request(lane) says what it asks; kernel.answer(lane, result) ...
//   kernel.give(lane); // it has asked for the next element
//   kernel.finish();
//
// Errors end the process with one line.
//
// Thread-safety: one thread at a time.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_GRAPHLAUNCH_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_GRAPHLAUNCH_H

#include "executors/gpu/Gpu.h"

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/GraphLanes.h"
#pragma GCC visibility pop

namespace cilk2gpu::device {

class GraphLaunch {
public:
  /// `gpu` was opened. Ends the process if its image has no such kernel.
  explicit GraphLaunch(Gpu &gpu);
  GraphLaunch(const GraphLaunch &) = delete;

  Gpu &device() const { return gpu; }

  // Around a run of a graph.
  /// Launches the kernel, and waits until its lanes have come.
  void start();
  /// Tells lanes to end, and waits for them. Every lane has asked for the next element, or will.
  void finish();

  /// Serves what kernels ask of the host apart from the graph (cilk2gpu/abi/Requests.h). Returns whether the kernel
  /// still runs. Ends the process if it has failed.
  bool attend();

  /// Returns how many lanes have come.
  uint32_t numCome();
  /// Takes a lane that waits for work. There is one.
  uint32_t take() { return idle[--numIdle]; }
  void give(uint32_t lane) { idle[numIdle++] = lane; }

  void assign(uint32_t lane, const abi::GraphWork &work);
  bool hasAsked(uint32_t lane) const;
  const abi::GraphRequest &request(uint32_t lane) const { return mailboxes[lane].request; }
  void answer(uint32_t lane, void *result);

private:
  void chooseGrid();
  void allocateMailboxes();
  void meetNew();

  Gpu &gpu;
  ImageSet::KernelCode code = {};
  uint32_t blocks = 0;
  uint32_t count = 0; ///< lanes
  abi::GraphLanes *lanes = nullptr;
  abi::GraphLane *mailboxes = nullptr;
  uint32_t *idle = nullptr; ///< lanes that wait for work
  uint32_t numIdle = 0;
  uint32_t come = 0;
  bool *hasCome = nullptr; ///< for each lane
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_GRAPHLAUNCH_H
