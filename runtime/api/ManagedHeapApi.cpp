// The functions that runtime/managed calls. The first large block opens the GPU, which otherwise the first task opens.
#include "api/Host.h"
#include "executors/gpu/DeviceChoice.h"
#include "executors/gpu/Gpu.h"
#include "executors/gpu/MemoryMap.h"
#include "executors/gpu/ProgramMemory.h"
#include "process/Settings.h"

#pragma GCC visibility push(default)
#include "cilk2gpu/abi/ManagedHeap.h"
#pragma GCC visibility pop

#include <dlfcn.h>
#include <string.h>

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

/// Returns whether a place is in a library of a driver, whose memory the device must not move.
static bool isInDriver(const void *place) {
  Dl_info found;
  return dladdr(place, &found) && found.dli_fname && device::isOfDriver(found.dli_fname, strlen(found.dli_fname));
}

/// Returns the GPU if it cannot reach ordinary memory, and lets the host use managed memory while kernels run.
static device::Gpu *gpuThatNeedsManagedMemory() {
  if (!mayUseGpu(settings()))
    return nullptr;
  device::Gpu *gpu = startedGpu();
  return gpu && !gpu->facts().pageable && gpu->facts().concurrent ? gpu : nullptr;
}

extern "C" void *__cilk2gpu_managed_allocate(uint64_t bytes, const void *caller) {
  if (isInRuntime() || isInDriver(caller))
    return nullptr;
  device::Gpu *gpu = gpuThatNeedsManagedMemory();
  return gpu ? device::programMemory().allocate(gpu->api(), bytes) : nullptr;
}

/// Returns whether a place is in the C library.
static bool isInLibc(const void *place) {
  Dl_info found, libc;
  return dladdr(place, &found) && dladdr(reinterpret_cast<const void *>(&strdup), &libc) &&
         found.dli_fbase == libc.dli_fbase;
}

extern "C" void *__cilk2gpu_managed_allocate_for_lane(uint64_t bytes, uint64_t align, const void *caller,
                                                      int *isOrdinary) {
  *isOrdinary = isInLibc(caller) || isInDriver(caller);
  return *isOrdinary ? nullptr : device::programMemory().allocateSmall(startedGpu()->api(), bytes, align);
}

extern "C" uint64_t __cilk2gpu_managed_size(const void *block) { return device::programMemory().sizeOf(block); }

extern "C" void __cilk2gpu_managed_release(void *block) { device::programMemory().release(block); }
