// See FrameLister.h.
#include "executors/gpu/FrameLister.h"
#include "core/Tunables.h"
#include "executors/gpu/CheckedCall.h"

#include <string.h>
#include <utility>

namespace cilk2gpu::device {

Status FrameLister::launch(const rt::FrameList &frames) {
  void *copied = nullptr;
  CILK2GPU_TRY(driver.copyMemory(copied));
  if (!parameter)
    CILK2GPU_TRY(driver.allocateDevice(sizeof frames, parameter));
  memcpy(copied, &frames, sizeof frames);
  CILK2GPU_TRY(driver.copyToDeviceLater(parameter, copied, sizeof frames));
  uint32_t threads = rt::tunables::kDeviceThreads;
  uint64_t groups = (frames.count + threads - 1) / threads, most = uint64_t(1) << 16;
  CILK2GPU_TRY(driver.launch(kernel, uint32_t(groups < most ? groups : most), threads, parameter));
  return driver.synchronise();
}

bool FrameLister::list(const rt::FrameList &frames) {
  if (frames.count < rt::tunables::kFramesForKernel)
    return false;
  if (!std::exchange(hasSearched, true))
    kernel = images.findKernel(abi::kListKernel);
  if (kernel) {
    check(driver, device, driver.makeCurrent(), "using the device", "");
    check(driver, device, launch(frames), "listing frames", "");
  }
  return kernel;
}

} // namespace cilk2gpu::device
