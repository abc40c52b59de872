// Turns a run that does not get on into a report of who waits for what, and an end with status 1.
//
// Thread-safety: called by the thread that has the host's turn. The watchdog's own thread reads a device's state
// without synchronisation once it has not changed for the whole time: what is wrong by then is only the report.
#ifndef CILK2GPU_RUNTIME_API_WATCHDOG_H
#define CILK2GPU_RUNTIME_API_WATCHDOG_H

#include "executors/Executor.h"

namespace cilk2gpu::rt {

/// Watches `executor`'s runs from now on, if settings ask for it. Idempotent; again after fork, in the child.
void startWatchdog(const Settings &settings, Executor &executor);

/// Says that a run begins or ends.
void watchRun(bool isRunning);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_WATCHDOG_H
