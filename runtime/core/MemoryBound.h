// Computes two numbers that the memory of a run does not exceed. Like the arena, they count blocks with the rounding to
// their size classes.
//
//   limit = fixed + sum over the levels, and the tasks present at each, of  elements(width) + frames(width)
//           + post-sync elements(frames) + saved lanes(frames) + bookkeeping
//   bound = the same sum, with the capacities that the buffers have reached instead of the width
//
// Every term of the limit is a function of the width, the sizes in the records and the settings. Only one fact comes
// from the run: the tasks that are present at each level. So the limit is known before the run, up to its depth. The
// bound is close to the memory that was used, since buffers are as large as they had to be. docs/model.md derives the
// terms.
//
// Thread-safety: the functions change nothing. levelsBound() must not be called while its scheduler runs. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_MEMORYBOUND_H
#define CILK2GPU_RUNTIME_CORE_MEMORYBOUND_H

#include "core/FramePool.h"
#include "core/TaskTable.h"

namespace cilk2gpu::rt {

/// Sums bytes. A sum that is too large becomes the largest number.
class ByteSum {
public:
  ByteSum &add(uint64_t bytes) {
    if (__builtin_add_overflow(total, bytes, &total))
      total = ~uint64_t(0);
    return *this;
  }
  ByteSum &add(uint64_t count, uint64_t bytes) {
    uint64_t product;
    return add(__builtin_mul_overflow(count, bytes, &product) ? ~uint64_t(0) : product);
  }
  /// Adds a block of the arena.
  ByteSum &addBlock(uint64_t bytes, uint64_t align) { return add(Arena::blockBytes(bytes, align)); }
  uint64_t value() const { return total; }

private:
  uint64_t total = 0;
};

/// Returns the bound of a queue that doubles from kFirstElements up to `most` elements, or to the next power of two if
/// `most` does not bound it. The sum consists of the largest buffer, the buffer that it is copied from, and a quarter
/// for rounding.
inline uint64_t queueBound(uint64_t most, uint64_t elementBytes, uint64_t columns) {
  uint64_t capacity = tunables::kFirstElements;
  while (capacity < most)
    capacity *= 2;
  ByteSum sum;
  sum.add(capacity + capacity / 2, elementBytes);
  // The starts of columns are rounded to 16 bytes, those of large columns to cache lines.
  sum.add(2 * columns * (capacity * elementBytes >= tunables::kLargeColumn ? 64 : 16));
  return sum.add(sum.value() / 4).value();
}

/// Returns the bound of the frames of one task at one level, and of the list of free frames.
inline uint64_t framesBound(const TaskInfo &task, uint64_t width) {
  if (!task.frame)
    return 0;
  // Chunks double, so there is one chunk, with its rounding, for each power of two.
  uint64_t chunks = 66 - uint64_t(__builtin_clzll(width));
  ByteSum sum;
  sum.add(task.frame.bytesOf(width)).add((task.frame.inColumns ? 4 : 2) * width, sizeof(void *));
  if (task.frame.inColumns)
    sum.add(chunks, task.frame.bytesOf(1));
  return sum.add(sum.value() / 4).add(chunks * 128).value();
}

/// Returns the bound of an array that doubles when it grows, and is copied from the old array.
inline uint64_t arrayBound(uint64_t count, uint64_t bytes) {
  ByteSum sum;
  sum.add(3 * count, bytes);
  return sum.add(sum.value() / 4).add(128).value();
}

class SchedulerState;

/// Returns the bound of the first lane of a task at level `index` and of its children, including the lists of
/// `numLevels` levels and counters.
uint64_t firstLaneBound(const TaskInfo &task, uint64_t index, uint64_t numLevels);

/// Returns the bound of a turn of a scheduler's loop for `task`: of the task at one level, and of its children at the
/// next level.
uint64_t turnBound(const TaskInfo &task, const Limits &limits);

/// Bytes that all levels which were reached may take: the memory in use <= `bound` <= `limit` at any time. Both are 0
/// if they are not known.
struct MemoryBounds {
  uint64_t bound = 0, limit = 0;
};

/// Returns the bounds of all levels that a scheduler has reached. `returnedFrames`: number of entries in
/// DeviceDispatch's list.
MemoryBounds levelsBounds(const SchedulerState &state, uint64_t returnedFrames);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_MEMORYBOUND_H
