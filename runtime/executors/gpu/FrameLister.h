// Lists the frames of new memory with a kernel, so that the host neither writes to the device's memory nor copies long
// lists there.
//
// Errors end the process with one line.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_FRAMELISTER_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_FRAMELISTER_H

#include "core/FrameShape.h"
#include "executors/gpu/ImageSet.h"

namespace cilk2gpu::device {

class FrameLister {
public:
  FrameLister(const Driver &driver, const DeviceFacts &device, ImageSet &images)
      : driver(driver), device(device), images(images) {}

  /// Sets all entries of a list, and waits. Returns false, and does nothing, if the frames are few, or if no image has
  /// the kernel.
  bool list(const rt::FrameList &frames);

private:
  Status launch(const rt::FrameList &frames);

  const Driver &driver;
  const DeviceFacts &device;
  ImageSet &images;
  bool hasSearched = false; ///< for the kernel
  void *kernel = nullptr, *parameter = nullptr;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_FRAMELISTER_H
