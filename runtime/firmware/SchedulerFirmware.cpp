// See SchedulerFirmware.h.
#include "firmware/SchedulerFirmware.h"

namespace cilk2gpu::rt {

void runAsFirmware(ControlProcessor &processor, Scheduler &scheduler, Environment &environment) {
  FirmwareCounters &counters = processor.counters();
  auto serve = [&](const ControlProcessor::Call &call) {
    if (call.number != abi::FirmwareCall::Dispatch)
      return false;
    bool restarts = call.arguments[1];
    (restarts ? counters.firmware_restarts : counters.firmware_dispatches) += call.instructions;
    const DeviceHooks &device = *environment.device;
    device.dispatch(device.context, *reinterpret_cast<const TaskInfo *>(call.arguments[0]), restarts,
                    reinterpret_cast<abi::Wave *>(call.arguments[2]));
    return true;
  };
  ControlProcessor::Call end = processor.work(environment, abi::FirmwareWork::Run, &scheduler, nullptr, serve);
  counters.firmware_level_moves += end.instructions;
}

} // namespace cilk2gpu::rt
