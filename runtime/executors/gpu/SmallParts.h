// Small blocks of memory in chunks. All blocks of a chunk have the same size, a power of two. What is free is noted in
// the host's ordinary memory, so that no page of a device's memory moves.
//
//   SmallParts parts;
//   void *block = parts.take(bytes, align);                    // null: no chunk has a free block of this size
//   if (!block && parts.addChunk(memory, bytes, align)) ...    // `memory` has kChunk bytes
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_SMALLPARTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_SMALLPARTS_H

#include <stdint.h>

namespace cilk2gpu::device {

class SmallParts {
public:
  static constexpr uint64_t kLargest = 32 * 1024, kChunk = 256 * 1024;

  SmallParts() = default;
  SmallParts(const SmallParts &) = delete;
  ~SmallParts();

  /// Returns a block of at least `bytes` bytes. `bytes` and `align` are at most kLargest.
  void *take(uint64_t bytes, uint64_t align);
  /// Adds a chunk for blocks of such a size. `memory` is aligned to a page. Returns false if there is no memory for the
  /// notes.
  bool addChunk(void *memory, uint64_t bytes, uint64_t align);
  /// Returns the size of the block that begins at this address and was taken; 0: there is none.
  uint64_t sizeOf(const void *block) const;
  /// Takes back a block that take() has returned.
  void put(void *block);

private:
  static constexpr uint32_t kLeastLog = 4, kSizes = 12; ///< 16 bytes to kLargest
  struct Chunk;

  static uint32_t indexFor(uint64_t bytes, uint64_t align);
  Chunk *find(const void *address) const;
  bool growIndex();

  Chunk *open[kSizes] = {}; ///< chunks with free blocks, by size
  Chunk **chunks = nullptr; ///< all, in the order of their addresses
  uint64_t count = 0, capacity = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_SMALLPARTS_H
