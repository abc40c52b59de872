// Counts of the ordered tasks of the process, and of the memory of their tables, for the statistics.
//
// Thread-safety: any thread may count. The counts are exact when no frame creates tasks.
#ifndef CILK2GPU_RUNTIME_DEPEND_DEPENDMEMORY_H
#define CILK2GPU_RUNTIME_DEPEND_DEPENDMEMORY_H

#include <stdint.h>

namespace cilk2gpu::rt {

struct DependCounters {
#define CILK2GPU_DEPEND_COUNTER(name, unit, description) uint64_t name = 0;
#include "depend/DependCounters.def"
};

/// Returns the counts of the process up to now.
DependCounters dependCounters();

/// Counts of one table. The numbers of tasks join those of the process when the table ends.
class DependMemory {
public:
  DependMemory();
  ~DependMemory();
  DependMemory(const DependMemory &) = delete;

  /// Counts memory that the table has taken or given back.
  void take(uint64_t bytes);
  void give(uint64_t bytes);
  /// Counts tasks that have waited in the table together.
  void countTasks(uint32_t number, uint32_t numLevels);

private:
  uint64_t bytes = 0, tasks = 0, levels = 0;
  uint32_t waiting = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_DEPEND_DEPENDMEMORY_H
