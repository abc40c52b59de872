// The stack on which a worker runs serial elisions, as the reports of full stacks see it (process/StackFaults.h).
//
// Thread-safety: none; the worker's own thread uses it.
#ifndef CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONSTACK_H
#define CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONSTACK_H

#include "core/Scheduler.h"
#include "process/Fiber.h"
#include "process/Message.h"
#include "process/StackFaults.h"

namespace cilk2gpu::rt {

/// `scheduler` runs elisions on `fiber`.
struct ElisionStack : GuardedStack {
  ElisionStack(const Fiber &fiber, const Scheduler &scheduler)
      : GuardedStack{isBelowFiber, failInTask}, fiber(fiber), scheduler(scheduler) {}

  const Fiber &fiber;
  const Scheduler &scheduler;

private:
  static bool isBelowFiber(const GuardedStack &stack, const void *address) {
    return static_cast<const ElisionStack &>(stack).fiber.isBelow(address);
  }

  static void failInTask(const GuardedStack &stack) {
    const ElisionStack &self = static_cast<const ElisionStack &>(stack);
    const char *task = self.scheduler.runningKernel();
    fatal("out of memory: the stack of serial elisions is full in '%s'; does its recursion end? The stack may take "
          "%s; with CILK2GPU_ELIDE=never, tasks take no stack",
          task ? task : "a task",
          self.scheduler.elidesAll() ? "one gigabyte with CILK2GPU_ELIDE=always"
                                     : "three quarters of the machine's memory, or as much as the process has "
                                       "addresses for");
  }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_EXECUTORS_NATIVE_ELISIONSTACK_H
