// The executor of CILK2GPU_DEVICE=model: the modelled GPU (Model.h), with the machine that the settings describe.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELEXECUTOR_H
#define CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELEXECUTOR_H

#include "executors/Executor.h"
#include "executors/model/Model.h"

namespace cilk2gpu::rt {

/// Returns the machine that the settings describe.
MachineSettings machineSettings(const Settings &settings);

class ModelExecutor final : public Executor {
public:
  explicit ModelExecutor(const ExecutorSetup &setup);

  abi::Cursor *root(const TaskInfo *task) override;
  void publishRoot() override;
  void run() override;

  Counters counters(const TaskTable &tasks, bool mayRun) const override;
  KernelCounters kernelCounters(const TaskInfo &task, uint32_t kernel) const override;
  uint64_t progress() const override { return model.progress(); }
  /// Makes the machine's own thread write the report. If that thread does not answer in time, it runs a kernel, and the
  /// calling thread writes the report.
  void report(void (*line)(void *context, const char *text), void *context) override;
  /// Makes the machine's own thread stop, as above.
  void halt() override { ask(Model::Request::Halt); }

  void writeFacts(StatisticsFile &out) const override;
  void writeCounters(StatisticsFile &out) const override;
  void writeTaskMembers(StatisticsFile &out, const TaskInfo &task) const override;
  const MachineTrace *trace() const override { return &events; }

private:
  bool ask(Model::Request request);

  const Settings &settings;
  Control &control;
  Model model;
  const MachineTrace events;
  uint64_t runningSince = 0; ///< time at which the run began; 0: no run is under way; atomic
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_MODEL_MODELEXECUTOR_H
