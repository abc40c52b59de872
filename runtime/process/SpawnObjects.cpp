// Allocates blocks with malloc. A header in front of each block holds its size.
#include "process/SpawnObjects.h"
#include "process/Message.h"

#include <stdlib.h>

namespace cilk2gpu::rt {

static uint64_t headerSpace(uint64_t align, uint64_t header) { return (header + align - 1) & ~(align - 1); }

void *SpawnObjects::allocate(uint64_t bytes, uint64_t align) {
  uint64_t space = headerSpace(align, sizeof(Header)), total = bytes + space;
  void *block = nullptr;
  if (posix_memalign(&block, align, total) != 0)
    fatal("out of memory: %llu bytes for the arguments of a spawn could not be allocated",
          static_cast<unsigned long long>(bytes));
  if (budget && __atomic_add_fetch(&budget->used, total, __ATOMIC_RELAXED) > budget->cap)
    fatal("CILK2GPU_MEM_CAP=%llu is too small: %llu bytes for the arguments of a spawn are not left; raise it, or make "
          "channels narrower with CILK2GPU_WIDTH",
          static_cast<unsigned long long>(budget->cap), static_cast<unsigned long long>(total));
  uint64_t now = __atomic_add_fetch(&used, total, __ATOMIC_RELAXED), before = highWater();
  while (now > before && !__atomic_compare_exchange_n(&most, &before, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  char *objects = static_cast<char *>(block) + space;
  reinterpret_cast<Header *>(objects)[-1] = {total, align};
  return objects;
}

void SpawnObjects::release(void *objects) {
  Header header = static_cast<Header *>(objects)[-1];
  __atomic_fetch_sub(&used, header.bytes, __ATOMIC_RELAXED);
  if (budget)
    __atomic_fetch_sub(&budget->used, header.bytes, __ATOMIC_RELAXED);
  free(static_cast<char *>(objects) - headerSpace(header.align, sizeof(Header)));
}

} // namespace cilk2gpu::rt
