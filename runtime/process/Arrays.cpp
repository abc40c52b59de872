// Aligns large arrays that a program allocates with malloc to a cache line. It does so only if malloc and free are the
// C library's own, because another allocator may not know blocks that glibc's aligned allocation returns.
#include "cilk2gpu/abi/Records.h"
#include "core/Tunables.h"

#include <stdint.h>
#include <stdlib.h>

using namespace cilk2gpu::rt;

// Further names of glibc's allocator functions. A program cannot replace these.
extern "C" void *__libc_malloc(size_t) __attribute__((weak));
extern "C" void __libc_free(void *) __attribute__((weak));

static bool isOwnAllocator() {
  // Read through volatile, because a compiler may assume that functions with different names are different.
  void *(*volatile allocate)(size_t) = malloc, *(*volatile plain)(size_t) = __libc_malloc;
  void (*volatile release)(void *) = free, (*volatile plainRelease)(void *) = __libc_free;
  return allocate == plain && release == plainRelease;
}

// Calls malloc first, because it finds an aligned block of the same size that was freed. glibc's aligned allocation
// (2.36) looks for a larger block, misses the freed block and takes new memory. If the block from malloc is not
// aligned, it is freed at once. If that block was a mapping of its own, glibc keeps blocks of this size in the heap
// from then on, as after every freed mapping.
extern "C" void *__cilk2gpu_malloc(size_t bytes) {
  void *block = malloc(bytes);
  if (bytes < tunables::kAlignedArray || !block || !isOwnAllocator() ||
      reinterpret_cast<uintptr_t>(block) % tunables::kCacheLine == 0)
    return block;
  free(block);
  // If there is no memory, malloc reports the failure.
  return posix_memalign(&block, tunables::kCacheLine, bytes) == 0 ? block : malloc(bytes);
}
