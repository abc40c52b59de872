// The device of CILK2GPU_DEVICE=gpu-host. A dispatch runs the GPU form of a kernel on the calling thread. The lanes are
// fibers, and use the device runtime of GPUs.
//
// Thread-safety: none; only the thread that runs the graph uses it.
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
