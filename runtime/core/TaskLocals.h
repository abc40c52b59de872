// Storage of variable size for tasks: a stack that begins in the task's frame (abi::TaskLocals) and grows by chunks.
//
//   locals: | top, end, newest | first ...                      |      the frame's part
//   chunk:  | LocalChunk | storage ... | free ...               |      `newest` is on top; the others hold no more
//                                      ^ top                    ^ end
//
// `Memory` has allocate(bytes, align), which never returns null, and release(memory, bytes, align). They are called
// only when a chunk is added or freed.
//
// Thread-safety: a stack belongs to one task; allocations are as safe as `Memory`. Freestanding; for host and devices.
#ifndef CILK2GPU_RUNTIME_CORE_TASKLOCALS_H
#define CILK2GPU_RUNTIME_CORE_TASKLOCALS_H

#include "core/Tunables.h"

// The runtime is compiled with hidden visibility. Functions that compiled programs call are not hidden.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Records.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

struct LocalChunk {
  LocalChunk *older;
  char *olderTop, *olderEnd; ///< free part of the older chunk, or of the frame, when this chunk was added
  uint64_t bytes, align;

  char *start() { return reinterpret_cast<char *>(this); }
  char *end() { return start() + bytes; }
};

inline uint64_t alignLocal(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

/// Makes an empty stack, as a kernel does before the first use.
inline void initialiseLocals(abi::TaskLocals &locals) {
  locals.top = locals.first;
  locals.end = locals.first + abi::kFrameLocals;
  locals.newest = nullptr;
}

template <typename Memory> void addLocalChunk(Memory &memory, abi::TaskLocals &locals, uint64_t bytes, uint64_t align) {
  uint64_t header = alignLocal(sizeof(LocalChunk), 16), total;
  // One byte more, because takeLocal never uses the last byte. After an overflow, `total` is so large that the memory
  // refuses it.
  if (__builtin_add_overflow(bytes, header + align + 1, &total) || total > ~uint64_t(15))
    total = ~uint64_t(15);
  auto *older = static_cast<LocalChunk *>(locals.newest);
  uint64_t usual = older ? 2 * older->bytes : tunables::kFirstLocalChunk;
  if (usual > tunables::kLargestLocalChunk)
    usual = tunables::kLargestLocalChunk;
  total = alignLocal(total < usual ? usual : total, 16);
  auto *chunk = static_cast<LocalChunk *>(memory.allocate(total, align));
  *chunk = {older, locals.top, locals.end, total, align};
  locals.newest = chunk;
  locals.top = chunk->start() + header;
  locals.end = chunk->end();
}

/// Returns storage of `bytes` bytes, aligned to `align` (a power of two); null if the newest chunk has no room for it
/// and one more byte. Kernels contain the same code for alignments up to 16.
inline void *takeLocal(abi::TaskLocals &locals, uint64_t bytes, uint64_t align) {
  uint64_t top = reinterpret_cast<uint64_t>(locals.top), gap = alignLocal(top, align < 16 ? 16 : align) - top;
  uint64_t room = uint64_t(locals.end - locals.top);
  if (gap >= room || bytes >= room - gap)
    return nullptr;
  char *start = locals.top + gap;
  locals.top = start + alignLocal(bytes, 16);
  return start;
}

/// Returns storage as takeLocal does. Adds a chunk if necessary.
template <typename Memory>
void *allocateLocal(Memory &memory, abi::TaskLocals &locals, uint64_t bytes, uint64_t align) {
  if (void *start = takeLocal(locals, bytes, align))
    return start;
  addLocalChunk(memory, locals, bytes, align < 16 ? 16 : align);
  return takeLocal(locals, bytes, align);
}

/// Frees the storage that was allocated since `mark` was the top, and returns true, if it is all in the newest chunk.
/// Otherwise returns false.
inline bool dropLocals(abi::TaskLocals &locals, void *mark) {
  auto *chunk = static_cast<LocalChunk *>(locals.newest);
  if (chunk && !(mark > chunk && mark <= chunk->end()))
    return false;
  locals.top = mark ? static_cast<char *>(mark) : locals.first;
  return true;
}

/// Frees the storage that was allocated since `mark` was the top. If `mark` is null, frees all storage.
template <typename Memory> void releaseLocals(Memory &memory, abi::TaskLocals &locals, void *mark) {
  while (!dropLocals(locals, mark)) {
    auto *chunk = static_cast<LocalChunk *>(locals.newest);
    locals.newest = chunk->older;
    locals.top = chunk->olderTop;
    locals.end = chunk->olderEnd;
    memory.release(chunk, chunk->bytes, chunk->align);
  }
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_TASKLOCALS_H
