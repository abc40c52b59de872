// The program's allocation functions, also for its libraries. glibc has the functions under a second name. A new block
// has had no access, though its memory had other uses.
#include "Detector.h"
#include "process/LibcMemory.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cilk2gpu::races;

static void *fresh(void *block) {
  if (block && isChecked) {
    detector.begin(block, malloc_usable_size(block));
    detector.blocks.set(uintptr_t(block));
  }
  return block;
}

CILK2GPU_REPLACES void *malloc(size_t size) { return fresh(__libc_malloc(size)); }
CILK2GPU_REPLACES void *calloc(size_t count, size_t size) { return fresh(__libc_calloc(count, size)); }
CILK2GPU_REPLACES void *memalign(size_t alignment, size_t size) { return fresh(__libc_memalign(alignment, size)); }
CILK2GPU_REPLACES void *aligned_alloc(size_t alignment, size_t size) { return fresh(__libc_memalign(alignment, size)); }
CILK2GPU_REPLACES void *valloc(size_t size) { return fresh(__libc_valloc(size)); }
CILK2GPU_REPLACES void *pvalloc(size_t size) { return fresh(__libc_pvalloc(size)); }

CILK2GPU_REPLACES void free(void *block) {
  detector.blocks.clear(uintptr_t(block), 1);
  __libc_free(block);
}

CILK2GPU_REPLACES void *realloc(void *old, size_t size) {
  size_t oldSize = old ? malloc_usable_size(old) : 0;
  detector.blocks.clear(uintptr_t(old), 1);
  void *block = __libc_realloc(old, size);
  if (block != old)
    return fresh(block);
  if (!block || !isChecked)
    return block;
  size_t newSize = malloc_usable_size(block);
  detector.blocks.set(uintptr_t(block));
  detector.objects.add(uintptr_t(block), newSize);
  if (newSize > oldSize)
    detector.shadow.clear(uintptr_t(block) + oldSize, newSize - oldSize);
  return block;
}

CILK2GPU_REPLACES int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment)
    return EINVAL;
  void *block = fresh(__libc_memalign(alignment, size));
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

static void *freshPages(long pages, size_t size) {
  auto *memory = reinterpret_cast<void *>(pages); // -1: an error, as callers expect it
  if (pages != -1 && isChecked)
    detector.begin(memory, size);
  return memory;
}

CILK2GPU_REPLACES void *mmap(void *at, size_t size, int protection, int flags, int file, long offset) {
  return freshPages(syscall(SYS_mmap, at, size, protection, flags, file, offset), size);
}

CILK2GPU_REPLACES void *mmap64(void *at, size_t size, int protection, int flags, int file, long offset) {
  return mmap(at, size, protection, flags, file, offset);
}

CILK2GPU_REPLACES void *mremap(void *old, size_t oldSize, size_t size, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void *wanted = va_arg(arguments, void *);
  va_end(arguments);
  long pages = syscall(SYS_mremap, old, oldSize, size, flags, wanted);
  if (pages != long(old))
    return freshPages(pages, size);
  if (size > oldSize)
    freshPages(pages + long(oldSize), size - oldSize);
  return old;
}
