// Threads that run tasks.
#ifndef CILK2GPU_RUNTIME_PROCESS_THREADS_H
#define CILK2GPU_RUNTIME_PROCESS_THREADS_H

#include <pthread.h>
#include <stdint.h>

namespace cilk2gpu::rt {

/// Creates a thread on which a task has as much stack as on the process's first thread. The thread takes the signals
/// that the calling thread takes: tasks raise signals, and start processes that inherit the blocked signals.
/// Returns 0, or pthread_create's error.
int createTaskThread(pthread_t &thread, void *(*main)(void *argument), void *argument);

/// Returns how much stack a fiber has that runs tasks: as much as the process's first thread, within a limit, as there
/// are many fibers.
uint64_t fiberStackBytes();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_THREADS_H
