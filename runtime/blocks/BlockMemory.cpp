// See BlockMemory.h.
#include "blocks/BlockMemory.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

BlockMemory::BlockMemory() : environment(hostEnvironment()) {}

BlockMemory::~BlockMemory() {
  while (arrays.next != &arrays)
    release(arrays.next + 1);
}

void *BlockMemory::allocate(uint64_t bytes, const char *what) {
  uint64_t all = bytes + sizeof(Header);
  void *memory = all > bytes ? environment.allocate(environment.context, all, alignof(Header)) : nullptr;
  if (!memory)
    fatal("out of memory: %llu bytes for %s of a launch of blocks could not be allocated; launch fewer blocks at a "
          "time",
          static_cast<unsigned long long>(bytes), what);
  Lock lock(mutex);
  auto *header = static_cast<Header *>(memory);
  *header = {.next = arrays.next, .previous = &arrays, .bytes = all};
  arrays.next->previous = header;
  arrays.next = header;
  used += bytes;
  most = used > most ? used : most;
  return header + 1;
}

void BlockMemory::release(const void *array) {
  if (!array)
    return;
  auto *header = static_cast<Header *>(const_cast<void *>(array)) - 1;
  uint64_t all = header->bytes;
  {
    Lock lock(mutex);
    header->next->previous = header->previous;
    header->previous->next = header->next;
    used -= all - sizeof(Header);
  }
  environment.release(environment.context, header, all, alignof(Header));
}

} // namespace cilk2gpu::rt
