// Frames of one task at one level. A frame keeps its address until the process ends, because children write into it;
// memory comes in chunks that double, up to `width` frames. The kernels' view of it is the abi::FrameStore in front.
//
// Thread-safety: none; the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_AGGREGATOR_FRAMEPOOL_H
#define CILK2GPU_RUNTIME_AGGREGATOR_FRAMEPOOL_H

#include "aggregator/Arena.h"

namespace cilk2gpu::rt {

struct FramePool {
  abi::FrameStore store; ///< free frames
  uint64_t total;        ///< frames that exist
  uint64_t freeCapacity; ///< entries of store.free

  uint64_t used() const { return total - store.count; }

  /// Tries to have `wanted` free frames; `width` bounds the frames that exist. Returns how many are free, at most
  /// `wanted`.
  uint64_t provide(Arena &arena, uint64_t wanted, uint64_t width, uint64_t size, uint64_t align) {
    if (store.count < wanted && total < width)
      grow(arena, wanted, width, size, align);
    return store.count < wanted ? store.count : wanted;
  }

  /// How many frames, at most `wanted` and at least one, may exist within the arena's budget.
  uint64_t affordable(const Arena &arena, uint64_t wanted, uint64_t size, uint64_t align) const {
    if (wanted <= total)
      return wanted;
    uint64_t added = wanted - total;
    while (added && !arena.fits((size + align + sizeof(void *)) * added, align))
      added /= 2;
    return total + added ? total + added : 1;
  }

private:
  void grow(Arena &arena, uint64_t wanted, uint64_t width, uint64_t size, uint64_t align) {
    uint64_t target = used() + wanted > 2 * total ? used() + wanted : 2 * total;
    if (affordable(arena, target, size, align) < target)
      target = used() + wanted;
    if (target > width)
      target = width;
    if (target > freeCapacity)
      growFreeList(arena, target);
    uint64_t added = target - total, stride = (size + align - 1) & ~(align - 1), bytes;
    if (stride < size || __builtin_mul_overflow(stride, added, &bytes))
      bytes = ~uint64_t(0) >> 1;
    char *chunk = static_cast<char *>(arena.allocate(bytes, align));
    // Free frames are taken from the end: the wave's lanes get neighbouring frames in the order of their addresses.
    for (uint64_t i = added; i-- > 0;)
      store.free[store.count++] = chunk + i * stride;
    total = target;
  }

  void growFreeList(Arena &arena, uint64_t entries) {
    void **fresh = static_cast<void **>(arena.allocate(entries * sizeof(void *), alignof(void *)));
    if (store.count)
      arena.copy(fresh, store.free, store.count * sizeof(void *));
    arena.release(store.free, freeCapacity * sizeof(void *), alignof(void *));
    store.free = fresh;
    freeCapacity = entries;
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_AGGREGATOR_FRAMEPOOL_H
