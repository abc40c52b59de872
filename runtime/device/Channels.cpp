// The lanes' operations on channels and frames: see cilk2gpu/abi/Device.h. One source for AMD, NVIDIA and the host.
#include "device/ChannelEnds.h"

using namespace cilk2gpu;
using namespace cilk2gpu::device;

using Ends = ChannelEnds<Machine>;

uint64_t __cilk2gpu_device_talloc(abi::Wave *wave, uint32_t target) {
  return Ends::talloc(toGlobal(toGlobal(toGlobal(wave)->spawns)[target]));
}

void *__cilk2gpu_device_frame(abi::Wave *wave) { return Ends::frame(toGlobal(toGlobal(wave)->frames)); }

void __cilk2gpu_device_tfree(abi::Wave *wave, void *frame) { Ends::tfree(toGlobal(toGlobal(wave)->frames), frame); }

void __cilk2gpu_device_publish(abi::Wave *wave, uint32_t kernel, void *frame) {
  Ends::publish(toGlobal(toGlobal(toGlobal(wave)->syncs)[kernel]), frame);
}

void __cilk2gpu_device_yield(abi::Wave *wave, void *frame, uint32_t site) {
  Ends::yield(toGlobal(toGlobal(wave)->restarts), frame, site);
}

#ifndef CILK2GPU_ON_GPU
// In images, the compiler replaces calls of this function.
void *__cilk2gpu_device_global(void *pointer) { return pointer; }
#endif
