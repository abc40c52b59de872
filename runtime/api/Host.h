// What the entry points of Host.cpp and CilkApi.cpp share. Thread-safety: any thread.
#ifndef CILK2GPU_RUNTIME_API_HOST_H
#define CILK2GPU_RUNTIME_API_HOST_H

namespace cilk2gpu::rt {

class Executor;

/// Returns the process's executor. The first call starts it.
Executor &startedExecutor();

/// Sees to it that statistics and traces are written when the program ends, also if it runs no compiled task.
void startHost();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_HOST_H
