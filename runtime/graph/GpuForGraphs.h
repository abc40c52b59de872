// The GPU that runs the process's hand-written graphs: its kernel, and memory that host and device use at the same
// time.
//
// Where the device reaches pageable memory, elements are in ordinary memory. Elsewhere they are in managed memory. No
// memory can be allocated while the kernel runs, because a driver may wait for the kernel. So a reserve is there before
// a run begins.
//
// Thread-safety: a single host thread.
#ifndef CILK2GPU_RUNTIME_GRAPH_GPUFORGRAPHS_H
#define CILK2GPU_RUNTIME_GRAPH_GPUFORGRAPHS_H

#include "core/PageRuns.h"
#include "executors/gpu/GraphLaunch.h"

namespace cilk2gpu::rt {

class GpuForGraphs {
public:
  /// `most`: bytes of managed memory that graphs may have; 0: no limit.
  GpuForGraphs(device::Gpu &gpu, uint64_t most) : kernel(gpu), most(most) {}
  GpuForGraphs(const GpuForGraphs &) = delete;

  /// Returns the environment of a graph. It is `host`, with memory that the device reaches.
  Environment environment(const Environment &host);
  /// Tells of a channel, for which the reserve has room from the next run on.
  void expect(uint64_t elements, uint64_t bytes);

  // Around a run of a graph.
  void begin();
  void end();

  device::GraphLaunch kernel;

private:
  void *allocate(uint64_t bytes, uint64_t align);
  bool grow(uint64_t bytes);

  PageRuns pages;
  const uint64_t most;
  uint64_t total = 0;    ///< managed memory
  uint64_t unused = 0;   ///< managed memory that graphs do not have
  uint64_t expected = 0; ///< bytes of channels
  bool isRunning = false;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_GRAPH_GPUFORGRAPHS_H
