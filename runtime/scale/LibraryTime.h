// Estimates the instructions of libraries, which nothing counts: the processor's time stamp counter measures a call,
// and a constant rate makes instructions of it. A call during which the program's own code ran hooks is not measured,
// because its time is not the library's.
//
// Thread-safety: one thread.
#ifndef CILK2GPU_RUNTIME_SCALE_LIBRARYTIME_H
#define CILK2GPU_RUNTIME_SCALE_LIBRARYTIME_H

#include "scale/Growing.h"

#include <time.h>

namespace cilk2gpu::rt::scale {

class LibraryTime {
public:
  LibraryTime() {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 100; ++i) {
      uint64_t begin = ticks(), taken = ticks() - begin;
      least = taken < least ? taken : least;
    }
    overhead = least + kHookTicks;
  }

  /// A call begins in the function with this frame. Calls of frames that are gone were left by an exception or longjmp.
  void enter(uint64_t work, const void *frame) {
    while (calls.size() && calls.last().frame < frame)
      calls.drop();
    calls.add({frame, work, hooks, ticks()});
  }

  /// Returns the instructions to add for the call that has ended. `work`: those that the program has counted.
  uint64_t leave(uint64_t work, const void *frame) {
    uint64_t end = ticks();
    while (calls.size() && calls.last().frame < frame)
      calls.drop();
    if (!calls.size() || calls.last().frame != frame)
      return 0;
    Call call = calls.last();
    calls.drop();
    uint64_t taken = end - call.begin, own = work - call.work;
    if (call.hooks != hooks || taken <= overhead)
      return 0;
    uint64_t estimate = uint64_t(double(taken - overhead) * kInstructionsPerTick);
    estimate = estimate > own ? estimate - own : 0;
    sum += estimate;
    return estimate;
  }

  void noteHook() { ++hooks; }
  uint64_t instructions() const { return sum; }

private:
  /// Instructions that a library executes in a tick. A rough number: string functions reach 3, cache misses 0.1.
  static constexpr double kInstructionsPerTick = 1.5;
  /// Ticks between the two readings that belong to the hooks.
  static constexpr uint64_t kHookTicks = 12;

  struct Call {
    const void *frame;
    uint64_t work, hooks, begin;
  };

  static uint64_t ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return uint64_t(time.tv_sec) * 2000000000u + uint64_t(time.tv_nsec) * 2; // of a processor with 2 GHz
#endif
  }

  Growing<Call> calls;
  uint64_t overhead = 0, hooks = 0, sum = 0;
};

} // namespace cilk2gpu::rt::scale

#endif // CILK2GPU_RUNTIME_SCALE_LIBRARYTIME_H
