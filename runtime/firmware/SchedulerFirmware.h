// A device's scheduler as firmware. A control processor runs its loop, in place of Scheduler::run(0). The processor
// stops for each dispatch while the host makes the device run it.
//
// Thread-safety: none; only the thread that runs the graph.
#ifndef CILK2GPU_RUNTIME_FIRMWARE_SCHEDULERFIRMWARE_H
#define CILK2GPU_RUNTIME_FIRMWARE_SCHEDULERFIRMWARE_H

#include "core/Scheduler.h"
#include "firmware/ControlProcessor.h"

namespace cilk2gpu::rt {

/// Runs the graph until it is empty. The scheduler and its `environment` are in memory that the processor shares. The
/// environment has a device, whose lanes may use any memory of the host.
void runAsFirmware(ControlProcessor &processor, Scheduler &scheduler, Environment &environment);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_FIRMWARE_SCHEDULERFIRMWARE_H
