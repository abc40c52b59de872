// What a cilk_for asks at run time: how many iterations it has, and how many of them a task runs. Pure functions of
// their arguments, but for the message about a loop that does not end.
#include "Tunables.h"
#include "abi/Records.h"
#include "host/Message.h"

using namespace cilk2gpu;

[[noreturn]] static void endless(int64_t first, int64_t last, int64_t step) {
  rt::fatal("a cilk_for runs from its first value to its bound in steps towards it; found first value %lld, bound %lld, "
            "step %lld; change the step or the condition",
            static_cast<long long>(first), static_cast<long long>(last), static_cast<long long>(step));
}

extern "C" __attribute__((visibility("default"))) uint64_t __cilk2gpu_trip_count(int64_t first, int64_t last, int64_t step,
                                                                                 int32_t comparison) {
  bool isUnsigned = comparison & abi::kUnsigned;
  int32_t kind = comparison & ~abi::kUnsigned;
  auto less = [&](int64_t a, int64_t b) { return isUnsigned ? uint64_t(a) < uint64_t(b) : a < b; };
  if (kind == abi::kNotEqual) {
    if (first == last)
      return 0;
    kind = step > 0 ? abi::kLess : abi::kGreater;
    uint64_t distance = step > 0 ? uint64_t(last) - uint64_t(first) : uint64_t(first) - uint64_t(last);
    uint64_t stride = step > 0 ? uint64_t(step) : -uint64_t(step);
    // A step that jumps over the bound would go on for ever, or until it overflows.
    if (step == 0 || distance % stride != 0)
      endless(first, last, step);
  }
  bool isUp = kind == abi::kLess || kind == abi::kLessEqual;
  int64_t low = isUp ? first : last, high = isUp ? last : first;
  bool isInclusive = kind == abi::kLessEqual || kind == abi::kGreaterEqual;
  if (less(high, low) || (high == low && !isInclusive)) {
    if ((comparison & ~abi::kUnsigned) == abi::kNotEqual)
      endless(first, last, step);
    return 0;
  }
  if (isUp ? step <= 0 : step >= 0)
    endless(first, last, step);
  uint64_t stride = isUp ? uint64_t(step) : -uint64_t(step);
  uint64_t distance = uint64_t(high) - uint64_t(low);
  if (!isInclusive)
    return (distance - 1) / stride + 1;
  if (distance / stride == UINT64_MAX)
    endless(first, last, step);
  return distance / stride + 1;
}

extern "C" __attribute__((visibility("default"))) uint64_t __cilk2gpu_grain(uint64_t count, int64_t wanted) {
  if (wanted > 0)
    return uint64_t(wanted);
  uint64_t grain = count / rt::tunables::kLoopTasks;
  return grain < 1 ? 1 : grain > rt::tunables::kLargestGrain ? rt::tunables::kLargestGrain : grain;
}
