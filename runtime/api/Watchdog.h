// Ends a run that makes no progress, with status 1, after a report of which worker or wavefront waits for what. So it
// ends a launch of blocks, after a report of the blocks that run.
//
// Thread-safety: only the host thread whose turn it is calls these functions. If there was no progress for the whole
// time, the watchdog's thread reads the executor's state without synchronisation. A race could only make the report
// wrong.
#ifndef CILK2GPU_RUNTIME_API_WATCHDOG_H
#define CILK2GPU_RUNTIME_API_WATCHDOG_H

#include "executors/Executor.h"

namespace cilk2gpu::rt {

/// Watches runs of the executor, and launches of blocks that are observed, from now on, if the settings request it. The
/// executor may be null: then it is given in a later call. A child process needs a call of its own.
void startWatchdog(const Settings &settings, Executor *executor);

/// Tells the watchdog that a run begins or ends.
void watchRun(bool isRunning);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_WATCHDOG_H
