// Memory that a control processor and its machine share: one range of addresses, reserved once, allocated in pages. The
// arenas above it ask for few and large blocks.
//
//   SharedMemory memory(mostBytes, leastBytes);
//   void *block = memory.allocate(bytes, align); // null if no memory is left
//   memory.release(block, bytes);
//
// Thread-safety: none; a single host thread.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_SHAREDMEMORY_H
#define CILK2GPU_RUNTIME_FIRMWARE_SHAREDMEMORY_H

#include "core/PageRuns.h"

namespace cilk2gpu::rt {

class SharedMemory {
public:
  /// Reserves `most` bytes. If that fails, tries half as many, and so on, down to `least`. base() is null if all
  /// attempts fail.
  SharedMemory(uint64_t most, uint64_t least);
  SharedMemory(const SharedMemory &) = delete;

  void *allocate(uint64_t bytes, uint64_t align) { return pages.allocate(bytes, align); }
  void release(void *memory, uint64_t bytes);

  void *base() const { return start; }
  uint64_t bytes() const { return size; }

  static constexpr uint64_t kPage = PageRuns::kPage;

private:
  char *start = nullptr;
  uint64_t size = 0;
  PageRuns pages;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_SHAREDMEMORY_H
