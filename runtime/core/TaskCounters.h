// The counters of kernels: one array for each task that ran in a scheduler.
//
// Thread-safety: one thread adds arrays; find() may be called by any thread. Arrays and tables are published with
// release order and never released, so that find() needs no lock.
#ifndef CILK2GPU_RUNTIME_CORE_TASKCOUNTERS_H
#define CILK2GPU_RUNTIME_CORE_TASKCOUNTERS_H

#include "core/Counters.h"
#include "core/TaskTable.h"

namespace cilk2gpu::rt {

class TaskCounters {
public:
  /// Returns the counters of the task's kernels. Allocates them in `arena` if they are new.
  KernelCounters *of(Arena &arena, const TaskInfo &task);

  /// Returns the counters of the task's kernels; null if the task never ran here.
  const KernelCounters *find(const TaskInfo &task) const;

  /// Adds the counters of all tasks' kernels to `sum`.
  void addTo(Counters &sum, const TaskTable &tasks) const;

  /// Returns the most bytes that the tables and arrays could have taken.
  uint64_t bound() const;

private:
  KernelCounters **table = nullptr; ///< by TaskInfo::index
  uint64_t size = 0, arrayBytes = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_TASKCOUNTERS_H
