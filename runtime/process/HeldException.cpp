// Holds an exception until a task's children are done and a handler may run. Meanwhile an object holds the exception,
// so that it does not belong to a thread. Only C++ programs link this file, because it uses the C++ library.
#include "cilk2gpu/abi/Records.h"
#include "process/Message.h"

#include <exception>
#include <new>
#include <utility>

namespace __cxxabiv1 {
extern "C" void *__cxa_begin_catch(void *) noexcept;
extern "C" void __cxa_end_catch();
} // namespace __cxxabiv1

static_assert(sizeof(std::exception_ptr) == sizeof(void *), "an exception_ptr must fit the pointer that a task keeps");

extern "C" void *__cilk2gpu_hold_exception(void *exception) {
  __cxxabiv1::__cxa_begin_catch(exception);
  void *held = nullptr;
  new (&held) std::exception_ptr(std::current_exception());
  __cxxabiv1::__cxa_end_catch();
  if (!held)
    cilk2gpu::rt::fatal(
        "an exception that is not C++'s own cannot wait for children; a try block that spawns has thrown such an "
        "exception; sync before the call that throws it");
  return held;
}

extern "C" void __cilk2gpu_throw_held(void *held) {
  std::rethrow_exception(std::move(reinterpret_cast<std::exception_ptr &>(held)));
}
