// See Executor.h.
#include "executors/Executor.h"
#include "process/Message.h"

namespace cilk2gpu::rt {

abi::Cursor *Executor::root(const TaskInfo *task) {
  internalError("a root of task '%s' was asked for before an executor was started", task->name);
}

} // namespace cilk2gpu::rt
