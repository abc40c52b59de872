// See TaskCounters.h.
#include "core/TaskCounters.h"
#include "core/MemoryBound.h"

namespace cilk2gpu::rt {

KernelCounters *TaskCounters::of(Arena &arena, const TaskInfo &task) {
  if (task.index >= size) {
    uint64_t grown = task.index + 1 > 2 * size ? task.index + 1 : 2 * size;
    KernelCounters **fresh = arena.allocateArray<KernelCounters *>(grown);
    for (uint64_t i = 0; i < size; ++i)
      fresh[i] = table[i];
    __atomic_store_n(&table, fresh, __ATOMIC_RELEASE); // pairs with find()
    __atomic_store_n(&size, grown, __ATOMIC_RELEASE);  // pairs with find()
  }
  KernelCounters *&entry = table[task.index];
  if (!entry) {
    arrayBytes += Arena::blockBytes(task.numKernels * sizeof(KernelCounters), alignof(KernelCounters));
    __atomic_store_n(&entry, arena.allocateArray<KernelCounters>(task.numKernels), __ATOMIC_RELEASE); // with find()
  }
  return entry;
}

const KernelCounters *TaskCounters::find(const TaskInfo &task) const {
  // The size is read first, so that the table is at least as new as the size.
  if (task.index >= __atomic_load_n(&size, __ATOMIC_ACQUIRE)) // pairs with of()
    return nullptr;
  KernelCounters *const *newest = __atomic_load_n(&table, __ATOMIC_ACQUIRE); // pairs with of()
  return __atomic_load_n(&newest[task.index], __ATOMIC_ACQUIRE);             // pairs with of()
}

void TaskCounters::addTo(Counters &sum, const TaskTable &tasks) const {
  for (const TaskInfo *task = tasks.first(); task; task = task->next)
    if (const KernelCounters *kernels = find(*task))
      for (uint32_t k = 0; k < task->numKernels; ++k) {
        (k ? sum.post_sync_lanes : sum.tasks) += read(kernels[k].lanes);
        sum.wavefronts += read(kernels[k].wavefronts);
        sum.restarted_lanes += read(kernels[k].restartedLanes);
        sum.restarted_wavefronts += read(kernels[k].restartedWavefronts);
        sum.dispatches += read(kernels[k].wavefronts) + read(kernels[k].restartedWavefronts);
      }
}

uint64_t TaskCounters::bound() const {
  return ByteSum().add(2 * arrayBound(size, sizeof(KernelCounters *))).add(arrayBytes).value();
}

} // namespace cilk2gpu::rt
