// Wavefronts of a persistent kernel on a GPU. For AMD and NVIDIA only.
#include "device/PersistentWavefront.h"
#include "device/LaneRun.h"

namespace cilk2gpu::device {

void runShare(const Message &message, uint32_t worker) {
  uint64_t first = message.first(worker), end = first + message.count(worker);
  for (uint64_t lane = first + __gpu_lane_id(); lane < end; lane += __gpu_num_lanes())
    runLane(message.wave, message.body, message.restarts, lane);
}

void endWavefront() {
#ifdef __AMDGCN__
  __builtin_amdgcn_endpgm();
#else
  __nvvm_exit();
#endif
}

} // namespace cilk2gpu::device

/// The body of an image's persistent kernel.
extern "C" void __cilk2gpu_device_persist(cilk2gpu::device::PersistentRecord *record) {
  cilk2gpu::device::runWavefront(*record);
}
