// A wavefront's host stack: a function that can stop anywhere in its calls and go on later.
//
// Kernels call ordinary code, so a whole stack is suspended, not one function: coroutines cannot stop inside a callee.
// On the reference machine, a switch there and back takes 16 ns with Boost.Context's jump_fcontext. It takes 370 ns
// with swapcontext, which makes two system calls.
//
// A stack is mapped when a fiber is created, above a megabyte that cannot be used. It takes memory only as far as it
// was used.
//
//   Fiber *fiber = Fiber::create(bytes);      // null: no memory
//   bool isDone = fiber->run(body, argument); // until body returns, or calls fiber->suspend()
//   isDone = fiber->resume();                 // behind suspend()
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
  /// Returns whether an address is right below the stack, where a full stack would go on.
  bool isBelow(const void *address) const;
  /// Between two runs: gives the memory that deep calls took for the stack back to the system. That takes ten
  /// microseconds, also for memory that no call has touched. So a part is looked at first, unless `thorough`.
  void giveBack(bool thorough);

  /// Calls body(argument) on the fiber's stack, in the caller's floating-point modes. The fiber has nothing else to
  /// run. Returns true if the call has returned, false if it was suspended.
  bool run(void (*body)(void *argument), void *argument);
  /// Goes on behind suspend(). Returns as run() does.
  bool resume();
  /// Called on the fiber's stack: goes back to the caller of run() or resume(), until the next resume().
  void suspend();

  Fiber *next; ///< for lists of fibers

private:
  Fiber() = default;
  static void loop(void *fiber);
  bool enter();
  void swapExceptions();

  /// The layout is that of C++'s ABI.
  struct Exceptions {
    void *caught;          ///< of the handlers that run, the innermost one's first
    unsigned int uncaught; ///< how many are thrown and not caught
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
  bool isDone = true;
  friend struct FiberEntry;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_FIBER_H
