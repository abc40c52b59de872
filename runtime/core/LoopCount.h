// Computes the number of iterations of a cilk_for, and the number of iterations that one task runs, for host and
// devices (__cilk2gpu_trip_count and __cilk2gpu_grain of cilk2gpu/abi/Records.h). Pure functions. Freestanding.
#ifndef CILK2GPU_RUNTIME_CORE_LOOPCOUNT_H
#define CILK2GPU_RUNTIME_CORE_LOOPCOUNT_H

#include "cilk2gpu/abi/Records.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// Returns the number of iterations, for a variable of any width. For a loop that does not end, calls `endless`, which
/// does not return.
template <class Endless>
uint64_t unboundedTripCount(int64_t first, int64_t last, int64_t step, int32_t comparison, Endless endless) {
  bool isUnsigned = comparison & abi::kUnsigned;
  int32_t kind = comparison & abi::kComparisonKind;
  auto less = [&](int64_t a, int64_t b) { return isUnsigned ? uint64_t(a) < uint64_t(b) : a < b; };
  if (kind == abi::kNotEqual) {
    if (first == last)
      return 0;
    kind = step > 0 ? abi::kLess : abi::kGreater;
    uint64_t distance = step > 0 ? uint64_t(last) - uint64_t(first) : uint64_t(first) - uint64_t(last);
    uint64_t stride = step > 0 ? uint64_t(step) : -uint64_t(step);
    // A step that jumps over the bound would go on for ever, or until it overflows.
    if (step == 0 || distance % stride != 0)
      endless();
  }
  bool isUp = kind == abi::kLess || kind == abi::kLessEqual;
  int64_t low = isUp ? first : last, high = isUp ? last : first;
  bool isInclusive = kind == abi::kLessEqual || kind == abi::kGreaterEqual;
  if (less(high, low) || (high == low && !isInclusive)) {
    if ((comparison & abi::kComparisonKind) == abi::kNotEqual)
      endless();
    return 0;
  }
  if (isUp ? step <= 0 : step >= 0)
    endless();
  uint64_t stride = isUp ? uint64_t(step) : -uint64_t(step);
  uint64_t distance = uint64_t(high) - uint64_t(low);
  if (!isInclusive)
    return (distance - 1) / stride + 1;
  if (distance / stride == UINT64_MAX)
    endless();
  return distance / stride + 1;
}

/// Returns the number of iterations. For a loop that does not end, calls endless(wraps), which does not return. `wraps`
/// says that the variable would wrap around.
template <class Endless>
uint64_t tripCount(int64_t first, int64_t last, int64_t step, int32_t comparison, Endless endless) {
  uint64_t count = unboundedTripCount(first, last, step, comparison, [&] { endless(false); });
  uint64_t stride = step > 0 ? uint64_t(step) : -uint64_t(step);
  if (count && abi::wrapsAround(first, count, stride, step > 0, comparison))
    endless(true);
  return count;
}

/// Returns the number of iterations that one task runs. A loop without a grain size is cut into about `tasks` tasks, if
/// it has that many iterations and no task gets too long. A negative `wanted` is the least grain of such a loop,
/// up to kLargestLeastGrain.
inline uint64_t grain(uint64_t count, int64_t wanted, uint64_t tasks = tunables::kLoopTasks) {
  if (wanted > 0)
    return uint64_t(wanted);
  uint64_t grain = count / tasks, least = wanted < 0 ? -uint64_t(wanted) : 1;
  grain = grain < tunables::kLargestGrain ? grain : tunables::kLargestGrain;
  least = least < tunables::kLargestLeastGrain ? least : tunables::kLargestLeastGrain;
  return grain > least ? grain : least;
}

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_CORE_LOOPCOUNT_H
