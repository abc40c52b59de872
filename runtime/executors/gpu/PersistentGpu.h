// The host's side of a persistent kernel on a GPU (CILK2GPU_AGGREGATOR=persistent). A run of the graph is one launch,
// or a few if memory has to grow. PersistentRecord.h says what each side does.
//
//   PersistentGpu kernel(gpu, limits, budget, workers);
//   WorkerPool pool(limits, kernel.environment());
//   pool.root(kernel.find(task));
//   pool.run([&](Worker &worker) { kernel.run(worker.scheduler, worker.environment); });
//
// Scheduler, levels, elements, frames and copies of the tasks are in managed memory. The host gives it out between
// launches, and the kernel's aggregator while it runs.
//
// Errors end the process with one line.
//
// Thread-safety: one thread at a time, which has the host's turn.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H

#include "device/PersistentRecord.h"
#include "executors/gpu/Gpu.h"

namespace cilk2gpu::device {

class PersistentGpu {
public:
  /// `gpu` was opened. `most` limits all memory together. `workers`: wavefronts beside the aggregator's; 0: as many as
  /// are resident.
  PersistentGpu(Gpu &gpu, const rt::Limits &limits, const rt::MemoryBudget &most, uint32_t workers);
  PersistentGpu(const PersistentGpu &) = delete;

  /// Returns the environment of a scheduler that the kernel is to run. The scheduler gets a copy.
  const rt::Environment &environment() const { return own; }

  /// Returns the kernel's copy of the program's `task`, and reserves memory for more roots of it.
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
