// The executors of CILK2GPU_DEVICE=gpu-host. They run the GPU form of kernels, with lanes as fibers. As on a GPU, there
// is one scheduler, and it works strictly level by level, because a device needs many lanes at once.
//
//   GpuHostExecutor         CILK2GPU_AGGREGATOR=host        calls kernels on the thread that runs the graph
//   PersistentHostExecutor  CILK2GPU_AGGREGATOR=persistent  launches threads for a run of the graph
#ifndef CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_GPUHOSTEXECUTORS_H
#define CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_GPUHOSTEXECUTORS_H

#include "executors/gpu-host/GpuHost.h"
#include "executors/gpu-host/PersistentHost.h"
#include "executors/native/PoolExecutor.h"

namespace cilk2gpu::rt {

class GpuHostExecutor final : public PoolExecutor {
public:
  explicit GpuHostExecutor(const ExecutorSetup &setup);

  abi::Cursor *root(const TaskInfo *task) override;
  void run() override;
  void writeCounters(StatisticsFile &out) const override;

private:
  Control &control;
  device::GpuHost lanes;
  WorkerPool pool;
};

class PersistentHostExecutor final : public PoolExecutor {
public:
  explicit PersistentHostExecutor(const ExecutorSetup &setup);

  abi::Cursor *root(const TaskInfo *task) override;
  void run() override;

  uint32_t workers() const override { return kernel.most(); }
  uint32_t availableWorkers() const override { return kernel.workers(); }
  bool limitWorkers(uint32_t count) override;

  Counters counters(const TaskTable &tasks, bool mayRun) const override;
  void writeCounters(StatisticsFile &out) const override;

  void beforeFork() override;
  void afterForkInParent() override;
  void afterForkInChild() override;

private:
  static void aggregate(void *executor);

  Control &control;
  device::PersistentHost kernel;
  WorkerPool pool;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_GPU_HOST_GPUHOSTEXECUTORS_H
