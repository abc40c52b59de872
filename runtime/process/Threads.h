// Creates threads that run tasks, and determines the size of their stacks.
#ifndef CILK2GPU_RUNTIME_PROCESS_THREADS_H
#define CILK2GPU_RUNTIME_PROCESS_THREADS_H

#include <pthread.h>
#include <stdint.h>

namespace cilk2gpu::rt {

/// Creates a thread whose stack is as large as the stack of the process's first thread. The thread blocks the same
/// signals as the calling thread, because tasks may raise signals, and start processes that inherit the blocked
/// signals. Returns 0, or the error of pthread_create.
int createTaskThread(pthread_t &thread, void *(*main)(void *argument), void *argument);

/// Returns the bytes of stack of a fiber that runs tasks: as many as the process's first thread has, but at most
/// kMaxFiberStack, because there are many fibers.
uint64_t fiberStackBytes();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_THREADS_H
