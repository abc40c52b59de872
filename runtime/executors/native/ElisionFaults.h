// Reports full stacks of elisions. Serial elisions recurse on a stack of their worker, with a guard below it. An
// endless recursion faults at the guard. The run then ends with a message that names the task, as when the graph takes
// too much memory.
//
// Thread-safety: any thread may use a scope, which refers to the calling thread.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONFAULTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONFAULTS_H

#include "core/Scheduler.h"
#include "process/Fiber.h"

namespace cilk2gpu::rt {

/// While this object exists, `scheduler` runs elisions on `stack`.
class ElisionScope {
public:
  ElisionScope(const Fiber &stack, const Scheduler &scheduler);
  ~ElisionScope();
  ElisionScope(const ElisionScope &) = delete;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONFAULTS_H
