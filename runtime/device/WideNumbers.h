// Conversions between 128-bit integers and floating-point numbers, for devices whose back ends have none. Results equal
// the host's. An integer becomes the nearest number, with ties to even. A number is rounded towards zero. A number out
// of an integer's range, for which C defines no result, becomes the nearest integer in the range.
//
// Thread-safety: pure functions.
#ifndef CILK2GPU_RUNTIME_DEVICE_WIDENUMBERS_H
#define CILK2GPU_RUNTIME_DEVICE_WIDENUMBERS_H

#include <stdint.h>

namespace cilk2gpu::device {

using Wide = __int128;
using UnsignedWide = unsigned __int128;

constexpr Wide kMostWide = Wide(~UnsignedWide(0) >> 1);

/// Returns the number of bits up to the highest bit that is set. `number` is not 0.
inline int bitsOf(UnsignedWide number) {
  auto high = uint64_t(number >> 64);
  return high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(uint64_t(number));
}

inline double powerOfTwo(int exponent) { return __builtin_bit_cast(double, uint64_t(exponent + 1023) << 52); }

/// Rounds to `digits` binary digits, as many as the type of the result has. The type may be float, so the function
/// rounds itself instead of leaving it to the conversion.
inline double roundWide(UnsignedWide number, int digits) {
  if (!number)
    return 0;
  int excess = bitsOf(number) - digits;
  if (excess <= 0)
    return double(uint64_t(number));
  UnsignedWide kept = number >> excess, rest = number - (kept << excess), half = UnsignedWide(1) << (excess - 1);
  kept += rest > half || (rest == half && (kept & 1));
  return double(uint64_t(kept)) * powerOfTwo(excess);
}

inline double roundWide(Wide number, int digits) {
  return number < 0 ? -roundWide(-UnsignedWide(number), digits) : roundWide(UnsignedWide(number), digits);
}

/// Returns the whole part of a number from 0 to below 2 to the 128th.
inline UnsignedWide truncateWide(double number) {
  if (number < 0x1p63)
    return uint64_t(int64_t(number));
  constexpr int kDigits = 52;
  auto bits = __builtin_bit_cast(uint64_t, number);
  uint64_t leading = uint64_t(1) << kDigits, digits = (bits & (leading - 1)) | leading;
  return UnsignedWide(digits) << (int(bits >> kDigits) - 1023 - kDigits);
}

inline UnsignedWide toUnsignedWide(double number) {
  if (!(number > 0))
    return 0;
  return number < 0x1p128 ? truncateWide(number) : ~UnsignedWide(0);
}

inline Wide toWide(double number) {
  if (number < 0)
    return number > -0x1p127 ? -Wide(truncateWide(-number)) : -kMostWide - 1;
  return number < 0x1p127 ? Wide(truncateWide(number)) : kMostWide;
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_WIDENUMBERS_H
