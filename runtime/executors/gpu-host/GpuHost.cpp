// See GpuHost.h.
#include "executors/gpu-host/GpuHost.h"

namespace cilk2gpu::device {

static void dispatch(void *lanes, const rt::TaskInfo &task, bool restarts, abi::Wave *wave) {
  static_cast<HostLanes *>(lanes)->run(task.kernels[wave->kernel].lane, wave, restarts);
}

GpuHost::GpuHost(uint32_t wave, uint64_t seed, uint64_t stackBytes)
    : lanes(wave, seed, stackBytes), own{&lanes, dispatch, nullptr, nullptr, nullptr, nullptr, nullptr, true} {}

} // namespace cilk2gpu::device
