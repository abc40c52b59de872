// Ends a run that makes no progress, with status 1, after a report of who waits for what.
//
// Thread-safety: the thread that has the host's turn calls these functions. The watchdog's own thread reads the
// executor's state without synchronisation, when it has not changed for the whole time. A race could make the report
// wrong, and nothing else.
#ifndef CILK2GPU_RUNTIME_API_WATCHDOG_H
#define CILK2GPU_RUNTIME_API_WATCHDOG_H

#include "executors/Executor.h"

namespace cilk2gpu::rt {

/// Watches the executor's runs from now on, if settings ask for it. A second call in one process has no effect; a child
/// process needs a call of its own.
void startWatchdog(const Settings &settings, Executor &executor);

/// Tells the watchdog that a run begins or ends.
void watchRun(bool isRunning);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_WATCHDOG_H
