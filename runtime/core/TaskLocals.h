// Storage of variable size for tasks: a stack that begins in the task's frame (abi::TaskLocals) and grows by chunks.
//
//   locals: | top, end, newest | first ...                      |      the frame's part
//   chunk:  | LocalChunk | storage ... | free ...               |      `newest` is on top; the others hold no more
//                                      ^ top                    ^ end
//
// `Memory` has allocate(bytes, align), which never returns null, and release(memory, bytes, align); it is needed only
// where a chunk is added or freed.
//
// Thread-safety: that of the memory; the stack belongs to one task. Freestanding; for host and devices.
#ifndef CILK2GPU_RUNTIME_CORE_TASKLOCALS_H
#define CILK2GPU_RUNTIME_CORE_TASKLOCALS_H

#include "core/Tunables.h"

// The runtime is compiled with hidden visibility; what compiled programs call is not hidden.
#pragma GCC visibility push(default)
#include "cilk2gpu/abi/Records.h"
#pragma GCC visibility pop

namespace cilk2gpu::rt {

struct LocalChunk {
  LocalChunk *older;
  char *olderTop, *olderEnd; ///< what was free below when this became the newest
  uint64_t bytes, align;

  char *start() { return reinterpret_cast<char *>(this); }
  char *end() { return start() + bytes; }
};

inline uint64_t alignLocal(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

/// As a kernel makes it before the first use.
inline void initialiseLocals(abi::TaskLocals &locals) {
  locals.top = locals.first;
  locals.end = locals.first + abi::kFrameLocals;
  locals.newest = nullptr;
}

template <typename Memory> void addLocalChunk(Memory &memory, abi::TaskLocals &locals, uint64_t bytes, uint64_t align) {
  uint64_t header = alignLocal(sizeof(LocalChunk), 16), total;
  // One byte more, as takeLocal leaves it. The memory refuses more bytes than there are.
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

/// Storage of `bytes` bytes, aligned to `align` (a power of two), where there is room for more than it; else null.
/// Kernels do the same where `align` is 16 at most.
inline void *takeLocal(abi::TaskLocals &locals, uint64_t bytes, uint64_t align) {
  uint64_t top = reinterpret_cast<uint64_t>(locals.top), gap = alignLocal(top, align < 16 ? 16 : align) - top;
  uint64_t room = uint64_t(locals.end - locals.top);
  if (gap >= room || bytes >= room - gap)
    return nullptr;
  char *start = locals.top + gap;
  locals.top = start + alignLocal(bytes, 16);
  return start;
}

/// As takeLocal, if need be in a new chunk.
template <typename Memory>
void *allocateLocal(Memory &memory, abi::TaskLocals &locals, uint64_t bytes, uint64_t align) {
  if (void *start = takeLocal(locals, bytes, align))
    return start;
  addLocalChunk(memory, locals, bytes, align < 16 ? 16 : align);
  return takeLocal(locals, bytes, align);
}

/// Frees what was allocated since `mark` was the top, if it is all in one piece; else returns false.
inline bool dropLocals(abi::TaskLocals &locals, void *mark) {
  auto *chunk = static_cast<LocalChunk *>(locals.newest);
  if (chunk && !(mark > chunk && mark <= chunk->end()))
    return false;
  locals.top = mark ? static_cast<char *>(mark) : locals.first;
  return true;
}

/// Frees what was allocated since `mark` was the top; null: everything.
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
