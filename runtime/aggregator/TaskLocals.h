// Storage of variable size for tasks: blocks of an arena, counted with channels and frames, that a task keeps in a list
// of its own (__cilk2gpu_local and __cilk2gpu_release in abi/Records.h).
//
//   block:  | padding to align | LocalHeader: next block of the list, size | storage ... |
//
// Thread-safety: that of the arena. Freestanding.
#ifndef CILK2GPU_RUNTIME_AGGREGATOR_TASKLOCALS_H
#define CILK2GPU_RUNTIME_AGGREGATOR_TASKLOCALS_H

#include "aggregator/Arena.h"

namespace cilk2gpu::rt {

/// Precedes a task's block of variable size; the list links what follows it, the program's part.
struct LocalHeader {
  void *next;
  uint64_t bytes, align; ///< of the whole block
};

inline uint64_t headerSpace(uint64_t align) { return (sizeof(LocalHeader) + align - 1) & ~(align - 1); }

inline void *allocateLocal(Arena &arena, void *&list, uint64_t bytes, uint64_t align) {
  if (align < 16)
    align = 16;
  uint64_t space = headerSpace(align), total;
  if (__builtin_add_overflow(bytes, space, &total))
    total = ~uint64_t(0); // more than there is: the arena says so
  char *block = static_cast<char *>(arena.allocate(total, align)) + space;
  reinterpret_cast<LocalHeader *>(block)[-1] = {list, total, align};
  arena.measure(Arena::blockBytes(total, align));
  list = block;
  return block;
}

inline void releaseLocals(Arena &arena, void *&list, void *mark) {
  while (list && list != mark) {
    char *block = static_cast<char *>(list);
    LocalHeader header = reinterpret_cast<LocalHeader *>(block)[-1];
    list = header.next;
    arena.unmeasure(Arena::blockBytes(header.bytes, header.align));
    arena.release(block - headerSpace(header.align), header.bytes, header.align);
  }
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_AGGREGATOR_TASKLOCALS_H
