// The host's side of a persistent kernel on a GPU (CILK2GPU_AGGREGATOR=persistent). A run of the graph is one launch,
// or a few launches if memory has to grow. PersistentRecord.h describes what each side does.
//
//   PersistentGpu kernel(gpu, limits, budget, workers);
//   WorkerPool pool(limits, kernel.environment());
//   pool.root(kernel.find(task));
//   pool.run([&](Worker &worker) { kernel.run(worker.scheduler, worker.environment); });
//
// Scheduler, levels, elements, frames and copies of the tasks are in managed memory. Between launches the host
// allocates from this memory, and during a launch the kernel's aggregator does.
//
// Errors end the process with one line.
//
// Thread-safety: only the host thread whose turn it is.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H

#include "device/PersistentRecord.h"
#include "executors/gpu/Gpu.h"

namespace cilk2gpu::device {

class PersistentGpu {
public:
  /// `gpu` is open. `most` limits all memory together. `workers`: wavefronts beside the aggregator's wavefront; 0: as
  /// many as can be resident.
  PersistentGpu(Gpu &gpu, const rt::Limits &limits, const rt::MemoryBudget &most, uint32_t workers);
  PersistentGpu(const PersistentGpu &) = delete;

  /// Returns the environment of a scheduler that the kernel will run. The scheduler gets a copy of it.
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
  rt::TaskInfo **copies = nullptr; ///< by TaskInfo::index; null: the task has no copy
  uint64_t numCopies = 0;
  uint32_t blocks = 0;
};

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_PERSISTENTGPU_H
