// The functions that a compiled cilk_for calls. See Loops.h.
#include "process/Loops.h"
#include "core/LoopCount.h"
#include "process/Message.h"

using namespace cilk2gpu;

void rt::failEndless(int64_t first, int64_t last, int64_t step) {
  fatal("a cilk_for runs from its first value to its bound in steps towards it; found first value %lld, bound %lld, "
        "step %lld; change the step or the condition",
        static_cast<long long>(first), static_cast<long long>(last), static_cast<long long>(step));
}

extern "C" __attribute__((visibility("default"))) uint64_t __cilk2gpu_trip_count(int64_t first, int64_t last,
                                                                                 int64_t step, int32_t comparison) {
  return rt::tripCount(first, last, step, comparison, [&] { rt::failEndless(first, last, step); });
}

extern "C" __attribute__((visibility("default"))) uint64_t __cilk2gpu_grain(uint64_t count, int64_t wanted) {
  return rt::grain(count, wanted, count > 1 && wanted <= 0 ? rt::loopTasks() : 1);
}
