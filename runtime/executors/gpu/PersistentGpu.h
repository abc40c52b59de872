// The host's side of a persistent kernel on a GPU (CILK2GPU_AGGREGATOR=persistent): one launch for a run of the graph,
// or a few where memory has to grow. PersistentRecord.h says who does what.
//
//   PersistentGpu kernel(gpu, limits, budget, workers);
//   WorkerPool pool(limits, 1, {}, nullptr, nullptr, &kernel.environment());
//   pool.root(kernel.find(task)) ...
//   pool.run(kernel)                               // in place of the scheduler's own loop
//
// Scheduler, levels, elements, frames and what the scheduler knows of the tasks are in managed memory, which is given
// out in turns: by the host between launches, by the kernel's aggregator while it runs.
//
// Errors end the process with one line. Thread-safety: one thread at a time, which has the host's turn.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H

#include "device/PersistentRecord.h"
#include "executors/gpu/Gpu.h"

namespace cilk2gpu::device {

class PersistentGpu {
public:
  /// On a device that was opened. `most`: what all memory together may take. `workers`: wavefronts beside the
  /// aggregator's; 0: as many as are resident.
  PersistentGpu(Gpu &gpu, const rt::Limits &limits, const rt::MemoryBudget &most, uint32_t workers);
  PersistentGpu(const PersistentGpu &) = delete;

  /// Of a scheduler that the kernel is to run; a copy of it becomes the scheduler's.
  const rt::Environment &environment() const { return own; }

  /// What the kernel knows as the program's `task`; makes sure that there is memory for more roots of it.
  const rt::TaskInfo *find(const rt::TaskInfo *task);

  /// Runs the graph until it is empty.
  void run(rt::Scheduler &scheduler, rt::Environment &environment);

private:
  void placeRecord(const rt::MemoryBudget &most);
  void chooseGrid(uint32_t workers);
  void reserve();
  rt::TaskInfo *&copyOf(const rt::TaskInfo &task);
  rt::TaskInfo *copy(const rt::TaskInfo &task);
  const char *copy(const char *text);
  abi::LaneFn laneOf(const rt::KernelInfo &kernel) const;
  template <typename T> T *allocate(uint64_t count) {
    return static_cast<T *>(tables.allocate(count * sizeof(T), alignof(T)));
  }

  Gpu &gpu;
  const rt::Limits limits;
  const ImageSet::PersistentCode *code;
  PersistentRecord *record = nullptr;
  rt::Environment own;
  rt::Arena tables{own};           ///< copies of tasks
  rt::TaskInfo **copies = nullptr; ///< by index; null where there is none
  uint64_t numCopies = 0;
  uint32_t blocks = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H
