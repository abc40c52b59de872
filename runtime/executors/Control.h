// Who runs the aggregator of an executor: the host, by this class, or a control processor, by one that is derived from
// it (firmware/FirmwareControl.h). Executors ask, and do not know which.
//
// Thread-safety: none; the thread that runs the graph.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_CONTROL_H
#define CILK2GPU_RUNTIME_EXECUTORS_CONTROL_H

#include "core/Scheduler.h"

namespace cilk2gpu::rt {

class StatisticsFile;
struct ControlHooks;

class Control {
public:
  Control() = default;
  Control(const Control &) = delete;

  /// Returns the description of the program's `task` that the aggregator uses.
  virtual const TaskInfo *find(const TaskInfo *task) { return task; }
  /// Runs a device's scheduler until its graph is empty. `environment` is the scheduler's.
  virtual void runScheduler(Scheduler &scheduler, Environment &) { scheduler.run(0, 0); }
  /// Returns who runs the modelled machine's aggregator; null: the host.
  virtual const ControlHooks *modelHooks() { return nullptr; }
  /// Writes the counters of whoever runs the aggregator.
  virtual void writeCounters(StatisticsFile &) const {}

protected:
  ~Control() = default;
};

/// The host.
class HostControl final : public Control {};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_CONTROL_H
