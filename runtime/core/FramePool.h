// Frames of one task at one level. A frame keeps its address until the process ends, because children write into it.
// Memory comes in chunks that double, up to `width` frames. Kernels see only the abi::FrameStore at the beginning.
// Whenever all frames in columns are free, they are handed out in the order of their addresses again. So lanes mostly
// have neighbouring frames.
//
// Thread-safety: none; the owning scheduler's. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_FRAMEPOOL_H
#define CILK2GPU_RUNTIME_CORE_FRAMEPOOL_H

#include "core/Arena.h"
#include "core/FrameShape.h"

namespace cilk2gpu::rt {

struct FramePool {
  abi::FrameStore store; ///< free frames
  void **inOrder;        ///< all frames, in the order that store.free had when they were new; null unless frames are in
                         ///< columns
  uint32_t total;        ///< frames that exist
  uint32_t freeCapacity; ///< entries of store.free
  uint32_t disordered;   ///< first index at which store.free may differ from inOrder
  uint64_t chunkBytes;   ///< of all chunks, as the arena counts them

  uint64_t used() const { return total - store.count; }

  /// Returns the bytes of the chunks and of the lists, as the arena counts them. They never shrink.
  uint64_t bytes() const {
    uint64_t list = total ? Arena::blockBytes(freeCapacity * sizeof(void *), alignof(void *)) : 0;
    return chunkBytes + (inOrder ? 2 : 1) * list;
  }

  /// Tries to provide `wanted` free frames. `width` and the arena's budget bound the frames that exist, but at least
  /// one frame exists. Returns the number of free frames, at most `wanted`.
  uint64_t provide(Arena &arena, uint64_t wanted, uint64_t width, const FrameShape &shape) {
    if (inOrder && store.count == total)
      sort(arena);
    if (store.count < wanted && total < width)
      grow(arena, wanted, width, shape);
    uint64_t provided = store.count < wanted ? store.count : wanted;
    if (store.count - provided < disordered)
      disordered = uint32_t(store.count - provided);
    return provided;
  }

  /// Returns the number of frames, at most `wanted` and at least one, that may exist within the arena's budget.
  uint64_t affordable(const Arena &arena, uint64_t wanted, const FrameShape &shape) const {
    if (wanted <= total)
      return wanted;
    uint64_t added = wanted - total;
    uint64_t lists = shape.inColumns ? 2 : 1;
    while (added &&
           !arena.fits(shape.bytesOf(added) + added * (shape.align + lists * sizeof(void *)), shape.alignment()))
      added /= 2;
    return total + added ? total + added : 1;
  }

private:
  void sort(Arena &arena) {
    if (disordered < total)
      arena.copy(store.free + disordered, inOrder + disordered, (total - disordered) * sizeof(void *));
    disordered = total;
  }

  void grow(Arena &arena, uint64_t wanted, uint64_t width, const FrameShape &shape) {
    uint64_t target = used() + wanted > 2 * uint64_t(total) ? used() + wanted : 2 * uint64_t(total);
    if (target > width)
      target = width;
    if (affordable(arena, target, shape) < target)
      target = affordable(arena, used() + wanted < width ? used() + wanted : width, shape);
    if (target <= total)
      return;
    if (target > freeCapacity) {
      store.free = grown(arena, store.free, store.count, target);
      if (shape.inColumns)
        inOrder = grown(arena, inOrder, total, target);
      freeCapacity = uint32_t(target);
    }
    uint64_t added = target - total, bytes = shape.bytesOf(added);
    if (bytes == ~uint64_t(0))
      bytes >>= 1;
    char *chunk = static_cast<char *>(arena.allocate(bytes, shape.alignment()));
    chunkBytes += Arena::blockBytes(bytes, shape.alignment());
    // Free frames are taken from the end, so that a wave's lanes get neighbouring frames in the order of their
    // addresses.
    list(arena, store.free + store.count, chunk, added, shape);
    if (inOrder)
      list(arena, inOrder + total, chunk, added, shape);
    store.count += uint32_t(added);
    total = uint32_t(target);
    disordered = 0;
  }

  static void list(Arena &arena, void **list, char *chunk, uint64_t count, const FrameShape &shape) {
    const DeviceHooks *device = arena.lister();
    if (!device || !device->listFrames(device->context, list, chunk, count, shape))
      arena.writeList(list, count, [&](uint64_t i) { return chunk + shape.offsetOf(count - 1 - i); });
  }

  void **grown(Arena &arena, void **list, uint64_t used, uint64_t entries) {
    void **fresh = static_cast<void **>(arena.allocate(entries * sizeof(void *), alignof(void *)));
    if (used)
      arena.copy(fresh, list, used * sizeof(void *));
    arena.release(list, freeCapacity * sizeof(void *), alignof(void *));
    return fresh;
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_FRAMEPOOL_H
