// Facts that debuggers' scripts (tools/debugger) read in a process that runs a graph: where the workers are, and the
// layout of their schedulers. A script needs no debug information of the runtime, and fits every version that has the
// facts that it asks for.
//
// Thread-safety: written before the workers run; only debuggers read it.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_DEBUGGERFACTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_DEBUGGERFACTS_H

#include <stdint.h>

namespace cilk2gpu::rt {

struct Worker;

/// A number with a name: an offset in bytes, such as "Level.tasks", or a size, such as "Level".
struct DebuggerFact {
  const char *name;
  uint64_t value;
};

/// Workers of the newest pool.
struct DebuggedWorkers {
  const DebuggerFact *facts; ///< the last one has no name
  const Worker *workers;
  uint64_t count;
};

extern "C" DebuggedWorkers __cilk2gpu_debugged_workers;

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_DEBUGGERFACTS_H
