// Memory that a control processor and its machine share: one range of addresses, reserved once, allocated in pages. The
// arenas above it ask for few and large blocks.
//
//   SharedMemory memory(mostBytes, leastBytes);
//   void *block = memory.allocate(bytes, align); // null if no memory is left
//   if (!memory.release(block, bytes))           // not a block that allocate() gave out
//     ...
//
// The firmware may write anything to the range. So the table of blocks is in memory of the host alone.
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
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;

  /// Returns the first place with room; null if there is none, or if `align` is no power of two.
  void *allocate(uint64_t bytes, uint64_t align);
  /// Returns false, and changes nothing, if `memory` is no block of `bytes` bytes that is in use.
  bool release(void *memory, uint64_t bytes);

  void *base() const { return start; }
  uint64_t bytes() const { return size; }

  /// Calls visit(address, bytes) for each block that is in use.
  template <typename Visit> void eachBlock(Visit visit) const {
    for (uint64_t i = 0; i < numRuns; ++i)
      if (!runs[i].isFree)
        visit(runs[i].start, runs[i].bytes);
  }

  static constexpr uint64_t kPage = PageRuns::kPage;

private:
  /// Pages that are free, or one block. The runs cover the range, in the order of addresses, and no two neighbours are
  /// free.
  struct Run {
    uint64_t start, bytes;
    bool isFree;
  };

  bool makeRoom();
  void insert(uint64_t at, const Run &run);
  void remove(uint64_t at);
  void merge(uint64_t at);

  char *start = nullptr;
  uint64_t size = 0;
  Run *runs = nullptr;
  uint64_t numRuns = 0, capacity = 0;
  uint64_t firstFree = 0; ///< no run before this one is free
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_SHAREDMEMORY_H
