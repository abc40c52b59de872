// Threads that run tasks.
#ifndef CILK2GPU_RUNTIME_HOST_THREADS_H
#define CILK2GPU_RUNTIME_HOST_THREADS_H

#include <pthread.h>

namespace cilk2gpu::rt {

/// Creates a thread; a task on it has as much stack as it would have on the process's first thread. The program's
/// signals are for the program's threads; faults stay with the task that causes them. Returns 0, or pthread_create's
/// error.
int createTaskThread(pthread_t &thread, void *(*main)(void *argument), void *argument);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_HOST_THREADS_H
