// Gives the functions that programs call access to the process's executor.
//
// Thread-safety: any thread may call these functions.
#ifndef CILK2GPU_RUNTIME_API_HOST_H
#define CILK2GPU_RUNTIME_API_HOST_H

namespace cilk2gpu::rt {

class Executor;

} // namespace cilk2gpu::rt

namespace cilk2gpu::device {
class Gpu;
}

namespace cilk2gpu::rt {

/// Returns the process's executor. The first call starts it.
Executor &startedExecutor();

/// Returns the GPU that CILK2GPU_DEVICE names. The first call of this or the function above starts the executor, which
/// opens the GPU. Returns null if the executor runs tasks elsewhere.
device::Gpu *startedGpu();

/// Returns whether the calling thread starts the executor, runs the graph, fills a root, or runs a task.
bool isInRuntime();

/// Keeps other threads from running tasks, as long as it lives. The calling thread runs no task.
class HostTurn {
public:
  HostTurn();
  ~HostTurn();
  HostTurn(const HostTurn &) = delete;
};

/// Returns true if short calls from ordinary code may run as elisions. This holds on the native device, under a policy
/// that elides tasks where that is faster. The user must not have asked for counts, an order or a bound of the graph.
bool mayBypassGraph();

/// Makes the runtime write statistics and traces when the program ends, even if it runs no compiled task.
void startHost();

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_HOST_H
