// See Executor.h.
#include "executors/Executor.h"
#include "process/Message.h"
#include "process/PolicyChoice.h"

namespace cilk2gpu::rt {

Limits limitsOf(const ExecutorSetup &setup) {
  Limits result = setup.settings.limits;
  result.policy = choosePolicy(setup.settings.policy, setup.device);
  return result;
}

abi::Cursor *Executor::root(const TaskInfo *task) {
  internalError("a root of task '%s' was asked for before an executor was started", task->name);
}

} // namespace cilk2gpu::rt
