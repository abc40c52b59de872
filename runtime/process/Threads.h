// Threads that run tasks.
#ifndef CILK2GPU_RUNTIME_PROCESS_THREADS_H
#define CILK2GPU_RUNTIME_PROCESS_THREADS_H

#include <pthread.h>
#include <stdint.h>

namespace cilk2gpu::rt {

/// Creates a thread; a task on it has as much stack as it would have on the process's first thread. It takes the
/// signals that the calling thread takes: tasks raise some, write to closed pipes, and start processes that inherit
/// what is blocked. Returns 0, or pthread_create's error.
int createTaskThread(pthread_t &thread, void *(*main)(void *argument), void *argument);

/// Returns how much stack a fiber has that runs tasks: as much as the process's first thread, within a limit, as there
/// are many fibers.
uint64_t fiberStackBytes();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_THREADS_H
