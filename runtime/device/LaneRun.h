// Runs a lane of a dispatch. For AMD and NVIDIA only.
#ifndef CILK2GPU_RUNTIME_DEVICE_LANERUN_H
#define CILK2GPU_RUNTIME_DEVICE_LANERUN_H

#include "cilk2gpu/abi/Records.h"
#include "device/Lanes.h"

namespace cilk2gpu::device {

/// Runs one lane. A restarted lane finds its site in the second column of its element.
[[gnu::always_inline]] inline void runLane(abi::Wave *wave, abi::LaneFn body, bool restarts, uint64_t lane) {
  Global<abi::Wave> dispatched = toGlobal(wave);
  uint32_t site = 0;
  if (restarts)
    site = toGlobal(static_cast<const uint32_t *>(toGlobal(dispatched->columns)[1]))[dispatched->first + lane];
  body(wave, lane, site);
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_LANERUN_H
