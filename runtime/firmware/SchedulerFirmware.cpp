// See SchedulerFirmware.h.
#include "firmware/SchedulerFirmware.h"

namespace cilk2gpu::rt {

/// Returns the wave at an address that the firmware gave. Checks the numbers and addresses in it, except for those that
/// lanes read.
static abi::Wave *checkedWave(ControlProcessor &processor, const TaskInfo &task, uint64_t address) {
  auto *wave = processor.guest<abi::Wave>(address, 1, "a wave");
  bool isElision = task.hasElision && wave->kernel == task.numKernels;
  if (!wave->lanes || (!isElision && wave->lanes > tunables::kDeviceBlock) || wave->kernel >= task.numEntries())
    processor.refuse("it dispatched a wave with a wrong number of lanes, or of a kernel that does not exist");
  processor.guest(wave->columns, task.element.numFields < 2 ? 1 : 2, "columns");
  if (isElision) // reads nothing else
    return wave;
  abi::Cursor *const *spawns = processor.guest(wave->spawns, task.numTargets, "channels");
  for (uint32_t t = 0; t < task.numTargets; ++t)
    processor.guest(spawns[t], 1, "a channel");
  abi::Cursor *const *syncs = processor.guest(wave->syncs, task.numKernels, "channels");
  for (uint32_t k = 1; k < task.numKernels; ++k)
    processor.guest(syncs[k], 1, "a channel");
  processor.checkOptional(wave->restarts, 1, "a channel");
  processor.checkOptional(wave->frames, 1, "frames");
  return wave;
}

void runAsFirmware(ControlProcessor &processor, Scheduler &scheduler, Environment &environment) {
  FirmwareCounters &counters = processor.counters();
  auto serve = [&](const ControlProcessor::Call &call) {
    if (call.number != abi::FirmwareCall::Dispatch)
      return false;
    const TaskInfo &task = processor.programTask(call.arguments[0]);
    abi::Wave *wave = checkedWave(processor, task, call.arguments[2]);
    bool restarts = call.arguments[1];
    (restarts ? counters.firmware_restarts : counters.firmware_dispatches) += call.instructions;
    const DeviceHooks &device = *environment.device;
    device.dispatch(device.context, task, restarts, wave);
    return true;
  };
  ControlProcessor::Call end = processor.work(environment, abi::FirmwareWork::Run, &scheduler, nullptr, serve);
  counters.firmware_level_moves += end.instructions;
}

} // namespace cilk2gpu::rt
