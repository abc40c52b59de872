// Exceptions that wait for the children of a task before they are handled: held in an object, they belong to no thread.
// Linked into C++ programs only, whose library it uses.
#include "cilk2gpu/abi/Records.h"
#include "process/Message.h"

#include <exception>
#include <new>
#include <utility>

namespace __cxxabiv1 {
extern "C" void *__cxa_begin_catch(void *) noexcept;
extern "C" void __cxa_end_catch();
} // namespace __cxxabiv1

static_assert(sizeof(std::exception_ptr) == sizeof(void *), "the object fits what a task keeps of it");

extern "C" void *__cilk2gpu_hold_exception(void *exception) {
  __cxxabiv1::__cxa_begin_catch(exception);
  void *held = nullptr;
  new (&held) std::exception_ptr(std::current_exception());
  __cxxabiv1::__cxa_end_catch();
  if (!held)
    cilk2gpu::rt::fatal(
        "an exception that is not C++'s own cannot wait for children; found one in a try block that spawns: "
        "sync before what throws it");
  return held;
}

extern "C" void __cilk2gpu_throw_held(void *held) {
  std::rethrow_exception(std::move(reinterpret_cast<std::exception_ptr &>(held)));
}
