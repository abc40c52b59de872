// Tests the device's fmod against the C library's, bit by bit.
#include "device/Remainder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace cilk2gpu {
namespace {

uint64_t bitsOf(double x) { return __builtin_bit_cast(uint64_t, x); }

void expectSame(double x, double y) {
  double wanted = std::fmod(x, y), found = device::remainderOf(x, y);
  if (std::isnan(wanted))
    EXPECT_TRUE(std::isnan(found)) << x << " " << y;
  else
    EXPECT_EQ(bitsOf(found), bitsOf(wanted)) << x << " " << y << ": " << found << " instead of " << wanted;
}

} // namespace

TEST(Remainder, OfSpecialNumbers) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> numbers;
  for (double x : {0.0, 1.0, 1.5, 3.0, 1e300, 1e-300, 0x1p-1022, 0x1.8p-1040, Limits::denorm_min(), Limits::min(),
                   Limits::max(), Limits::epsilon(), Limits::infinity(), Limits::quiet_NaN(), 0x1p53, 0x1p64, 0.1})
    numbers.insert(numbers.end(), {x, -x});
  for (double x : numbers)
    for (double y : numbers)
      expectSame(x, y);
}

TEST(Remainder, OfRandomNumbers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    uint64_t a = random(), b = random();
    expectSame(__builtin_bit_cast(double, a), __builtin_bit_cast(double, b));
    // Numbers with close exponents, and some of the smallest numbers.
    expectSame(__builtin_bit_cast(double, a), __builtin_bit_cast(double, (b & ~0ull >> 12) | (a & 0x7feull << 52)));
    expectSame(__builtin_bit_cast(double, a >> (10 + a % 50)), __builtin_bit_cast(double, b >> (10 + b % 50)));
  }
}

} // namespace cilk2gpu
