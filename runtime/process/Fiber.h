// A fiber: a function on a stack of its own, which can stop anywhere in its calls and go on later.
//
// Kernels call ordinary code, so a whole stack is suspended, not one function: coroutines cannot stop inside a callee.
// On the reference machine, a switch to a fiber and back takes 16 ns with Boost.Context's jump_fcontext, but 370 ns
// with swapcontext, which makes two system calls.
//
// A stack is mapped when a fiber is created, above a guard of one megabyte. It takes memory only as far as it was used.
//
//   Fiber *fiber = Fiber::create(bytes);      // null: no memory
//   bool isDone = fiber->run(body, argument); // until body returns, or calls fiber->suspend()
//   isDone = fiber->resume();                 // continues after suspend()
//
// Thread-safety: none; one thread runs and resumes a fiber, always the same thread.
#ifndef CILK2GPU_RUNTIME_PROCESS_FIBER_H
#define CILK2GPU_RUNTIME_PROCESS_FIBER_H

#include "process/FloatModes.h"

#include <stdint.h>

namespace cilk2gpu::rt {

class Fiber {
public:
  /// Returns a fiber with a stack of at least `stackBytes`; null if the stack cannot be mapped.
  static Fiber *create(uint64_t stackBytes);
  void destroy();
  /// Returns whether an address is in the guard below the stack, where a full stack would continue.
  bool isBelow(const void *address) const;
  /// Gives the memory that deep calls took for the stack back to the system. Called between two runs. The system call
  /// takes ten microseconds, even if the memory was not touched. So, unless `thorough`, a part of the memory is checked
  /// first.
  void giveBack(bool thorough);

  /// Calls body(argument) on the fiber's stack, in the caller's floating-point modes. The fiber must be idle. Returns
  /// true if the call has returned, false if it was suspended.
  bool run(void (*body)(void *argument), void *argument);
  /// Continues a suspended call. Returns what run() returns.
  bool resume();
  /// Called on the fiber's stack: goes back to the caller of run() or resume(), until the next resume().
  void suspend();

  Fiber *next; ///< for lists of fibers

private:
  Fiber() = default;
  bool enter();
  void leave();
  void swapExceptions();

  /// The layout is that of C++'s ABI.
  struct Exceptions {
    void *caught;          ///< exceptions of the running handlers, the innermost first
    unsigned int uncaught; ///< number of exceptions that are thrown and not caught
  };

  void *mapping;
  uint64_t mappingBytes;
  void *context = nullptr;                               ///< of the side that does not run
  void *fakeStack = nullptr, *callerFakeStack = nullptr; ///< AddressSanitizer's
  void *threadFiber = nullptr, *callerFiber = nullptr;   ///< ThreadSanitizer's
  const void *callerStack = nullptr;
  uint64_t callerStackBytes = 0;
  void (*body)(void *) = nullptr;
  void *argument = nullptr;
  Exceptions exceptions = {nullptr, 0}; ///< of the side that does not run
  FloatModes modes;                     ///< that the body begins with
  bool isDone = true, isEnding = false;
  friend struct FiberEntry;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_FIBER_H
