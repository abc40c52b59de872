// Gives the functions that programs call access to the process's executor.
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_API_HOST_H
#define CILK2GPU_RUNTIME_API_HOST_H

namespace cilk2gpu::rt {

class Executor;

/// Returns the process's executor. The first call starts it.
Executor &startedExecutor();

/// Makes the runtime write statistics and traces when the program ends, even if it runs no compiled task.
void startHost();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_HOST_H
