// Released pages are also given back to the system.
#include "firmware/SharedMemory.h"
#include "process/FrameRange.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace cilk2gpu::rt {

SharedMemory::SharedMemory(uint64_t most, uint64_t least) {
  if (!makeRoom())
    return;
  for (size = most; size >= least; size /= 2) {
    void *memory = allocateInFrameRange(size, kPage); // frames are in this memory
    if (!memory)
      continue;
    start = static_cast<char *>(memory);
    insert(0, {reinterpret_cast<uint64_t>(memory), size, true});
    return;
  }
}

SharedMemory::~SharedMemory() { free(runs); }

/// Makes room for two more runs in the table. Returns false if memory is short.
bool SharedMemory::makeRoom() {
  if (numRuns + 2 <= capacity)
    return true;
  uint64_t larger = capacity ? 2 * capacity : 64;
  void *table = realloc(runs, larger * sizeof(Run));
  if (!table)
    return false;
  runs = static_cast<Run *>(table);
  capacity = larger;
  return true;
}

void SharedMemory::insert(uint64_t at, const Run &run) {
  memmove(&runs[at + 1], &runs[at], (numRuns - at) * sizeof(Run));
  runs[at] = run;
  ++numRuns;
}

void SharedMemory::remove(uint64_t at) {
  --numRuns;
  memmove(&runs[at], &runs[at + 1], (numRuns - at) * sizeof(Run));
}

/// Makes one run of two free neighbours.
void SharedMemory::merge(uint64_t at) {
  if (at + 1 >= numRuns || !runs[at].isFree || !runs[at + 1].isFree)
    return;
  runs[at].bytes += runs[at + 1].bytes;
  remove(at + 1);
}

void *SharedMemory::allocate(uint64_t bytes, uint64_t align) {
  uint64_t wanted = PageRuns::wholePages(bytes);
  if (wanted < bytes || align & (align - 1) || !makeRoom())
    return nullptr;
  align = align < kPage ? kPage : align;
  while (firstFree < numRuns && !runs[firstFree].isFree)
    ++firstFree;
  for (uint64_t i = firstFree; i < numRuns; ++i) {
    const Run run = runs[i];
    uint64_t before = (align - run.start % align) % align;
    if (!run.isFree || before > run.bytes || run.bytes - before < wanted)
      continue;
    runs[i] = {run.start + before, wanted, false};
    if (uint64_t after = run.bytes - before - wanted)
      insert(i + 1, {run.start + before + wanted, after, true});
    if (before)
      insert(i, {run.start, before, true});
    return reinterpret_cast<void *>(run.start + before);
  }
  return nullptr;
}

bool SharedMemory::release(void *memory, uint64_t bytes) {
  uint64_t low = 0, high = numRuns, address = reinterpret_cast<uint64_t>(memory);
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (runs[middle].start < address)
      low = middle + 1;
    else
      high = middle;
  }
  uint64_t whole = PageRuns::wholePages(bytes);
  if (low == numRuns || runs[low].start != address || runs[low].isFree || runs[low].bytes != whole)
    return false;
  madvise(memory, whole, MADV_DONTNEED); // only a hint: allocated memory need not be zero
  runs[low].isFree = true;
  uint64_t first = low ? low - 1 : 0;
  firstFree = firstFree < first ? firstFree : first;
  merge(low);
  if (low)
    merge(low - 1);
  return true;
}

} // namespace cilk2gpu::rt
