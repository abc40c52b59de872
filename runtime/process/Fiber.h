// A wavefront's host stack: a function that can stop anywhere in its calls and go on later.
//
// Kernels call ordinary code, so what is suspended is a whole stack, not one function: measured on the reference
// machine, a switch there and back takes 16 ns with Boost.Context's jump_fcontext and 370 ns with swapcontext, which
// makes two system calls; coroutines cannot stop inside a callee.
//
// Thread-safety: none; a fiber is resumed by one thread, always the same one. Stacks are mapped, with a megabyte
// of nothing below, when a fiber first needs one, and take memory only as far as they were used.
//
//   Fiber *fiber = Fiber::create(bytes);      // null: no memory
//   bool isDone = fiber->run(body, argument); // until body returns or calls
//   suspend() isDone = fiber->resume();
#ifndef CILK2GPU_RUNTIME_PROCESS_FIBER_H
#define CILK2GPU_RUNTIME_PROCESS_FIBER_H

#include "process/FloatModes.h"

#include <stdint.h>

namespace cilk2gpu::rt {

class Fiber {
public:
  /// A fiber with a stack of at least `stackBytes`; null if it cannot be mapped.
  static Fiber *create(uint64_t stackBytes);
  void destroy();
  /// Whether an address is below what the stack may hold, where one that is full goes on.
  bool isBelow(const void *address) const;
  /// Between two runs: gives the system back what deep calls took of the stack. Looks at a part first, unless
  /// `thorough`: to give back what nothing has touched takes the system ten microseconds, longer than short runs.
  void giveBack(bool thorough);

  /// Calls body(argument) on the fiber's stack, in the caller's floating-point modes; the fiber runs nothing else.
  /// Returns true once the call has returned, false where it suspended.
  bool run(void (*body)(void *argument), void *argument);
  /// Goes on after suspend(). Returns as run() does.
  bool resume();
  /// Called on the fiber's stack: returns to whoever ran or resumed it, until it is resumed.
  void suspend();

  Fiber *next; ///< for whoever keeps fibers in lists

private:
  Fiber() = default;
  static void loop(void *fiber);
  bool enter();
  void swapExceptions();

  /// As C++'s ABI lays them out.
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
