// Functions of numbers that scalar and vector operations share.
#ifndef CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_NUMBERS_H
#define CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_NUMBERS_H

#include "Columns.h"

#include <cmath>
#include <limits>

namespace cilk2gpu::test::amd {

// Results equal IEEE's minimumNumber and maximumNumber: a number wins over what is not one; -0 is less than 0.
template <class T> T least(T a, T b) {
  if (a != a)
    return b != b ? T(a + b) : b;
  if (b != b)
    return a;
  return a < b || (a == b && std::signbit(double(a))) ? a : b;
}
template <class T> T most(T a, T b) {
  if (a != a)
    return b != b ? T(a + b) : b;
  if (b != b)
    return a;
  return a > b || (a == b && !std::signbit(double(a))) ? a : b;
}
// Results equal IEEE's minimum and maximum: what is not a number wins; -0 is less than 0.
template <class T> T minimum(T a, T b) { return a != a || b != b ? T(a + b) : least(a, b); }
template <class T> T maximum(T a, T b) { return a != a || b != b ? T(a + b) : most(a, b); }

inline Half fused(Half a, Half b, Half c) { return Half(fma(double(a), double(b), double(c))); }
inline float fused(float a, float b, float c) { return fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return fma(a, b, c); }

/// Converts towards zero, to the nearest integer that there is.
template <class I, class T> I toInteger(T value) {
  if (value != value)
    return 0;
  constexpr auto kLeast = double(std::numeric_limits<I>::min()), kMost = double(std::numeric_limits<I>::max());
  double number = trunc(double(value));
  return number <= kLeast ? std::numeric_limits<I>::min() : number >= kMost ? std::numeric_limits<I>::max() : I(number);
}

inline uint32_t pack(Half low, Half high) {
  return std::bit_cast<uint16_t>(low) | uint32_t(std::bit_cast<uint16_t>(high)) << 16;
}

/// Rounds towards zero.
inline Half towardsZero(float value) {
  auto nearest = Half(value);
  if (std::fabs(float(nearest)) <= std::fabs(value) || value != value || std::isinf(value))
    return nearest;
  return std::bit_cast<Half>(uint16_t(std::bit_cast<uint16_t>(nearest) - 1));
}

// Sums and differences that do not fit become the nearest integer that does.
template <class T> T saturatedSum(T a, T b) {
  T r;
  if (!__builtin_add_overflow(a, b, &r))
    return r;
  return b < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
template <class T> T saturatedDifference(T a, T b) {
  T r;
  if (!__builtin_sub_overflow(a, b, &r))
    return r;
  return std::is_unsigned_v<T> || b > 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

} // namespace cilk2gpu::test::amd

#endif // CILK2GPU_TEST_UNIT_FAKE_DRIVERS_AMD_NUMBERS_H
