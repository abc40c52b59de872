// Memory that only a GPU accesses, and copies to and from it. A copy waits until it is done. Errors end the process
// with one line.
//
//   static DeviceMemory memory;
//   char *start = memory.reserve(gpu, bytes, "a graph of thread blocks"); // what was there is lost if it has to grow
//   DeviceMemory::copyIn(gpu, start, data, bytes);
//
// Thread-safety: one thread at a time.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICEMEMORY_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICEMEMORY_H

#include "executors/gpu/CheckedCall.h"
#include "executors/gpu/Gpu.h"

namespace cilk2gpu::device {

class DeviceMemory {
public:
  char *reserve(Gpu &gpu, uint64_t bytes, const char *purpose) {
    if (bytes <= size)
      return start;
    check(gpu, gpu.api().makeCurrent(), "using the device", "");
    if (start)
      check(gpu, gpu.api().release(start), "freeing memory", "");
    void *memory = nullptr;
    check(gpu, gpu.api().allocateDevice(bytes, memory), "allocating memory for", purpose);
    start = static_cast<char *>(memory);
    size = bytes;
    return start;
  }
  static void copyIn(Gpu &gpu, void *to, const void *from, uint64_t bytes) {
    check(gpu, gpu.api().makeCurrent(), "using the device", "");
    check(gpu, gpu.api().copyToDevice(to, from, bytes), "copying to the device", "");
  }
  static void copyOut(Gpu &gpu, void *to, const void *from, uint64_t bytes) {
    check(gpu, gpu.api().makeCurrent(), "using the device", "");
    check(gpu, gpu.api().copyFromDevice(to, from, bytes), "copying from the device", "");
  }

private:
  static void check(Gpu &gpu, Status status, const char *doing, const char *subject) {
    device::check(gpu.api(), gpu.facts(), status, doing, subject);
  }

  char *start = nullptr;
  uint64_t size = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_DEVICEMEMORY_H
