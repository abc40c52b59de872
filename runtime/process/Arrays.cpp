// Where the arrays that a program takes from malloc start. Only what the C library's own malloc and free would handle:
// an allocator that a program brings with it, or that a tool puts in its place, may know nothing of other entries.
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

// Asks malloc first: a block that was placed before and has come back is just right, while glibc's aligned allocation
// (2.36) looks for as much more as the alignment can cost, and so goes past it to new memory. A block that is not
// placed goes back at once. Where it was a mapping of its own, glibc takes that as it takes any that comes back: it
// stops mapping blocks of such sizes, and keeps as much for the next ones instead of returning it.
extern "C" void *__cilk2gpu_malloc(size_t bytes) {
  void *block = malloc(bytes);
  if (bytes < tunables::kAlignedArray || !block || !isOwnAllocator() ||
      reinterpret_cast<uintptr_t>(block) % tunables::kCacheLine == 0)
    return block;
  free(block);
  // Refused: malloc says so, too, in its own way.
  return posix_memalign(&block, tunables::kCacheLine, bytes) == 0 ? block : malloc(bytes);
}
