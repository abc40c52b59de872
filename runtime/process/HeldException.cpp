// Exceptions that wait: for a task's children, or for the sync of the parent of a task that has thrown. Meanwhile an
// object holds the exception, so that it does not belong to a thread. Only C++ programs link this file, because it uses
// the C++ library.
#include "cilk2gpu/abi/Exceptions.h"
#include "cilk2gpu/abi/Records.h"
#include "process/Message.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

using cilk2gpu::abi::CaughtExceptions;
using cilk2gpu::abi::ExceptionSlot;

namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" void *__cxa_begin_catch(void *) noexcept;
extern "C" void __cxa_end_catch();
extern "C" __cxa_eh_globals *__cxa_get_globals() noexcept;
} // namespace __cxxabiv1

static_assert(sizeof(std::exception_ptr) == sizeof(void *), "an exception_ptr must fit the pointer that a task keeps");

namespace {

/// Returns the lock of a slot. Exceptions are rare, so slots share locks.
std::mutex &lockOf(const ExceptionSlot *slot) {
  static std::mutex locks[64];
  return locks[(reinterpret_cast<uintptr_t>(slot) >> 4) % 64];
}

void *keep(std::exception_ptr exception) {
  void *held = nullptr;
  new (&held) std::exception_ptr(std::move(exception));
  return held;
}

/// Takes the exception out of the pointer that a task has kept.
std::exception_ptr takeOut(void *held) { return std::move(reinterpret_cast<std::exception_ptr &>(held)); }

/// Puts an exception into a slot if no exception with a smaller number is there. The exception that is not thrown is
/// destroyed outside of the lock, because that runs a destructor of the program.
void defer(ExceptionSlot *slot, uint64_t number, void *held) {
  if (!slot)
    cilk2gpu::rt::fatal("an exception has left a spawned call for which its parent has made objects, or an ordered "
                        "task; such an exception cannot wait for the sync: catch it in the task, and return an error");
  {
    std::lock_guard<std::mutex> guard(lockOf(slot));
    if (!slot->held || number < slot->number) {
      std::swap(slot->held, held);
      slot->number = number;
    }
  }
  if (held)
    takeOut(held);
}

} // namespace

extern "C" void *__cilk2gpu_hold_exception(void *exception) {
  __cxxabiv1::__cxa_begin_catch(exception);
  void *held = keep(std::current_exception());
  __cxxabiv1::__cxa_end_catch();
  if (!held)
    cilk2gpu::rt::fatal(
        "an exception that is not C++'s own cannot wait for children, or leave a task; catch it in the function that "
        "calls the other language");
  return held;
}

extern "C" void __cilk2gpu_throw_held(void *held) { std::rethrow_exception(takeOut(held)); }

extern "C" void __cilk2gpu_open_slot(ExceptionSlot *slot) { *slot = {}; }

extern "C" void __cilk2gpu_defer_exception(ExceptionSlot *slot, uint64_t number, void *held) {
  defer(slot, number, held);
}

extern "C" void __cilk2gpu_defer_caught(ExceptionSlot *slot, uint64_t number) {
  void *held = keep(std::current_exception());
  if (!held)
    cilk2gpu::rt::fatal("an exception that is not C++'s own cannot leave an iteration, a spawned block or an ordered "
                        "task; catch it in the function that calls the other language");
  defer(slot, number, held);
}

extern "C" void *__cilk2gpu_first_exception(void *held, ExceptionSlot *slot) {
  if (!slot->held)
    return held;
  takeOut(held); // destroys it: the child's exception comes first in serial order
  return std::exchange(slot->held, nullptr);
}

// The C++ ABI says what a thread knows of exceptions: the stack of caught exceptions, and the number of exceptions that
// are on their way.
extern "C" void __cilk2gpu_leave_handlers(CaughtExceptions *kept) {
  auto *thread = reinterpret_cast<CaughtExceptions *>(__cxxabiv1::__cxa_get_globals());
  *kept = std::exchange(*thread, {});
}

extern "C" void __cilk2gpu_enter_handlers(const CaughtExceptions *kept) {
  *reinterpret_cast<CaughtExceptions *>(__cxxabiv1::__cxa_get_globals()) = *kept;
}
