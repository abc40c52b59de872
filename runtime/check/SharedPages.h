// Memory that a process shares with the children that it forks. It never comes from malloc, because the children's
// heaps must not depend on what the parent has done in the meantime.
#ifndef CILK2GPU_RUNTIME_CHECK_SHAREDPAGES_H
#define CILK2GPU_RUNTIME_CHECK_SHAREDPAGES_H

#include "process/Message.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

namespace cilk2gpu::rt {

/// Returns zeroed memory, never null.
inline void *sharedPages(uint64_t bytes) {
  void *memory =
      mmap(nullptr, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fatal("CILK2GPU_CHECK needs %llu bytes of memory that several processes share: %s; unset it, or free memory",
          static_cast<unsigned long long>(bytes), strerror(errno));
  return memory;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CHECK_SHAREDPAGES_H
