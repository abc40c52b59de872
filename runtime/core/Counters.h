// Counters of a run (see Counters.def) and of each kernel.
//
// Thread-safety: a counter has one writer, its scheduler's thread, which uses count(). Another thread may read
// statistics while it runs. Relaxed order is enough, because no thread reads other memory on the strength of a count.
#ifndef CILK2GPU_RUNTIME_CORE_COUNTERS_H
#define CILK2GPU_RUNTIME_CORE_COUNTERS_H

#include <stdint.h>

namespace cilk2gpu::rt {

/// Adds to a counter that this thread alone writes.
inline void count(uint64_t &counter, uint64_t amount) {
  __atomic_store_n(&counter, __atomic_load_n(&counter, __ATOMIC_RELAXED) + amount, __ATOMIC_RELAXED);
}

/// Raises a high-water mark that this thread alone writes.
inline void raise(uint64_t &counter, uint64_t value) {
  if (value > __atomic_load_n(&counter, __ATOMIC_RELAXED))
    __atomic_store_n(&counter, value, __ATOMIC_RELAXED);
}

inline uint64_t read(const uint64_t &counter) { return __atomic_load_n(&counter, __ATOMIC_RELAXED); }

struct Counters {
#define CILK2GPU_COUNTER(name, combine, unit, description) uint64_t name = 0;
#include "core/Counters.def"
#undef CILK2GPU_COUNTER

  /// Combines another worker's counters into these.
  void combine(const Counters &other) {
#define CILK2GPU_SUM(name) name += read(other.name);
#define CILK2GPU_MAX(name) name = read(other.name) > name ? read(other.name) : name;
#define CILK2GPU_COUNTER(name, combine, unit, description) CILK2GPU_##combine(name)
#include "core/Counters.def"
#undef CILK2GPU_COUNTER
#undef CILK2GPU_MAX
#undef CILK2GPU_SUM
  }
};

/// Counters of one kernel in one scheduler.
struct KernelCounters {
  uint64_t lanes = 0;               ///< dispatched fresh
  uint64_t vectorLanes = 0;         ///< as above, in vectors
  uint64_t wavefronts = 0;          ///< dispatched fresh
  uint64_t restartedLanes = 0;      ///< of yielded lanes
  uint64_t restartedWavefronts = 0; ///< of yielded lanes
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_COUNTERS_H
