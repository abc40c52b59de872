// How floating-point operations round and whether they flush denormals: what a program sets with fesetround and the
// like. A thread has its own; tasks compute in those of the thread that runs the graph, wherever they run.
//
// Written out because fegetmode() is in the mathematical library, which C programs need not link.
//
//   FloatModes modes = FloatModes::current(); // on the thread that runs the graph
//   modes.load();                             // where tasks are about to run
#ifndef CILK2GPU_RUNTIME_PROCESS_FLOATMODES_H
#define CILK2GPU_RUNTIME_PROCESS_FLOATMODES_H

#include <stdint.h>

namespace cilk2gpu::rt {

class FloatModes {
public:
  /// The calling thread's.
  static FloatModes current() {
    FloatModes modes;
#if defined(__x86_64__)
    asm volatile("fnstcw %0\n\tstmxcsr %1" : "=m"(modes.x87), "=m"(modes.vector));
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(modes.control));
#endif
    return modes;
  }

  /// Gives them to the calling thread. What exceptions it has seen so far stays.
  void load() const {
#if defined(__x86_64__)
    constexpr uint32_t kExceptions = 0x3f;
    uint32_t seen;
    asm volatile("stmxcsr %0" : "=m"(seen));
    seen = (vector & ~kExceptions) | (seen & kExceptions);
    asm volatile("fldcw %0\n\tldmxcsr %1" : : "m"(x87), "m"(seen) : "memory");
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(control) : "memory");
#endif
  }

private:
#if defined(__x86_64__)
  uint16_t x87 = 0;
  uint32_t vector = 0;
#elif defined(__aarch64__)
  uint64_t control = 0;
#endif
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_FLOATMODES_H
