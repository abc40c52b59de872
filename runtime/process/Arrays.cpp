// Aligns large arrays that a program takes from malloc to a cache line. It does so only where malloc and free are the C
// library's own. An allocator of the program's, or of a tool's, may not know blocks from another entry.
#include "cilk2gpu/abi/Records.h"
#include "core/Tunables.h"

#include <stdint.h>
#include <stdlib.h>

using namespace cilk2gpu::rt;

// The names that glibc's allocator has beside the ones that can be replaced.
extern "C" void *__libc_malloc(size_t) __attribute__((weak));
extern "C" void __libc_free(void *) __attribute__((weak));

static bool isOwnAllocator() {
  // Read through volatile: a compiler may think that different names are different functions.
  void *(*volatile allocate)(size_t) = malloc, *(*volatile plain)(size_t) = __libc_malloc;
  void (*volatile release)(void *) = free, (*volatile plainRelease)(void *) = __libc_free;
  return allocate == plain && release == plainRelease;
}

// Asks malloc first, because a block that was aligned once and freed fits exactly. glibc's aligned allocation (2.36)
// looks for a larger block, misses that one and takes new memory. A block that is not aligned is freed at once. If it
// was a mapping of its own, glibc keeps blocks of that size in the heap from then on, as after every freed mapping.
extern "C" void *__cilk2gpu_malloc(size_t bytes) {
  void *block = malloc(bytes);
  if (bytes < tunables::kAlignedArray || !block || !isOwnAllocator() ||
      reinterpret_cast<uintptr_t>(block) % tunables::kCacheLine == 0)
    return block;
  free(block);
  // Refused: malloc says so, too, in its own way.
  return posix_memalign(&block, tunables::kCacheLine, bytes) == 0 ? block : malloc(bytes);
}
