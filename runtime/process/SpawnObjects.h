// Storage for objects that a spawner constructs for a spawned call and the child destroys: from any thread to any
// other, so it is no arena's. Counted, and charged to the memory cap, like the arenas' memory.
//
//   block:  | padding to align | SpawnObjects::Header: size, align | objects ... |
//
// Thread-safety: all functions may be called by any thread.
#ifndef CILK2GPU_RUNTIME_PROCESS_SPAWNOBJECTS_H
#define CILK2GPU_RUNTIME_PROCESS_SPAWNOBJECTS_H

#include "core/Environment.h"

namespace cilk2gpu::rt {

class SpawnObjects {
public:
  /// Charges `budget`, if it is not null.
  explicit SpawnObjects(MemoryBudget *budget) : budget(budget) {}
  SpawnObjects(const SpawnObjects &) = delete;

  /// Never null: what cannot be had ends the process with a message. `align` is a power of two.
  void *allocate(uint64_t bytes, uint64_t align);
  void release(void *objects);

  /// The most bytes that were in use at one time.
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
