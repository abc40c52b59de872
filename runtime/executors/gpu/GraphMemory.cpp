// See GraphMemory.h.
#include "executors/gpu/GraphMemory.h"
#include "executors/gpu/CheckedCall.h"
#include "process/Message.h"

namespace cilk2gpu::device {

/// Drivers align memory to this many bytes or more: CUDA documents 256 bytes, HIP returns whole pages.
static constexpr uint64_t kDriversAlign = 256;

/// A slab is no larger than this part of the device's memory, because the slab is not counted until it is used.
static constexpr uint64_t kSlabPart = 32;

void GraphMemory::prefetch(void *start, uint64_t bytes) const {
  if (driver.prefetch)
    check(driver, device, driver.prefetch(start, bytes), "moving memory to the device", "");
}

void *GraphMemory::allocatePiece(uint64_t bytes) {
  void *start = nullptr;
  Reason why;
  if (driver.failed(driver.allocate(bytes, start), why))
    rt::fatal(
        "%llu bytes for channels and frames could not be allocated on %s: %s; a smaller CILK2GPU_WIDTH needs less",
        static_cast<unsigned long long>(bytes), device.name, why.text);
  if (!all.add(start, bytes))
    rt::fatal("out of memory: the list of %llu blocks of device memory could not grow",
              static_cast<unsigned long long>(all.size()));
  prefetch(start, bytes);
  return start;
}

/// Returns whether blocks of this size share pieces.
static bool isShared(uint64_t bytes, uint64_t align) {
  return bytes <= rt::tunables::kLargestSlab / 2 && align <= kDriversAlign;
}

void *GraphMemory::allocate(uint64_t bytes, uint64_t align) {
  if (!isShared(bytes, align)) {
    uint64_t total = bytes;
    if (align > kDriversAlign && __builtin_add_overflow(bytes, align, &total))
      return nullptr;
    auto start = reinterpret_cast<uint64_t>(allocatePiece(total));
    return reinterpret_cast<void *>((start + align - 1) & ~(align - 1));
  }
  if (void *part = shared.take(bytes, align))
    return part;
  // The last page of a slab stays unused: a driver refuses to copy to a part that continues in the next slab.
  uint64_t least = Slabs::wholePages(bytes) + Slabs::kPage, size = nextSlab > least ? nextSlab : least;
  void *slab = allocatePiece(size);
  if (uint64_t next = 2 * nextSlab; next <= rt::tunables::kLargestSlab && next <= freeBytes / kSlabPart)
    nextSlab = next;
  return shared.put(slab, size - Slabs::kPage) ? shared.take(bytes, align) : nullptr;
}

void GraphMemory::release(void *block, uint64_t bytes, uint64_t align) {
  if (!isShared(bytes, align))
    return check(driver, device, driver.release(all.remove(block)), "freeing memory", "");
  if (!shared.put(block, bytes))
    rt::fatal("out of memory: the list of free device memory could not grow");
}

void GraphMemory::moveToDevice() const {
  for (const HostRange &piece : all)
    prefetch(piece.address, piece.bytes);
}

} // namespace cilk2gpu::device
