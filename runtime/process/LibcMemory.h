// For libraries that replace the allocation functions of the shared C library: glibc has its functions under a second
// name.
#ifndef CILK2GPU_RUNTIME_PROCESS_LIBCMEMORY_H
#define CILK2GPU_RUNTIME_PROCESS_LIBCMEMORY_H

#include <stddef.h>

extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void *__libc_valloc(size_t bytes);
void *__libc_pvalloc(size_t bytes);
void __libc_free(void *block);
}

#endif // CILK2GPU_RUNTIME_PROCESS_LIBCMEMORY_H
