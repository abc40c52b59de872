// Runs the aggregator of an executor, on the host. A derived class runs it on a control processor
// (firmware/FirmwareControl.h). Executors use this interface and do not know which of the two it is.
//
// Thread-safety: none; only the thread that runs the graph calls these functions.
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
  /// Returns the functions that run the modelled machine's aggregator; null: the host runs it.
  virtual const ControlHooks *modelHooks() { return nullptr; }
  /// Writes the counters of the control processor, if there is one.
  virtual void writeCounters(StatisticsFile &) const {}

protected:
  ~Control() = default;
};

/// Runs the aggregator on the host.
class HostControl final : public Control {};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_CONTROL_H
