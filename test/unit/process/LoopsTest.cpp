// Tests the iteration counts of cilk_for against loops that count, also at the ends of the integer ranges.
#include "cilk2gpu/abi/Records.h"
#include "core/LoopCount.h"
#include "gtest/gtest.h"
#include <limits>
#include <optional>
#include <type_traits>

using namespace cilk2gpu::abi;

static bool holds(int64_t i, int64_t last, int32_t comparison) {
  switch (comparison) {
  case kLess:
    return i < last;
  case kLessEqual:
    return i <= last;
  case kGreater:
    return i > last;
  case kGreaterEqual:
    return i >= last;
  default:
    return i != last;
  }
}

TEST(TripCount, MatchesACountingLoop) {
  for (int64_t first = -9; first <= 9; ++first)
    for (int64_t last = -9; last <= 9; ++last)
      for (int64_t step : {-4, -3, -2, -1, 1, 2, 3, 4})
        for (int32_t comparison : {kLess, kLessEqual, kGreater, kGreaterEqual, kNotEqual}) {
          uint64_t count = 0;
          int64_t i = first;
          for (; count < 100 && holds(i, last, comparison); i += step)
            ++count;
          if (count < 100) // longer loops are not run
            EXPECT_EQ(count, __cilk2gpu_trip_count(first, last, step, comparison))
                << first << " " << last << " " << step << " " << comparison;
        }
}

TEST(TripCount, IsExactAtTheEndsOfTheRanges) {
  EXPECT_EQ(UINT64_MAX, __cilk2gpu_trip_count(INT64_MIN, INT64_MAX, 1, kLess));
  EXPECT_EQ(UINT64_MAX, __cilk2gpu_trip_count(INT64_MAX, INT64_MIN, -1, kGreater));
  EXPECT_EQ(3u, __cilk2gpu_trip_count(INT64_MIN, INT64_MAX, INT64_MAX, kLess));
  EXPECT_EQ(2u, __cilk2gpu_trip_count(INT64_MAX, INT64_MIN, INT64_MIN, kGreaterEqual));
  EXPECT_EQ(2u, __cilk2gpu_trip_count(INT64_MAX - 1, INT64_MAX, 1, kLessEqual));
  EXPECT_EQ(UINT64_MAX, __cilk2gpu_trip_count(0, -1, 1, kLess | kUnsigned));
  EXPECT_EQ(0u, __cilk2gpu_trip_count(0, -1, 1, kLess));
  EXPECT_EQ(0u, __cilk2gpu_trip_count(-1, 0, 1, kLess | kUnsigned));
}

TEST(TripCountDeathTest, RefusesLoopsThatDoNotEnd) {
  EXPECT_EXIT(__cilk2gpu_trip_count(0, 1, 0, kLess), testing::ExitedWithCode(1), "step 0; change the step");
  EXPECT_EXIT(__cilk2gpu_trip_count(0, 5, 2, kNotEqual), testing::ExitedWithCode(1), "bound 5, step 2");
  EXPECT_EXIT(__cilk2gpu_trip_count(5, 0, 1, kNotEqual), testing::ExitedWithCode(1), "first value 5");
  EXPECT_EXIT(__cilk2gpu_trip_count(0, 5, -1, kLess), testing::ExitedWithCode(1), "step -1");
  EXPECT_EXIT(__cilk2gpu_trip_count(INT64_MIN, INT64_MAX, 1, kLessEqual), testing::ExitedWithCode(1), "cilk_for");
  EXPECT_EQ(0u, __cilk2gpu_trip_count(1, 0, 0, kLess));
}

/// Counts the iterations of a loop whose variable has type V and whose bound has type B, as the language defines them.
/// Returns nothing for a loop that does not end.
template <class V, class B> static std::optional<uint64_t> countInC(V first, B last, int64_t step, int32_t kind) {
  using Compared = decltype(V() + B());
  uint64_t count = 0;
  V i = first;
  auto holds = [&] {
    Compared a = Compared(i), b = Compared(last);
    return kind == kLess ? a < b : kind == kLessEqual ? a <= b : kind == kGreater ? a > b : a >= b;
  };
  for (; holds(); i = V(uint64_t(int64_t(i)) + uint64_t(step))) {
    if (++count > 70000)
      return std::nullopt;
    // A value that does not fit wraps around. A loop that ends only after that has the wrong count.
    using Wide = __int128;
    if (Wide(V(uint64_t(int64_t(i)) + uint64_t(step))) != Wide(i) + step)
      return std::nullopt;
  }
  return count;
}

/// Compares the count for a narrow variable with the count of the language, near the ends of its range.
template <class V, class B> static void checkNarrow() {
  using Compared = decltype(V() + B());
  int32_t bits = 8 * sizeof(V), flags = bits << kVariableBitsShift;
  if (std::is_unsigned_v<Compared>)
    flags |= kUnsigned;
  if (std::is_unsigned_v<V> || (std::is_unsigned_v<Compared> && sizeof(V) == sizeof(Compared)))
    flags |= kFromZero;
  const int64_t least = int64_t(std::numeric_limits<V>::min()), most = int64_t(std::numeric_limits<V>::max());
  for (int64_t first : {least, least + 1, least + 5, most - 5, most - 1, most})
    for (int64_t last : {least, least + 2, least + 3, most - 3, most - 1, most, most + 1})
      for (int64_t step : {-7, -2, -1, 1, 2, 7})
        for (int32_t kind : {kLess, kLessEqual, kGreater, kGreaterEqual}) {
          bool isUp = kind == kLess || kind == kLessEqual;
          Compared from = Compared(V(first)), to = Compared(B(last));
          if (isUp != (step > 0) || (isUp ? from > to : from < to) || int64_t(B(last)) != last)
            continue;
          std::optional<uint64_t> expected = countInC<V, B>(V(first), B(last), step, kind);
          auto count = [&] { return __cilk2gpu_trip_count(int64_t(from), int64_t(to), step, kind | flags); };
          if (expected) {
            EXPECT_EQ(*expected, count()) << first << " " << last << " " << step << " " << kind;
          } else {
            uint64_t steps = 0;
            bool wraps = false;
            auto endless = [&](bool isWrap) { wraps = isWrap; };
            steps = cilk2gpu::rt::tripCount(int64_t(from), int64_t(to), step, kind | flags, endless);
            EXPECT_TRUE(wraps) << first << " " << last << " " << step << " " << kind << " " << steps;
          }
        }
}

TEST(TripCount, FindsVariablesThatWrapAround) {
  checkNarrow<uint8_t, int>();
  checkNarrow<int8_t, int>();
  checkNarrow<uint16_t, int>();
  checkNarrow<int16_t, int>();
  checkNarrow<int16_t, int64_t>();
  checkNarrow<uint16_t, uint32_t>();
}

TEST(TripCountDeathTest, RefusesLoopsThatWrapAround) {
  const int32_t uint = kUnsigned | kFromZero | 32 << kVariableBitsShift, ulong = uint + (32 << kVariableBitsShift);
  EXPECT_EXIT(__cilk2gpu_trip_count(0, 0xFFFFFFFF, 0x80000000, kLess | uint), testing::ExitedWithCode(1),
              "error: the variable of a cilk_for reaches its bound, or passes it, before it wraps around; found first "
              "value 0, bound 4294967295, step 2147483648 and a variable of 32 bits; use a wider variable, or change "
              "the step or the condition");
  EXPECT_EXIT(__cilk2gpu_trip_count(-6, -2, 3, kLess | ulong), testing::ExitedWithCode(1),
              "first value 18446744073709551610, bound 18446744073709551614, step 3 and a variable of 64 bits");
  EXPECT_EXIT(__cilk2gpu_trip_count(32760, 32767, 2, kLess | 16 << kVariableBitsShift), testing::ExitedWithCode(1),
              "bound 32767, step 2 and a variable of 16 bits");
  EXPECT_EXIT(__cilk2gpu_trip_count(5, 0, -1, kGreaterEqual | uint), testing::ExitedWithCode(1), "bound 0, step -1");
  EXPECT_EQ(0xFFFFFFFFu, __cilk2gpu_trip_count(0, 0xFFFFFFFF, 1, kLess | uint));
  EXPECT_EQ(UINT64_MAX, __cilk2gpu_trip_count(0, -1, 1, kLess | ulong));
  EXPECT_EQ(6u, __cilk2gpu_trip_count(5, 0, -1, kGreaterEqual | 32 << kVariableBitsShift));
  // An int that is compared with an unsigned bound has the bound's values.
  EXPECT_EQ(3u, __cilk2gpu_trip_count(0, 3000000000, 1000000000, kLess | uint));
}

TEST(Grain, IsTheWantedOneOrADefaultWithinBounds) {
  EXPECT_EQ(7u, __cilk2gpu_grain(1000000, 7));
  EXPECT_EQ(1u, __cilk2gpu_grain(0, 0));
  EXPECT_EQ(1u, __cilk2gpu_grain(100, 0));
  EXPECT_EQ(10u, __cilk2gpu_grain(10240, 0));
  EXPECT_EQ(2048u, __cilk2gpu_grain(UINT64_MAX, 0));
  EXPECT_EQ(5u, __cilk2gpu_grain(100, -5)); // at least
  EXPECT_EQ(10u, __cilk2gpu_grain(10240, -5));
  EXPECT_EQ(2048u, __cilk2gpu_grain(UINT64_MAX, -5));
  EXPECT_EQ(65536u, __cilk2gpu_grain(100, -65536)); // the least grain may exceed the largest default
  EXPECT_EQ(65536u, __cilk2gpu_grain(100, -65537));
  EXPECT_EQ(65536u, __cilk2gpu_grain(100, INT64_MIN));
}
