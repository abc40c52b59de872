// Tests the plans of doacross nests, and the sizes of tiles that follow from the time of an iteration.
#include "core/DoacrossSizes.h"
#include "gtest/gtest.h"

using namespace cilk2gpu::abi; // <cxxabi.h> has a namespace abi, too
namespace doacross = cilk2gpu::rt::doacross;
namespace tunables = cilk2gpu::rt::tunables;

namespace {

/// A nest of two loops whose rows are measured: each iteration takes `time` nanoseconds.
struct Nest {
  uint64_t rows, columns;
  double time;
  uint64_t workers = 2;
  uint64_t measured = 0; ///< rows that ran one after the other
  uint64_t height = 0, width = 0;

  void run() {
    uint64_t plan = kDoacrossMeasure, low = 0;
    while (doacross::isMeasured(plan) && low < rows) {
      uint64_t high = doacross::rows(plan, low, rows), cells = (high - low) * columns;
      EXPECT_LT(low, high);
      EXPECT_LE(high, rows);
      plan = doacross::next(plan, uint64_t(double(cells) * time), cells);
      low = high;
    }
    measured = low;
    if (low == rows)
      return;
    EXPECT_EQ(rows, doacross::rows(plan, low, rows));
    uint64_t left = rows - low;
    width = doacross::adaptedSize({8, 1, 1, false}, plan, columns, 1, left * columns, workers);
    height = doacross::adaptedSize({4, 1, 0, true}, plan, left, width, left * columns, workers);
  }
  double tileTime() const { return double(width) * double(height) * time; }
  uint64_t tiles() const { return ((rows - measured - 1) / height + 1) * ((columns - 1) / width + 1); }
};

TEST(DoacrossSizes, TilesTakeMicroseconds) {
  for (double time : {0.3, 1.0, 20.0, 400.0})
    for (uint64_t side : {400, 3000, 20000})
      for (uint64_t workers : {2, 16}) {
        Nest nest{side, side, time, workers};
        nest.run();
        double rest = double(side - nest.measured) * double(side) * time;
        if (nest.measured == side || rest < double(tunables::kSharedWork))
          continue;
        SCOPED_TRACE(testing::Message() << time << " ns, side " << side << ", workers " << workers);
        EXPECT_LE(nest.measured, side / 4);
        if (nest.height > 1)
          EXPECT_LE(nest.tileTime(), 1.01 * double(tunables::kLongestDoacrossTile));
        EXPECT_GE(nest.tileTime(), 0.7 * double(tunables::kDoacrossTileTime)); // sizes are rounded
        if (rest > 20e6)
          EXPECT_GE(nest.tiles(), 16 * workers);
      }
}

// A tile cannot be smaller than an iteration.
TEST(DoacrossSizes, LongIterations) {
  Nest nest{40, 40, 1e6};
  nest.run();
  EXPECT_EQ(2u, nest.measured);
  EXPECT_EQ(1u, nest.height);
  EXPECT_LE(nest.width, 3u);
}

TEST(DoacrossSizes, ShortNestsAreOneTile) {
  Nest nest{50, 50, 1.0};
  nest.run();
  EXPECT_EQ(50u, nest.measured);
}

// The first measurement may be wrong because the thread was interrupted, or because data was not in caches.
TEST(DoacrossSizes, TheShorterTimeCounts) {
  uint64_t plan = doacross::next(kDoacrossMeasure, 4'000'000, 100);
  EXPECT_TRUE(doacross::isMeasured(plan) && doacross::isSerial(plan));
  EXPECT_EQ(2u, doacross::rows(plan, 1, 1000));
  EXPECT_EQ(10'000u, doacross::next(plan, 1'000, 100));
  EXPECT_EQ(40'000'000u, doacross::next(plan, 5'000'000, 100));
  EXPECT_EQ(uint64_t(kDoacrossLeastTime), doacross::next(plan, 0, 100));
}

// The loops around an inner loop may make enough tiles.
TEST(DoacrossSizes, EmptyRows) {
  uint64_t plan = doacross::next(kDoacrossMeasure, 10 * tunables::kDoacrossMeasureTime, 0);
  EXPECT_EQ(plan, kDoacrossMeasure);
}

TEST(DoacrossSizes, ThreeLoops) {
  uint64_t all = 200 * 200 * 200;
  EXPECT_EQ(200u, doacross::adaptedSize({128, 32, 2, false}, 1000, 200, 1, all, 2));
  EXPECT_GT(200u, doacross::adaptedSize({8, 2, 1, false}, 1000, 200, 200, all, 2));
  EXPECT_GT(4000u, doacross::adaptedSize({128, 32, 2, false}, 1000, 4000, 1, 10 * 10 * 4000, 2));
}

TEST(DoacrossSizes, FixedSizes) {
  EXPECT_EQ(128u, doacross::fixedSize({128, 32, 1, false}, 100'000));
  EXPECT_EQ(63u, doacross::fixedSize({128, 32, 1, false}, 2000));
  EXPECT_EQ(32u, doacross::fixedSize({128, 32, 1, false}, 10));
  EXPECT_EQ(7u, doacross::fixedSize({7, 0, 1, false}, 2000));
}

} // namespace
