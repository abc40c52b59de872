// Memory of one launch of thread blocks. It is measured, and released as a whole when the launch ends. Some of it is
// kept for the next launch: the system takes longer to give fresh pages than a block takes to run.
//
//   BlockMemory memory;
//   auto *counts = memory.zeroed<uint32_t>(nodes, "counts of parents");
//
// highWater() counts all bytes of the allocations, with their headers. boundOf() is the most that an array takes, so
// sums of it are a bound of highWater().
//
// Thread-safety: any thread may allocate and release; highWater() belongs to the launching thread.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKMEMORY_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKMEMORY_H

#include "core/Environment.h"

#include <pthread.h>
#include <stdint.h>

namespace cilk2gpu::rt {

class BlockMemory {
public:
  BlockMemory();
  ~BlockMemory();
  BlockMemory(const BlockMemory &) = delete;

  /// Returns an array. Where there is no memory for it, the process ends with a message that names `what`.
  template <class T> T *array(uint64_t count, const char *what) {
    return static_cast<T *>(allocate(count * sizeof(T), what));
  }
  /// As above, with zeros.
  template <class T> T *zeroed(uint64_t count, const char *what) {
    T *result = array<T>(count, what);
    __builtin_memset(result, 0, count * sizeof(T));
    return result;
  }
  /// Releases an array; null: nothing.
  void release(const void *array);

  uint64_t highWater() const { return most; }

  /// Returns the most bytes that an array of `count` elements takes: with its header, and in a kept array that is
  /// larger by an eighth.
  template <class T> static uint64_t boundOf(uint64_t count) {
    uint64_t bytes = count * sizeof(T) + sizeof(Header);
    return bytes + bytes / 8;
  }

private:
  /// Stands before each array.
  struct alignas(64) Header {
    Header *next, *previous; ///< in a list of kept arrays, `next` only
    uint64_t room;           ///< bytes of the allocation, with the header
  };

  void *allocate(uint64_t bytes, const char *what);
  static Header *takeKept(uint64_t bytes);
  static bool keep(Header *header);

  Environment environment;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; ///< guards what follows
  Header arrays = {&arrays, &arrays, 0};             ///< head of a ring
  uint64_t used = 0, most = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKMEMORY_H
