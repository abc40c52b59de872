// See ProgramMemory.h.
#include "executors/gpu/ProgramMemory.h"
#include "process/Lock.h"

namespace cilk2gpu::device {

using rt::Lock;

// Under the lock, no function calls the driver, or allocates memory as the program does. The driver frees memory of its
// own, also in other threads, and each free() and realloc() of the program may look here.

void *ProgramMemory::allocate(const Driver &driver, uint64_t bytes) {
  uint64_t whole = Slabs::wholePages(bytes);
  if (whole < bytes)
    return nullptr;
  void *block = takeUnused(whole);
  if (block)
    return block;
  // The page behind a new block stays unused, so that no block continues in another allocation of the driver.
  uint64_t total = whole + Slabs::kPage;
  if (driver.makeCurrent().code || driver.allocate(total, block).code)
    return nullptr;
  Lock held(lock);
  auto start = reinterpret_cast<uint64_t>(block);
  // Relaxed: a block is handed to other threads by other means.
  if (start < low)
    __atomic_store_n(&low, start, __ATOMIC_RELAXED);
  if (start + whole > high)
    __atomic_store_n(&high, start + whole, __ATOMIC_RELAXED);
  return all.add(block, total) && used.add(block, whole) ? block : nullptr;
}

void *ProgramMemory::takeUnused(uint64_t bytes) {
  Lock held(lock);
  void *block = unused.take(bytes, Slabs::kPage);
  if (!block || used.add(block, bytes))
    return block;
  unused.put(block, bytes);
  return nullptr;
}

void *ProgramMemory::takeSmall(uint64_t bytes, uint64_t align) {
  Lock held(lock);
  return small.take(bytes, align);
}

void *ProgramMemory::allocateSmall(const Driver &driver, uint64_t bytes, uint64_t align) {
  if (align > Slabs::kPage)
    return nullptr;
  if (bytes > SmallParts::kLargest)
    return allocate(driver, bytes);
  if (void *block = takeSmall(bytes, align))
    return block;
  void *chunk = allocate(driver, SmallParts::kChunk);
  if (!chunk)
    return nullptr;
  Lock held(lock);
  return small.addChunk(chunk, bytes, align) ? small.take(bytes, align) : nullptr;
}

uint64_t ProgramMemory::sizeOf(const void *block) {
  auto start = reinterpret_cast<uint64_t>(block);
  // Relaxed: the thread that asks has got the block after these words were written.
  if (start < __atomic_load_n(&low, __ATOMIC_RELAXED) || start >= __atomic_load_n(&high, __ATOMIC_RELAXED))
    return 0;
  Lock held(lock);
  if (uint64_t size = small.sizeOf(block))
    return size;
  uint64_t at = used.before(block);
  return at < used.size() && used.at(at).address == block ? used.at(at).bytes : 0;
}

void ProgramMemory::release(void *block) {
  Lock held(lock);
  if (small.sizeOf(block))
    return small.put(block);
  uint64_t at = used.before(block), bytes = used.at(at).bytes;
  used.removeAt(at);
  unused.put(block, bytes); // if the list cannot grow, the block stays unused
}

bool ProgramMemory::rangeOf(const BlockList &list, uint64_t index, HostRange &range) {
  Lock held(lock);
  if (index >= list.size())
    return false;
  range = list.begin()[index];
  return true;
}

Status ProgramMemory::moveToDevice(const Driver &driver) {
  Status status = {};
  HostRange range;
  for (uint64_t i = 0; driver.prefetch && !status.code && rangeOf(used, i, range); ++i)
    status = driver.prefetch(range.address, range.bytes);
  return status;
}

bool ProgramMemory::listAll(BlockList &list) {
  HostRange range;
  for (uint64_t i = 0; rangeOf(all, i, range); ++i)
    if (!list.add(range.address, range.bytes))
      return false;
  return true;
}

ProgramMemory &programMemory() {
  static ProgramMemory memory;
  return memory;
}

} // namespace cilk2gpu::device
