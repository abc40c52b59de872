// CILK2GPU_DEVICE=model: the modelled GPU (Model.h) as an executor, with the machine that settings describe.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELEXECUTOR_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELEXECUTOR_H

#include "executors/Executor.h"
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

/// Returns the machine that settings describe.
MachineSettings machineSettings(const Settings &settings);

class ModelExecutor final : public Executor {
public:
  explicit ModelExecutor(const ExecutorSetup &setup);

  abi::Cursor *root(const TaskInfo *task) override;
  void publishRoot() override;
  void run() override;

  Counters counters(const TaskTable &tasks) const override { return model.counters(tasks); }
  KernelCounters kernelCounters(const TaskInfo &task, uint32_t kernel) const override;
  uint64_t progress() const override { return model.progress(); }
  /// Has the machine's own thread write the report: it knows best. A thread that does not answer in time runs a
  /// kernel; the report is then written here.
  void report(void (*line)(void *context, const char *text), void *context) override;

  void writeFacts(StatisticsFile &out) const override;
  void writeCounters(StatisticsFile &out) const override;
  void writeTaskMembers(StatisticsFile &out, const TaskInfo &task) const override;
  const MachineTrace *trace() const override { return &events; }

private:
  const Settings &settings;
  Control &control;
  Model model;
  const MachineTrace events;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELEXECUTOR_H
