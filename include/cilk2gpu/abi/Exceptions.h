// Exceptions that leave tasks: the records and functions of the runtime that kernels of C++ programs use.
// Records.h declares the functions that hold and throw an exception.
#ifndef CILK2GPU_ABI_EXCEPTIONS_H
#define CILK2GPU_ABI_EXCEPTIONS_H

#include <stddef.h>
#include <stdint.h>

namespace cilk2gpu::abi {

/// A local of a parent for the exceptions of its children: the held exception that comes first in serial order, and its
/// number. The parent reads it behind a sync, when its children have ended. `next` is the number of its next spawn.
/// Kernels set all fields to 0.
struct ExceptionSlot {
  void *held;
  uint64_t number;
  uint64_t next;
};
static_assert(sizeof(ExceptionSlot) == 24 && offsetof(ExceptionSlot, next) == 16);

/// The exceptions that a thread has caught, and the number of those that are on their way: __cxa_eh_globals of the C++
/// ABI.
struct CaughtExceptions {
  void *caught;
  unsigned uncaught;
};
static_assert(sizeof(CaughtExceptions) == 16);

} // namespace cilk2gpu::abi

extern "C" {

/// Empties a slot.
void __cilk2gpu_open_slot(cilk2gpu::abi::ExceptionSlot *slot);

/// Puts a held exception into the slot of a parent. `number` is the place of the child in serial order. The slot keeps
/// the exception with the smallest number; the other one is destroyed. Children on several workers may call it at once.
/// Without a slot, the function ends the process with a message.
void __cilk2gpu_defer_exception(cilk2gpu::abi::ExceptionSlot *slot, uint64_t number, void *held);

/// Does the same with the exception that the caller has caught.
void __cilk2gpu_defer_caught(cilk2gpu::abi::ExceptionSlot *slot, uint64_t number);

/// Puts the exception that the caller has caught, and that has left an ordered task, into the slot of the task's
/// parent. `task` is the task's record.
void __cilk2gpu_depend_caught(void *task);
/// Returns the slot for an exception of an ordered task, and the task's number in `number`.
cilk2gpu::abi::ExceptionSlot *__cilk2gpu_depend_thrown(void *task, uint64_t *number);

/// Returns the exception that a parent throws after it has waited for its children: `held`, its own one, or the
/// exception in the slot, which is earlier in serial order. The other one is destroyed.
void *__cilk2gpu_first_exception(void *held, cilk2gpu::abi::ExceptionSlot *slot);

/// Takes the caught exceptions out of the thread while a task waits in a handler, and gives them back to the thread in
/// which the task goes on.
void __cilk2gpu_leave_handlers(cilk2gpu::abi::CaughtExceptions *kept);
void __cilk2gpu_enter_handlers(const cilk2gpu::abi::CaughtExceptions *kept);

} // extern "C"

#endif // CILK2GPU_ABI_EXCEPTIONS_H
