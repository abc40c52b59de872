// Tests the device's conversions of 128-bit integers against the compiler's library, bit by bit.
#include "device/WideNumbers.h"

#include <gtest/gtest.h>
#include <random>

namespace cilk2gpu {

using device::UnsignedWide;
using device::Wide;

static void expectSameNumbers(UnsignedWide bits) {
  auto text = std::to_string(uint64_t(bits >> 64)) + " * 2^64 + " + std::to_string(uint64_t(bits));
  EXPECT_EQ(device::roundWide(bits, 53), double(bits)) << text;
  EXPECT_EQ(float(device::roundWide(bits, 24)), float(bits)) << text;
  EXPECT_EQ(device::roundWide(Wide(bits), 53), double(Wide(bits))) << text;
  EXPECT_EQ(float(device::roundWide(Wide(bits), 24)), float(Wide(bits))) << text;
}

static void expectSameIntegers(double number) {
  if (number > -0x1p127 && number < 0x1p127)
    EXPECT_TRUE(device::toWide(number) == Wide(number)) << number;
  if (number > -1 && number < 0x1p128)
    EXPECT_TRUE(device::toUnsignedWide(number) == UnsignedWide(number)) << number;
}

TEST(WideNumbers, NearPowersOfTwo) {
  for (int i = 0; i < 128; ++i)
    for (int j = -1; j < i; ++j) // with a second bit, for example a bit that makes a tie
      for (int change = -2; change <= 2; ++change) {
        UnsignedWide bits = (UnsignedWide(1) << i) + (j < 0 ? 0 : UnsignedWide(1) << j) + UnsignedWide(change);
        expectSameNumbers(bits);
        expectSameNumbers(-bits);
        expectSameIntegers(double(bits));
        expectSameIntegers(-double(bits));
      }
  expectSameNumbers(~UnsignedWide(0));
}

TEST(WideNumbers, Random) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    UnsignedWide bits = ((UnsignedWide(random()) << 64) | random()) >> random() % 128;
    expectSameNumbers(bits);
    expectSameIntegers(double(random()) * __builtin_ldexp(1, int(random() % 130) - 70));
    expectSameIntegers(-double(random()) * __builtin_ldexp(1, int(random() % 130) - 70));
  }
}

TEST(WideNumbers, WhatIntegersDoNotHaveBecomesTheNearest) {
  EXPECT_TRUE(device::toWide(1e300) == device::kMostWide);
  EXPECT_TRUE(device::toWide(-1e300) == -device::kMostWide - 1);
  EXPECT_TRUE(device::toUnsignedWide(1e300) == ~UnsignedWide(0));
  EXPECT_TRUE(device::toUnsignedWide(-5) == 0);
}

} // namespace cilk2gpu
