// The executors of CILK2GPU_DEVICE=hip and cuda. They run kernels on an opened GPU (DeviceChoice.h).
//
//   GpuExecutor             CILK2GPU_AGGREGATOR=host        a launch for each dispatch
//   PersistentGpuExecutor   CILK2GPU_AGGREGATOR=persistent  one launch, or a few, for a run of the graph
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_GPUEXECUTORS_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_GPUEXECUTORS_H

#include "executors/gpu/PersistentGpu.h"
#include "executors/native/PoolExecutor.h"

namespace cilk2gpu::rt {

/// The common part of both executors.
class AnyGpuExecutor : public PoolExecutor {
public:
  AnyGpuExecutor(const ExecutorSetup &setup, WorkerPool &pool);

  Counters counters(const TaskTable &tasks, bool mayRun) const override;
  void writeFacts(StatisticsFile &out) const override;
  /// Returns false: tasks on a GPU can neither wait for a host thread nor take its locks.
  bool mayAwaitHost() const override { return false; }
  bool losesCountersAtExit() const override { return true; }
  void afterForkInChild() override;

protected:
  ~AnyGpuExecutor() = default;
  /// Called before and after a run of the graph.
  void beginRun();
  void endRun();

  device::Gpu &gpu;

private:
  void countRegistering(uint64_t start);

  uint64_t registering = 0; ///< nanoseconds in which the program's memory was made visible and hidden again
};

class GpuExecutor final : public AnyGpuExecutor {
public:
  explicit GpuExecutor(const ExecutorSetup &setup);

  abi::Cursor *root(const TaskInfo *task) override;
  void run() override;

private:
  WorkerPool pool;
};

class PersistentGpuExecutor final : public AnyGpuExecutor {
public:
  explicit PersistentGpuExecutor(const ExecutorSetup &setup);

  abi::Cursor *root(const TaskInfo *task) override;
  void run() override;
  /// Returns false: not all GPUs let the host read managed memory while a kernel runs.
  bool isReadable() const override { return false; }

private:
  device::PersistentGpu kernel;
  WorkerPool pool;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_GPUEXECUTORS_H
