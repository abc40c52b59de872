// A clock that is read in a few nanoseconds, in ticks of the processor.
#ifndef CILK2GPU_RUNTIME_PROCESS_TICKS_H
#define CILK2GPU_RUNTIME_PROCESS_TICKS_H

#include "process/HostEnvironment.h"

#include <stdint.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

namespace cilk2gpu::rt {

inline uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return hostClock();
#endif
}

/// Measures how long a tick takes, from its construction on. Values; thread-safe once constructed.
class TickRate {
public:
  /// Returns the ticks in some nanoseconds, as far as the rate is known by now.
  uint64_t ticksIn(uint64_t nanoseconds) const {
    uint64_t elapsed = hostClock() - firstTime;
    return elapsed ? (ticks() - firstTicks) * nanoseconds / elapsed : nanoseconds;
  }

private:
  uint64_t firstTicks = ticks(), firstTime = hostClock();
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_PROCESS_TICKS_H
