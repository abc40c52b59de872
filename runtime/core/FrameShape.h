// The layout of a task's frames in a chunk of memory.
//
// Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_FRAMESHAPE_H
#define CILK2GPU_RUNTIME_CORE_FRAMESHAPE_H

#include "cilk2gpu/abi/Records.h"

namespace cilk2gpu::rt {

/// Size and layout of a task's frames: one behind the other, or in columns, in groups of abi::kFrameGroup
/// (TaskRecord::frameColumns).
struct FrameShape {
  uint64_t size, align; ///< of one frame, in bytes; size 0: the task has no frames
  bool inColumns;

  explicit operator bool() const { return size != 0; }

  /// Returns the bytes that `count` frames take in a chunk; ~0 if 64 bits cannot hold the number.
  uint64_t bytesOf(uint64_t count) const {
    uint64_t whole = inColumns ? (count + abi::kFrameGroup - 1) / abi::kFrameGroup * abi::kFrameGroup : count, bytes;
    return stride() < size || whole < count || __builtin_mul_overflow(stride(), whole, &bytes) ? ~uint64_t(0) : bytes;
  }
  /// Returns the offset at which frame `index` of a chunk begins.
  uint64_t offsetOf(uint64_t index) const {
    if (!inColumns)
      return index * stride();
    return index / abi::kFrameGroup * abi::kFrameGroup * size + index % abi::kFrameGroup * abi::kFrameColumn;
  }
  /// Returns the alignment of a chunk, in bytes.
  uint64_t alignment() const { return inColumns ? abi::kFrameGroup * abi::kFrameColumn : align; }

private:
  uint64_t stride() const { return inColumns ? size : (size + align - 1) & ~(align - 1); }
};

/// A list of the frames of a chunk, from the last frame to the first.
struct FrameList {
  void **list;
  char *chunk;
  uint64_t count;
  FrameShape shape;

  void set(uint64_t i) const { list[i] = chunk + shape.offsetOf(count - 1 - i); }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_FRAMESHAPE_H
