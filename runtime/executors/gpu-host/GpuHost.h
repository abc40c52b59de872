// The device of CILK2GPU_DEVICE=gpu-host. A dispatch runs a kernel's form for GPUs on the calling thread: its lanes are
// fibers, and they use the device runtime of a GPU.
//
// Thread-safety: none; the thread that runs the graph.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_GPUHOST_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_GPUHOST_H

#include "core/TaskTable.h"
#include "executors/gpu-host/HostLanes.h"

namespace cilk2gpu::device {

class GpuHost {
public:
  GpuHost(uint32_t wave, uint64_t seed, uint64_t stackBytes);
  GpuHost(const GpuHost &) = delete;

  const rt::DeviceHooks *hooks() const { return &own; }

private:
  HostLanes lanes;
  rt::DeviceHooks own;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_GPUHOST_H
