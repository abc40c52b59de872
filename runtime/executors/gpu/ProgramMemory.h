// The program's blocks in managed memory, for programs that are linked with -foffload-managed: its large blocks, and
// all blocks that tasks allocate. A device that reaches registered memory only has them in its own memory while it uses
// them. Otherwise each access goes over the bus.
//
// Blocks that were freed are kept for the next blocks, because a driver frees memory only when no kernel runs.
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_PROGRAMMEMORY_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_PROGRAMMEMORY_H

#include "executors/gpu/Slabs.h"
#include "executors/gpu/SmallParts.h"

#include <pthread.h>

namespace cilk2gpu::device {

class ProgramMemory {
public:
  /// Returns memory that is aligned to a page; null: the driver has none, or the lists could not grow.
  void *allocate(const Driver &driver, uint64_t bytes);
  /// The same for a block of any size. `align` is at most Slabs::kPage; else returns null.
  void *allocateSmall(const Driver &driver, uint64_t bytes, uint64_t align);
  /// Takes back a block that one of the functions above has returned.
  void release(void *block);
  /// Returns the size of a block, which may be more than was asked for; 0: it is none of these functions.
  uint64_t sizeOf(const void *block);
  /// Moves all blocks that are in use to the device, before kernels that are launched later use them.
  Status moveToDevice(const Driver &driver);
  /// Adds all memory that came from the driver to a list. Returns false if the list could not grow.
  bool listAll(BlockList &list);

private:
  void *takeUnused(uint64_t bytes);
  void *takeSmall(uint64_t bytes, uint64_t align);
  bool rangeOf(const BlockList &list, uint64_t index, HostRange &range);

  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  BlockList used, all; ///< blocks of the program; memory from the driver
  Slabs unused;
  SmallParts small;                      ///< in blocks of `used`
  uint64_t low = ~uint64_t(0), high = 0; ///< addresses of all blocks so far; atomic
};

/// The process's memory of this kind.
ProgramMemory &programMemory();

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_PROGRAMMEMORY_H
