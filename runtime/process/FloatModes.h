// Floating-point modes: how operations round, and whether they flush denormals. A program sets them with fesetround and
// similar functions. Each thread has modes of its own, but tasks compute in the modes of the thread that runs the
// graph.
//
// This file does not use fegetmode(): it is in the mathematical library, which C programs need not link.
//
//   FloatModes modes = FloatModes::current(); // on the thread that runs the graph
//   modes.load();                             // where tasks are about to run
#ifndef CILK2GPU_RUNTIME_PROCESS_FLOATMODES_H
#define CILK2GPU_RUNTIME_PROCESS_FLOATMODES_H

#include <stdint.h>

namespace cilk2gpu::rt {

class FloatModes {
public:
  /// Returns the calling thread's modes.
  static FloatModes current() {
    FloatModes modes;
#if defined(__x86_64__)
    asm volatile("fnstcw %0\n\tstmxcsr %1" : "=m"(modes.x87), "=m"(modes.vector));
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(modes.control));
#endif
    return modes;
  }

  /// Sets the calling thread's modes. Its flags of floating-point exceptions stay.
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
