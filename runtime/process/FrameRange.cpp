// The range is a window of abi::kFrameWindow bytes, or a part of a window if the system has fewer addresses.
#include "process/FrameRange.h"
#include "core/Environment.h" // includes Records.h with the visibility that programs need
#include "core/Tunables.h"
#include "process/Lock.h"

#include <pthread.h>
#include <sys/mman.h>

char *__cilk2gpu_frames;

namespace cilk2gpu::rt {

static constexpr uint64_t kPage = 4096;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *next, *end; ///< the addresses that are left; null before the first block
static char *start;
static bool isReserved, isRequired, isLeft;

static uint64_t alignTo(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

/// Reserves twice the addresses, and keeps the part that begins at a multiple of its size, so that it does not cross
/// the end of a window.
static void reserve() {
  isReserved = true;
  for (uint64_t size = abi::kFrameWindow; size >= tunables::kLeastFrameRange; size /= 2) {
    void *memory = mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      continue;
    uint64_t first = reinterpret_cast<uint64_t>(memory), aligned = alignTo(first, size);
    if (aligned != first)
      munmap(memory, aligned - first);
    if (aligned - first != size)
      munmap(reinterpret_cast<void *>(aligned + size), size - (aligned - first));
    start = next = reinterpret_cast<char *>(aligned);
    end = start + size;
    __cilk2gpu_frames = reinterpret_cast<char *>(aligned & ~(abi::kFrameWindow - 1));
    return;
  }
}

void *allocateInFrameRange(uint64_t bytes, uint64_t align) {
  Lock lock(mutex);
  if (!isReserved)
    reserve();
  uint64_t whole = alignTo(bytes, kPage);
  bool isHuge = whole == bytes && bytes && bytes % tunables::kHugePage == 0;
  uint64_t least = isHuge ? tunables::kHugePage : kPage;
  uint64_t first = alignTo(reinterpret_cast<uint64_t>(next), align > least ? align : least);
  uint64_t last = reinterpret_cast<uint64_t>(end);
  if (!next || whole < bytes || first > last || last - first < whole)
    return nullptr;
  void *memory = reinterpret_cast<void *>(first);
  if (whole && mprotect(memory, whole, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  if (isHuge)
    madvise(memory, whole, MADV_HUGEPAGE); // if this fails, pages are small
  next = reinterpret_cast<char *>(first + whole);
  return memory;
}

bool releaseInFrameRange(void *memory, uint64_t bytes) {
  Lock lock(mutex);
  if (memory < start || memory >= end)
    return false;
  madvise(memory, alignTo(bytes, kPage), MADV_DONTNEED);
  return true;
}

void lockFrameRange() { pthread_mutex_lock(&mutex); }
void unlockFrameRange() { pthread_mutex_unlock(&mutex); }

bool requireFrameRange() {
  Lock lock(mutex);
  isRequired = true;
  return !isLeft;
}

bool mayLeaveFrameRange() {
  Lock lock(mutex);
  isLeft |= !isRequired;
  return !isRequired;
}

} // namespace cilk2gpu::rt
