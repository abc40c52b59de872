// See BlockMemory.h.
#include "blocks/BlockMemory.h"
#include "core/Tunables.h"
#include "process/HostEnvironment.h"
#include "process/Lock.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

static pthread_mutex_t keptMutex = PTHREAD_MUTEX_INITIALIZER; ///< guards what is kept between launches

struct KeptArrays {
  void *first;
  uint64_t count, bytes;
};
static KeptArrays kept = {};

BlockMemory::BlockMemory() : environment(hostEnvironment()) {}

BlockMemory::~BlockMemory() {
  while (arrays.next != &arrays)
    release(arrays.next + 1);
}

/// Returns a kept array that is large enough, and at most an eighth larger; null: there is none.
BlockMemory::Header *BlockMemory::takeKept(uint64_t bytes) {
  Lock lock(keptMutex);
  auto **link = reinterpret_cast<Header **>(&kept.first);
  for (; Header *header = *link; link = &header->next)
    if (header->room >= bytes && header->room <= bytes + bytes / 8) {
      *link = header->next;
      --kept.count;
      kept.bytes -= header->room;
      return header;
    }
  return nullptr;
}

/// Keeps an array for another launch. Returns false if enough is kept.
bool BlockMemory::keep(Header *header) {
  Lock lock(keptMutex);
  if (kept.count == tunables::kKeptArrays || kept.bytes + header->room > tunables::kKeptArrayBytes)
    return false;
  header->next = static_cast<Header *>(kept.first);
  kept.first = header;
  ++kept.count;
  kept.bytes += header->room;
  return true;
}

void *BlockMemory::allocate(uint64_t bytes, const char *what) {
  uint64_t all = bytes + sizeof(Header), room = all;
  Header *header = takeKept(all);
  if (header)
    room = header->room;
  else if (all > bytes)
    header = static_cast<Header *>(environment.allocate(environment.context, all, alignof(Header)));
  if (!header)
    fatal("out of memory: %llu bytes for %s of a launch of blocks could not be allocated; launch fewer blocks at a "
          "time",
          static_cast<unsigned long long>(bytes), what);
  Lock lock(mutex);
  *header = {.next = arrays.next, .previous = &arrays, .room = room};
  arrays.next->previous = header;
  arrays.next = header;
  used += room;
  most = used > most ? used : most;
  return header + 1;
}

void BlockMemory::release(const void *array) {
  if (!array)
    return;
  auto *header = static_cast<Header *>(const_cast<void *>(array)) - 1;
  {
    Lock lock(mutex);
    header->next->previous = header->previous;
    header->previous->next = header->next;
    used -= header->room;
  }
  if (!keep(header))
    environment.release(environment.context, header, header->room, alignof(Header));
}

} // namespace cilk2gpu::rt
