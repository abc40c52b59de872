// The functions that a compiled cilk_for calls. See Loops.h.
#include "process/Loops.h"
#include "core/DoacrossSizes.h"
#include "core/LoopCount.h"
#include "process/HostEnvironment.h"
#include "process/Message.h"

#include <stdio.h>

using namespace cilk2gpu;

namespace {
/// A value of the loop variable as text.
struct ValueText {
  ValueText(int64_t value, int32_t comparison) {
    bool isUnsigned = comparison & abi::kUnsigned;
    snprintf(text, sizeof text, isUnsigned ? "%llu" : "%lld", static_cast<long long>(value));
  }
  char text[24];
};
} // namespace

void rt::failEndless(int64_t first, int64_t last, int64_t step, int32_t comparison, bool wraps) {
  ValueText firstText(first, comparison), lastText(last, comparison);
  if (wraps)
    fatal("the variable of a cilk_for reaches its bound, or passes it, before it wraps around; found first value %s, "
          "bound %s, step %lld and a variable of %d bits; use a wider variable, or change the step or the condition",
          firstText.text, lastText.text, static_cast<long long>(step), comparison >> abi::kVariableBitsShift);
  fatal("a cilk_for runs from its first value to its bound in steps towards it; found first value %s, bound %s, "
        "step %lld; change the step or the condition",
        firstText.text, lastText.text, static_cast<long long>(step));
}

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED uint64_t __cilk2gpu_trip_count(int64_t first, int64_t last, int64_t step, int32_t comparison) {
  return rt::tripCount(first, last, step, comparison,
                       [&](bool wraps) { rt::failEndless(first, last, step, comparison, wraps); });
}

EXPORTED uint64_t __cilk2gpu_grain(uint64_t count, int64_t wanted) {
  if (wanted > 0 || count <= 1)
    return rt::grain(count, wanted, 1);
  bool isLine = wanted < -1 && wanted > INT64_MIN; // iterations are straight-line code
  return rt::grain(count, isLine ? -rt::leastGrain(count, -wanted) : wanted, rt::loopTasks());
}

EXPORTED uint64_t __cilk2gpu_doacross_plan(uint64_t rows, int32_t isAdaptable) {
  uint64_t workers = rt::doacrossWorkers();
  if (workers <= 1)
    return workers ? abi::kDoacrossWhole : abi::kDoacrossFixed;
  bool hasRows =
      rows / rt::tunables::kMeasuredPart >= workers; // few rows are not worth the time to measure the first ones
  return isAdaptable && hasRows ? abi::kDoacrossMeasure : abi::kDoacrossFixed;
}

EXPORTED uint64_t __cilk2gpu_doacross_rows(uint64_t plan, uint64_t low, uint64_t rows) {
  return rt::doacross::rows(plan, low, rows);
}

EXPORTED uint64_t __cilk2gpu_doacross_clock(uint64_t plan) {
  return rt::doacross::isMeasured(plan) ? rt::hostClock() : 0;
}

EXPORTED uint64_t __cilk2gpu_doacross_next(uint64_t plan, uint64_t begun, uint64_t iterations) {
  return rt::doacross::isMeasured(plan) ? rt::doacross::next(plan, rt::hostClock() - begun, iterations) : plan;
}

EXPORTED uint64_t __cilk2gpu_doacross_size(uint64_t plan, uint64_t extent, uint64_t unit, uint64_t iterations,
                                           uint64_t bits) {
  abi::DoacrossShape shape = abi::DoacrossShape::of(bits);
  if (rt::doacross::isSerial(plan))
    return extent;
  if (plan == abi::kDoacrossFixed || !shape.least)
    return rt::doacross::fixedSize(shape, extent);
  return rt::doacross::adaptedSize(shape, plan, extent, unit, iterations, rt::doacrossWorkers());
}
