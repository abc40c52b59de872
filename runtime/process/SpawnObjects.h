// Storage for objects that a parent constructs for a spawned call and the child destroys. The two may run on different
// threads, so the storage is no arena's. It is counted, and charged to the memory cap, as the memory of arenas is.
//
//   block:  | padding to align | SpawnObjects::Header: size, align | objects ... |
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_PROCESS_SPAWNOBJECTS_H
#define CILK2GPU_RUNTIME_PROCESS_SPAWNOBJECTS_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

class SpawnObjects {
public:
  /// Charges `budget`, if it is not null.
  explicit SpawnObjects(MemoryBudget *budget) : budget(budget) {}
  SpawnObjects(const SpawnObjects &) = delete;

  /// Returns storage. Ends the process with a message if there is none. `align` is a power of two.
  void *allocate(uint64_t bytes, uint64_t align);
  void release(void *objects);

  /// Returns the most bytes that were in use at one time.
  uint64_t highWater() const { return __atomic_load_n(&most, __ATOMIC_RELAXED); }

private:
  struct Header {
    uint64_t bytes, align; ///< of the whole block
  };

  MemoryBudget *budget;
  uint64_t used = 0, most = 0; ///< atomic; relaxed order: sums that no other memory depends on
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_SPAWNOBJECTS_H
