// Where the arrays that a program takes from malloc start. Only what the C library's own malloc and free would handle:
// an allocator that a program brings with it, or that a tool puts in its place, may know nothing of other entries.
#include "Tunables.h"
#include "abi/Records.h"

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

extern "C" void *__cilk2gpu_malloc(size_t bytes) {
  void *block = nullptr;
  // Refused: malloc says so, too, in its own way.
  if (bytes < tunables::kAlignedArray || !isOwnAllocator() || posix_memalign(&block, tunables::kCacheLine, bytes) != 0)
    return malloc(bytes);
  return block;
}
