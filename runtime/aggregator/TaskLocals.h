// Storage of variable size for tasks, as a stack that grows by chunks: a task's list, null at first, leads to the
// newest (__cilk2gpu_local, _mark and _release in abi/Records.h).
//
//   chunk:  | LocalChunk | storage ... | storage ... | free      |
//                                                    ^ top       ^ end
//
// `Memory` has allocate(bytes, align), which never returns null, and release(memory, bytes, align); it is needed only
// where a chunk is added or freed.
//
// Thread-safety: that of the memory; a list belongs to one task. Freestanding; for host and devices.
#ifndef CILK2GPU_RUNTIME_AGGREGATOR_TASKLOCALS_H
#define CILK2GPU_RUNTIME_AGGREGATOR_TASKLOCALS_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// A chunk is twice as large as the one before it, up to the second of these. The first holds what most tasks want: a
/// chunk for each board of nqueens, some 20 bytes, took a seventh of its time.
inline constexpr uint64_t kFirstLocalChunk = 256, kLargestLocalChunk = 4096;

struct LocalChunk {
  LocalChunk *older;
  char *top, *end;
  uint64_t align;

  char *start() { return reinterpret_cast<char *>(this); }
  uint64_t bytes() { return uint64_t(end - start()); }
};

inline uint64_t alignLocal(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

template <typename Memory>
LocalChunk *addLocalChunk(Memory &memory, LocalChunk *older, uint64_t bytes, uint64_t align) {
  uint64_t total;
  if (__builtin_add_overflow(bytes, alignLocal(sizeof(LocalChunk), align), &total) || total > ~uint64_t(15))
    total = ~uint64_t(15); // more than there is: the memory says so
  uint64_t usual = older ? 2 * older->bytes() : kFirstLocalChunk;
  if (usual > kLargestLocalChunk)
    usual = kLargestLocalChunk;
  total = alignLocal(total < usual ? usual : total, 16);
  auto *chunk = static_cast<LocalChunk *>(memory.allocate(total, align));
  *chunk = {older, chunk->start() + sizeof(LocalChunk), chunk->start() + total, align};
  return chunk;
}

/// Storage of `bytes` bytes, aligned to `align` (a power of two), in the newest chunk; null if there is no room in it.
inline void *takeLocal(void *list, uint64_t bytes, uint64_t align) {
  auto *chunk = static_cast<LocalChunk *>(list);
  if (!chunk)
    return nullptr;
  auto *start = reinterpret_cast<char *>(alignLocal(reinterpret_cast<uint64_t>(chunk->top), align < 16 ? 16 : align));
  if (start > chunk->end || bytes > uint64_t(chunk->end - start))
    return nullptr;
  chunk->top = start + bytes;
  return start;
}

/// As takeLocal, if need be in a new chunk.
template <typename Memory> void *allocateLocal(Memory &memory, void *&list, uint64_t bytes, uint64_t align) {
  if (void *start = takeLocal(list, bytes, align))
    return start;
  list = addLocalChunk(memory, static_cast<LocalChunk *>(list), bytes, align < 16 ? 16 : align);
  return takeLocal(list, bytes, align);
}

/// Where the list ends now; null if it is empty.
inline void *markLocals(void *list) { return list ? static_cast<LocalChunk *>(list)->top : nullptr; }

/// Frees what was allocated since `mark` was taken, if all of it is in the newest chunk; else returns false.
inline bool dropLocals(void *list, void *mark) {
  auto *chunk = static_cast<LocalChunk *>(list);
  if (!chunk || !(mark > chunk && mark <= chunk->end))
    return !chunk;
  chunk->top = static_cast<char *>(mark);
  return true;
}

/// Frees what was allocated since `mark` was taken; null: everything.
template <typename Memory> void releaseLocals(Memory &memory, void *&list, void *mark) {
  while (!dropLocals(list, mark)) {
    auto *chunk = static_cast<LocalChunk *>(list);
    list = chunk->older;
    memory.release(chunk, chunk->bytes(), chunk->align);
  }
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_AGGREGATOR_TASKLOCALS_H
