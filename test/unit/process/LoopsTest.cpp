// Tests the iteration counts of cilk_for against loops that count, also at the ends of the integer ranges.
#include "cilk2gpu/abi/Records.h"
#include "gtest/gtest.h"

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

TEST(Grain, IsTheWantedOneOrADefaultWithinBounds) {
  EXPECT_EQ(7u, __cilk2gpu_grain(1000000, 7));
  EXPECT_EQ(1u, __cilk2gpu_grain(0, 0));
  EXPECT_EQ(1u, __cilk2gpu_grain(100, 0));
  EXPECT_EQ(10u, __cilk2gpu_grain(10240, 0));
  EXPECT_EQ(2048u, __cilk2gpu_grain(UINT64_MAX, 0));
  EXPECT_EQ(5u, __cilk2gpu_grain(100, -5)); // at least
  EXPECT_EQ(10u, __cilk2gpu_grain(10240, -5));
  EXPECT_EQ(2048u, __cilk2gpu_grain(100, INT64_MIN));
}
