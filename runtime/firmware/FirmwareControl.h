// An executor's aggregator as firmware (CILK2GPU_FIRMWARE): a control processor in place of the host.
//
//   FirmwareControl control(settings, environment);
//   control.boot(&engine, sizeof engine, tasks);   // the executor is made in the engine's storage
//
// Thread-safety: none; only the thread that runs the graph.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_FIRMWARECONTROL_H
#define CILK2GPU_RUNTIME_FIRMWARE_FIRMWARECONTROL_H

#include "executors/Control.h"
#include "firmware/ModelFirmware.h"
#include "process/Settings.h"

namespace cilk2gpu::rt {

class FirmwareControl final : public Control {
public:
  /// Loads the image that the settings name. From now on, `environment` allocates memory that both sides can access.
  /// The executor must end before `environment` and this object.
  FirmwareControl(const Settings &settings, Environment &environment)
      : processor(settings.firmware, settings.unicornLibrary, environment), model(processor, environment) {}

  /// Shares the object in which the executor will be built with the processor, and starts the firmware.
  void boot(const void *object, uint64_t bytes, const TaskTable &tasks) {
    processor.share(object, bytes);
    processor.boot(tasks);
  }

  const TaskInfo *find(const TaskInfo *task) override { return processor.find(task); }
  void runScheduler(Scheduler &scheduler, Environment &environment) override;
  const ControlHooks *modelHooks() override { return &model.hooks(); }
  void writeCounters(StatisticsFile &out) const override;

private:
  ControlProcessor processor;
  ModelFirmware model;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_FIRMWARECONTROL_H
