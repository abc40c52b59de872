// Storage for objects that a parent constructs for a spawned call and the child destroys. Parent and child may run on
// different threads, so the storage does not come from an arena. Like the memory of arenas, it is counted and charged
// to the memory cap.
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
  /// `budget` is charged for the storage; null: no budget.
  explicit SpawnObjects(MemoryBudget *budget) : budget(budget) {}
  SpawnObjects(const SpawnObjects &) = delete;

  /// Returns storage. If there is no memory, ends the process with a message. `align` is a power of two.
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
