// First fit. Pages that are given back are given back to the system, too.
#include "firmware/SharedMemory.h"

#include <sys/mman.h>

namespace cilk2gpu::rt {

static uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

SharedMemory::SharedMemory(uint64_t most, uint64_t least) {
  for (size = most; size >= least; size /= 2) {
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      continue;
    start = static_cast<char *>(memory);
    free = reinterpret_cast<Run *>(start);
    *free = {nullptr, size};
    return;
  }
}

void *SharedMemory::allocate(uint64_t bytes, uint64_t align) {
  if (bytes > size)
    return nullptr;
  bytes = bytes ? alignTo(bytes, kPage) : kPage;
  for (Run **link = &free; *link; link = &(*link)->next) {
    Run *run = *link, *next = run->next;
    char *place = reinterpret_cast<char *>(alignTo(reinterpret_cast<uint64_t>(run), align < kPage ? kPage : align));
    uint64_t before = uint64_t(place - reinterpret_cast<char *>(run));
    if (before > run->bytes || run->bytes - before < bytes)
      continue;
    if (uint64_t after = run->bytes - before - bytes) {
      Run *rest = reinterpret_cast<Run *>(place + bytes);
      *rest = {next, after};
      next = rest;
    }
    if (before)
      *run = {next, before};
    else
      *link = next;
    return place;
  }
  return nullptr;
}

void SharedMemory::release(void *memory, uint64_t bytes) {
  bytes = bytes ? alignTo(bytes, kPage) : kPage;
  madvise(memory, bytes, MADV_DONTNEED); // only a hint: what is allocated next is not taken to be zero
  Run *previous = nullptr, **link = &free;
  for (; *link && reinterpret_cast<void *>(*link) < memory; link = &previous->next)
    previous = *link;
  Run *run = static_cast<Run *>(memory);
  *run = {*link, bytes};
  *link = run;
  auto merge = [](Run *first) {
    Run *second = first->next;
    if (second && first->end() == reinterpret_cast<char *>(second))
      *first = {second->next, first->bytes + second->bytes};
  };
  merge(run);
  if (previous)
    merge(previous);
}

} // namespace cilk2gpu::rt
