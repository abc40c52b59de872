// Tests when workers take turns at iterations that get in each other's way.
#include "core/Contention.h"

#include <gtest/gtest.h>

namespace {

using namespace cilk2gpu;
using rt::Contention;
namespace tunables = rt::tunables;

constexpr uint64_t kIterations = 1000;

/// Two workers that run blocks of kIterations iterations.
struct Workers {
  Contention contention;
  uint64_t now = 1'000'000;

  /// One worker runs blocks alone; each takes `took` nanoseconds.
  void runAlone(uint64_t took, uint64_t blocks = 1) {
    for (uint64_t block = 0; block < blocks; ++block) {
      Contention::Visit visit;
      ASSERT_TRUE(contention.enter(now, visit));
      now += took;
      EXPECT_TRUE(contention.leave(visit, kIterations, now));
    }
  }

  /// Each of two workers runs blocks at the same time, as long as both may. Returns the blocks that the second ran.
  uint64_t runTogether(uint64_t took, uint64_t blocks) {
    for (uint64_t block = 0; block < blocks; ++block) {
      if (!contention.mayJoin(now))
        return block;
      Contention::Visit first, second;
      EXPECT_TRUE(contention.enter(now, first));
      EXPECT_TRUE(contention.enter(now, second));
      now += took;
      contention.leave(second, kIterations, now);
      contention.leave(first, kIterations, now);
    }
    return blocks;
  }
};

TEST(Contention, IsNotFoundInIterationsThatTwoWorkersRunFaster) {
  Workers workers;
  workers.runAlone(10'000, tunables::kBlocksAlone);
  EXPECT_EQ(workers.runTogether(12'000, 1000), 1000u);
  EXPECT_FALSE(workers.contention.takesTurns());
}

TEST(Contention, IsFoundAfterAFewBlocks) {
  Workers workers;
  workers.runAlone(10'000, tunables::kBlocksAlone);
  uint64_t blocks = workers.runTogether(60'000, 1000);
  EXPECT_EQ(blocks, tunables::kContendedBlocks);
  EXPECT_TRUE(workers.contention.takesTurns());
  EXPECT_FALSE(workers.contention.mayJoin(workers.now));
  Contention::Visit first, second;
  EXPECT_TRUE(workers.contention.enter(workers.now, first));
  EXPECT_FALSE(workers.contention.enter(workers.now, second));
  workers.contention.leave(first, kIterations, workers.now + 10'000);
  EXPECT_TRUE(workers.contention.enter(workers.now, second));
}

TEST(Contention, LetsWorkersJoinAgainLaterAndLater) {
  Workers workers;
  workers.runAlone(10'000, tunables::kBlocksAlone);
  uint64_t before = 0;
  for (int time = 0; time < 8; ++time) {
    workers.runTogether(60'000, 1000);
    uint64_t found = workers.now;
    while (!workers.contention.mayJoin(workers.now))
      workers.runAlone(10'000);
    EXPECT_GE(workers.now - found + 60'000, before);
    EXPECT_LE(workers.now - found, tunables::kLongestTurns + 20'000);
    before = workers.now - found;
  }
  EXPECT_GE(before, tunables::kLongestTurns - 120'000);
}

TEST(Contention, EndsWhereItCeases) {
  Workers workers;
  workers.runAlone(10'000, tunables::kBlocksAlone);
  workers.runTogether(60'000, 1000);
  ASSERT_TRUE(workers.contention.takesTurns());
  workers.now += tunables::kShortestTurns;
  EXPECT_EQ(workers.runTogether(10'000, 1000), 1000u);
  EXPECT_FALSE(workers.contention.takesTurns());
}

TEST(Contention, IsNotTakenForLongerIterations) {
  Workers workers;
  workers.runAlone(10'000, tunables::kBlocksAlone);
  workers.runTogether(60'000, 1000); // iterations of 30 ns for each of two workers
  ASSERT_TRUE(workers.contention.takesTurns());
  workers.runAlone(60'000); // and 60 ns for one
  EXPECT_FALSE(workers.contention.takesTurns());
  EXPECT_EQ(workers.runTogether(60'000, 1000), 1000u);
}

TEST(Contention, MeasuresOneWorkerAgainWhereItKnowsLittle) {
  Workers workers;
  workers.runAlone(200'000); // the program's first block
  workers.runTogether(60'000, tunables::kContendedBlocks);
  ASSERT_TRUE(workers.contention.takesTurns());
  workers.runAlone(10'000, tunables::kBlocksAlone);
  EXPECT_TRUE(workers.contention.takesTurns());
}

TEST(Contention, CountsOnlyBlocksThatRanAloneToTheirEnd) {
  Workers workers;
  workers.runAlone(10'000, tunables::kBlocksAlone);
  Contention::Visit first, second;
  ASSERT_TRUE(workers.contention.enter(workers.now, first));
  workers.now += 10'000;
  ASSERT_TRUE(workers.contention.enter(workers.now, second));
  workers.now += 50'000;
  EXPECT_TRUE(workers.contention.leave(first, kIterations, workers.now));
  EXPECT_TRUE(workers.contention.leave(second, kIterations, workers.now));
  // Had the first block counted, an iteration of one worker would take 22 ns, and two workers would lose nothing.
  workers.runTogether(30'000, tunables::kContendedBlocks);
  EXPECT_TRUE(workers.contention.takesTurns());
}

} // namespace
