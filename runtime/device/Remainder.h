// fmod, for devices that have no C library.
#ifndef CILK2GPU_RUNTIME_DEVICE_REMAINDER_H
#define CILK2GPU_RUNTIME_DEVICE_REMAINDER_H

#include <stdint.h>

namespace cilk2gpu::device {

/// Returns the remainder of x / y, as fmod does. The result is exact, because the function divides the digits, some at
/// a time.
inline double remainderOf(double x, double y) {
  constexpr uint64_t kSign = 1ull << 63, kUnit = 1ull << 52, kInfinite = 0x7ffull << 52;
  uint64_t sign = __builtin_bit_cast(uint64_t, x) & kSign;
  uint64_t a = __builtin_bit_cast(uint64_t, x) & ~kSign, b = __builtin_bit_cast(uint64_t, y) & ~kSign;
  if (b == 0 || a >= kInfinite || b > kInfinite)
    return __builtin_nan("");
  if (a < b)
    return x;
  // A number is its digits times a power of two. Subnormal numbers, which have no leading digit, have the least power,
  // like numbers with exponent 1.
  auto power = [](uint64_t bits) { return bits < kUnit ? 1 : int(bits >> 52); };
  auto digits = [](uint64_t bits) { return bits < kUnit ? bits : (bits & (kUnit - 1)) | kUnit; };
  int scale = power(b);
  uint64_t left = digits(a) % digits(b);
  for (int more = power(a) - scale; more > 0; more -= 11) // 53 digits and 11 more make a word
    left = (left << (more < 11 ? more : 11)) % digits(b);
  if (left) {
    int places = __builtin_clzll(left) - 11;
    places = places < scale ? places : scale - 1;
    left <<= places, scale -= places;
  }
  uint64_t bits = left < kUnit ? left : (left - kUnit) | (uint64_t)scale << 52;
  return __builtin_bit_cast(double, bits | sign);
}

} // namespace cilk2gpu::device

#endif // CILK2GPU_RUNTIME_DEVICE_REMAINDER_H
