// Memory of one scheduler. Small blocks come out of chunks, with a free list for each size; large blocks come straight
// from the environment. A released block is used again for a block of the same size class. Chunks are kept until
// destroy(). The lists of blocks are in the blocks, except in memory of a device, which only its lanes should touch.
//
// Thread-safety: none; an arena belongs to one scheduler.
#ifndef CILK2GPU_RUNTIME_CORE_ARENA_H
#define CILK2GPU_RUNTIME_CORE_ARENA_H

#include "core/BlockNotes.h"
#include "core/Environment.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

class Arena {
public:
  enum class Memory : uint8_t {
    Ordinary, ///< ordinary memory of the environment
    Frames,   ///< the environment's memory for frames
    Device,   ///< memory of the environment's device
  };
  explicit Arena(const Environment &environment, Memory memory = Memory::Ordinary)
      : environment(environment), device(memory == Memory::Device ? environment.device : nullptr),
        isForFrames(memory == Memory::Frames), notes(environment) {}
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Returns uninitialised memory, never null: a failure is reported through the environment. `align` is a power of
  /// two. For zero bytes, returns a valid pointer that must not be dereferenced.
  void *allocate(uint64_t bytes, uint64_t align);

  /// Returns an array of `count` elements that are initialised with T{}.
  template <typename T> T *allocateArray(uint64_t count) {
    T *result = static_cast<T *>(allocate(count * sizeof(T), alignof(T)));
    for (uint64_t i = 0; i < count; ++i)
      result[i] = T{};
    return result;
  }

  /// Releases a block that allocate returned for the same size and alignment.
  void release(void *memory, uint64_t bytes, uint64_t align);

  /// Sets `count` entries of a list in this arena's memory: list[i] = entry(i).
  template <typename Entry> void writeList(void **list, uint64_t count, Entry entry) {
    bool isApart = device && device->write;
    uint64_t most = isApart && count > kListed ? kListed : count;
    void **part = isApart ? static_cast<void **>(getOwn(most * sizeof(void *))) : list;
    for (uint64_t done = 0; done < count;) {
      uint64_t size = count - done < most ? count - done : most;
      for (uint64_t i = 0; i < size; ++i)
        part[i] = entry(done + i);
      if (isApart)
        device->write(device->context, list + done, part, size * sizeof(void *));
      done += size;
    }
    if (isApart)
      environment.release(environment.context, part, most * sizeof(void *), alignof(void *));
  }
  /// Returns the device's function for lists of frames (DeviceHooks::listFrames), or null.
  const DeviceHooks *lister() const { return device && device->listFrames ? device : nullptr; }
  /// Returns whether copy() moves `count` elements down by `distance` elements at once, or in few pieces.
  bool movesFast(uint64_t distance, uint64_t count) const {
    return !device || count / tunables::kCopiedPieces <= distance;
  }
  /// Copies within this arena's memory. If the two places overlap, `to` is below `from`.
  void copy(void *to, const void *from, uint64_t bytes);

  /// Reports that `bytes` bytes for `what` could not be allocated.
  [[noreturn]] void outOfMemory(const char *what, uint64_t bytes, const char *subject = nullptr);

  /// Gives all memory back to the environment, including large blocks that were not released.
  void destroy();

  /// Returns the bytes that a block of this size takes, including the rounding to its size class.
  static uint64_t blockBytes(uint64_t bytes, uint64_t align);
  /// Returns whether the environment's budget can spare a block of that size. Callers that can do without the block, or
  /// with a smaller block, ask first. So a part of the budget is left for necessary blocks, above all for deeper
  /// levels.
  bool fits(uint64_t bytes, uint64_t align) const {
    const MemoryBudget *shared = budget();
    if (!shared)
      return true;
    uint64_t block = blockBytes(bytes, align), cap = shared->cap / tunables::kBudgetParts;
    // Relaxed: a hint for the caller; allocate() decides.
    uint64_t used = __atomic_load_n(&shared->used, __ATOMIC_RELAXED);
    return used <= cap && block <= cap - used;
  }
  /// Returns whether the environment's budget has `bytes` bytes left, and in addition one kSparePart-th of the used
  /// bytes.
  bool leaves(uint64_t bytes) const {
    const MemoryBudget *shared = budget();
    uint64_t used = shared ? __atomic_load_n(&shared->used, __ATOMIC_RELAXED) : 0; // a hint, as in fits()
    uint64_t wanted;
    return !shared ||
           (!__builtin_add_overflow(used + used / tunables::kSparePart, bytes, &wanted) && wanted <= shared->cap);
  }
  /// Returns whether there is a budget at all.
  bool isLimited() const { return budget(); }
  /// Name of the task for which memory is requested next, for messages; null: no task.
  const char *subject = nullptr;
  /// Counts blocks of storage of variable size, whose size the formula of the memory bound does not know.
  void measure(uint64_t bytes) {
    measured += bytes;
    if (measured > mostMeasured)
      __atomic_store_n(&mostMeasured, measured, __ATOMIC_RELAXED);
  }
  void unmeasure(uint64_t bytes) { measured -= bytes; }
  uint64_t measuredHighWater() const { return __atomic_load_n(&mostMeasured, __ATOMIC_RELAXED); }

  /// Returns the bytes that are in use now.
  uint64_t used() const { return inUse; }

  /// Returns the most bytes that were in use at one time, including the rounding to size classes.
  uint64_t highWater() const { return __atomic_load_n(&mostInUse, __ATOMIC_RELAXED); }

private:
  /// Precedes every chunk and every large block, so that destroy() finds them.
  struct Header {
    Header *next, *previous;
    uint64_t bytes, align;
  };
  struct FreeBlock {
    FreeBlock *next;
  };
  static constexpr uint32_t kClasses = 64;
  static constexpr uint64_t kListed = 8192; ///< entries of a list that are written to a device at once

  /// The budget of this arena; null: its memory is not limited.
  MemoryBudget *budget() const {
    return environment.budget && environment.budget->isDevices && !device ? nullptr : environment.budget;
  }

  static uint32_t sizeClass(uint64_t bytes);
  static uint64_t classBytes(uint32_t sizeClass);
  void *get(uint64_t bytes, uint64_t align);
  void put(void *memory, uint64_t bytes, uint64_t align);
  void *allocateLarge(uint64_t bytes, uint64_t align);
  void releaseLarge(void *memory);
  void *allocateApart(uint64_t bytes, uint64_t align);
  BlockNote *note(void *memory, uint64_t bytes, uint64_t align);
  void *getOwn(uint64_t bytes);
  void *carve(uint64_t bytes, uint64_t align);
  void account(uint64_t bytes);
  void discount(uint64_t bytes);

  const Environment &environment;
  const DeviceHooks *const device; ///< null: the memory is the environment's
  const bool isForFrames;
  FreeBlock *freeBlocks[2][kClasses] = {}; // [0]: aligned to 16 bytes, [1]: to 64
  Header *blocks = nullptr;
  BlockNotes notes;                       ///< of a device's memory, in place of `blocks`
  BlockNote *freeNotes[2][kClasses] = {}; ///< in place of `freeBlocks`
  char *bump = nullptr, *bumpEnd = nullptr;
  uint64_t nextChunk = 0;
  uint64_t inUse = 0, mostInUse = 0;
  uint64_t measured = 0, mostMeasured = 0; ///< part of inUse and mostInUse
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_ARENA_H
