// Serial elisions recurse on a stack of each worker's, which has a guard below it. A recursion without end comes to it:
// the run then ends with a message that names the task, as it does where the graph takes too much memory.
//
// Thread-safety: any thread; what it says is about the calling one.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONFAULTS_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONFAULTS_H

#include "core/Scheduler.h"
#include "process/Fiber.h"

namespace cilk2gpu::rt {

/// Elisions that `scheduler` called run on `stack`, as long as this exists.
class ElisionScope {
public:
  ElisionScope(const Fiber &stack, const Scheduler &scheduler);
  ~ElisionScope();
  ElisionScope(const ElisionScope &) = delete;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONFAULTS_H
