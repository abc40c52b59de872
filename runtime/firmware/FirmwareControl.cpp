// See FirmwareControl.h.
#include "firmware/FirmwareControl.h"
#include "firmware/SchedulerFirmware.h"
#include "process/StatisticsFile.h"

namespace cilk2gpu::rt {

static constexpr CounterInfo<FirmwareCounters> counterInfos[] = {
#define CILK2GPU_FIRMWARE_COUNTER(name, description) {#name, "instructions", description, &FirmwareCounters::name},
#include "firmware/FirmwareCounters.def"
#undef CILK2GPU_FIRMWARE_COUNTER
};

void FirmwareControl::runScheduler(Scheduler &scheduler, Environment &environment) {
  runAsFirmware(processor, scheduler, environment);
}

void FirmwareControl::writeCounters(StatisticsFile &out) const { out.counters(processor.counters(), counterInfos); }

} // namespace cilk2gpu::rt
