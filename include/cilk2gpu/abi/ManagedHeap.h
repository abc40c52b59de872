// The interface of the run-time library to the allocation functions of programs that are linked with -foffload-managed
// (runtime/managed).
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_ABI_MANAGEDHEAP_H
#define CILK2GPU_ABI_MANAGEDHEAP_H

#include <stdint.h>

extern "C" {

/// Returns `bytes` bytes of managed memory, aligned to a page; null: the caller takes ordinary memory. `caller` is the
/// place in the code that asked for the memory.
void *__cilk2gpu_managed_allocate(uint64_t bytes, const void *caller);

/// Returns memory for a lane, of any size, while a kernel runs. `align` is at most a page; else, and if there is no
/// memory, returns null. If `caller` is in the C library or in a driver, sets `isOrdinary` to 1 and returns null. Such
/// memory is their own, like the buffer of stdout, and may be used when the device is gone.
void *__cilk2gpu_managed_allocate_for_lane(uint64_t bytes, uint64_t align, const void *caller, int *isOrdinary);

/// Returns the size of a block that one of these functions has returned; 0: the memory is ordinary.
uint64_t __cilk2gpu_managed_size(const void *block);

/// Takes back a block that one of these functions has returned.
void __cilk2gpu_managed_release(void *block);

/// Has the calling thread allocate all memory for a lane (1), or as usual again (0). This function is in
/// runtime/managed, so only programs with -foffload-managed have it.
void __cilk2gpu_managed_for_lane(int begins) __attribute__((weak));
}

#endif // CILK2GPU_ABI_MANAGEDHEAP_H
