// Tests the modelled machine for thread blocks: order of blocks, deadlocks, counters, and the versions of the paper.
#include "DatsShapes.h"
#include "blocks/dats/DgbSafety.h"

#include <gtest/gtest.h>

using namespace cilk2gpu;
using namespace cilk2gpu::rt;

namespace {

/// Runs a graph with a policy's sizes scaled to `nodes`, without spills, with several seeds. Returns the runs that
/// ended in a deadlock.
unsigned deadlocks(const DatsGraph &graph, bool isLevelBound, uint32_t nodes) {
  unsigned count = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    DatsOptions options;
    options.nodes = nodes;
    options.edges = 4 * nodes;
    options.spill = false;
    options.durations.seed = seed;
    DatsReport report = DatsMachine(graph, options.setupFor(isLevelBound), {}).run();
    EXPECT_EQ(report.isDeadlocked, report.blocks < graph.nodes());
    EXPECT_EQ(report.spill_requests, 0u);
    count += report.isDeadlocked;
  }
  return count;
}

DatsReport runVersion(unsigned version, const DatsGraph &graph, uint64_t ratio, uint64_t seed = 1) {
  DatsOptions options;
  options.durations = BlockDurations::withRatio(ratio);
  options.durations.seed = seed;
  return datsVersions[version].run(graph, options, {});
}

/// Speed-ups over Global in percent, on average over seeds.
std::vector<double> speedUps(uint32_t side, uint64_t ratio) {
  DatsGraph graph = square(side);
  std::vector<double> result(kNumDatsVersions);
  constexpr unsigned seeds = 4;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    double global = double(runVersion(0, graph, ratio, seed).modelled_cycles);
    for (unsigned version = 0; version < kNumDatsVersions; ++version)
      result[version] += 100 * (global / double(runVersion(version, graph, ratio, seed).modelled_cycles) - 1) / seeds;
  }
  return result;
}

TEST(DatsMachine, RequestsOfSquareWavefronts) {
  for (auto [side, requests] : {std::pair(32, 128u), {64, 512u}, {96, 1152u}})
    for (unsigned version : {kLooseRoundRobinVersion, kLevelBoundVersion}) {
      DatsReport report = runVersion(version, square(side), 5);
      EXPECT_EQ(report.datsRequests(), requests) << side;
      EXPECT_EQ(report.node_requests, requests / 2) << side;
    }
  EXPECT_EQ(runVersion(kLooseRoundRobinVersion, square(64), 5).request_overhead, 1201u) << "0.12 %";
}

TEST(DatsMachine, SquareWavefrontsDeadlockWithoutSpills) {
  DatsGraph small = square(110), large = square(114);
  for (bool isLevelBound : {false, true}) {
    EXPECT_EQ(deadlocks(small, isLevelBound, 128), 0u);
    EXPECT_GT(deadlocks(large, isLevelBound, 128), 0u);
  }
  EXPECT_EQ(deadlocks(square(256), false, 512), 0u);
  EXPECT_GT(deadlocks(square(500), false, 512), 0u);
}

TEST(DatsMachine, SpillsAvoidDeadlocks) {
  DatsGraph graph = square(114);
  DatsOptions options;
  options.nodes = 128;
  options.edges = 512;
  DatsReport report = DatsMachine(graph, options.setupFor(true), {}).run();
  EXPECT_FALSE(report.isDeadlocked);
  EXPECT_EQ(report.blocks, graph.nodes());
  EXPECT_GT(report.spilled_updates, 0u);
  EXPECT_EQ(report.spill_requests, report.spilled_updates);
  EXPECT_EQ(report.pending_high_water, 64u);
}

TEST(DgbSafety, KnowsWavefronts) {
  DgbSizes sizes = DgbSizes::levelBounded();
  EXPECT_TRUE(checkSafety(square(112), sizes).isSafe());
  DgbSafety safety = checkSafety(square(113), sizes);
  EXPECT_FALSE(safety.isSafe());
  char text[256];
  safety.explain(text, sizeof text);
  EXPECT_STREQ(text,
               "without spills, a child's ID may be at most 112 above its parent's in level order; this graph has "
               "a distance of 113; use spill:on, or a larger nodes:N");
  safety = checkSafety(withBarriers(square(30)), sizes);
  EXPECT_LE(safety.distance, safety.mostDistance);
  safety.explain(text, sizeof text);
  EXPECT_STREQ(text, "without spills, the edges of the window must fit into 512 entries; this graph has windows with "
                     "3700 edges; use spill:on, or a larger edges:N");
}

TEST(DgbSafety, SafeGraphsNeverDeadlock) {
  unsigned safe = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    TestGraph shape = randomGraph(seed);
    DatsGraph graph = datsGraph(shape);
    DatsSetup setup = randomSetup(seed);
    setup.sizes.spill = false;
    if (!checkSafety(graph, setup.sizes).isSafe())
      continue;
    ++safe;
    EXPECT_FALSE(DatsMachine(graph, setup, {}).run().isDeadlocked) << seed;
  }
  EXPECT_GT(safe, 20u);
}

TEST(DatsMachine, RandomGraphsEndWithSpills) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    TestGraph shape = randomGraph(seed);
    OrderCheck check(shape);
    DatsSetup setup = randomSetup(seed);
    DatsReport report = DatsMachine(datsGraph(shape), setup, check.work()).run();
    ASSERT_FALSE(report.isDeadlocked) << seed;
    ASSERT_TRUE(check.isRight()) << seed;
    if (setup.policy.isLevelBound)
      ASSERT_LE(report.levelRange, setup.policy.bound) << seed;
    ASSERT_LE(report.slots_high_water, setup.units * setup.slots) << seed;
    ASSERT_LE(report.pending_high_water, setup.sizes.pending) << seed;
  }
}

TEST(DatsMachine, TheSameSetupGivesTheSameNumbers) {
  DatsGraph graph = square(40);
  DatsReport first = runVersion(kLevelBoundVersion, graph, 5), second = runVersion(kLevelBoundVersion, graph, 5);
  EXPECT_EQ(first.modelled_cycles, second.modelled_cycles);
  EXPECT_EQ(first.slot_cycles, second.slot_cycles);
  EXPECT_NE(first.modelled_cycles, runVersion(kLevelBoundVersion, graph, 5, 2).modelled_cycles);
}

TEST(DatsMachine, LevelBoundIsKept) {
  for (uint32_t side : {32, 64, 96})
    for (uint64_t bound : {0, 1, 3}) {
      DatsOptions options;
      options.bound = bound;
      options.durations.spread = 300;
      DatsReport report = datsVersions[kLevelBoundVersion].run(square(side), options, {});
      EXPECT_LE(report.levelRange, bound);
      EXPECT_EQ(report.blocks, side * side);
    }
}

TEST(DatsVersions, RunAllBlocksInOrder) {
  TestGraph shape = wavefront(40, 30);
  DatsGraph graph = datsGraph(shape);
  for (const DatsVersion &version : datsVersions) {
    OrderCheck check(shape);
    DatsReport report = version.run(graph, {}, check.work());
    EXPECT_TRUE(check.isRight()) << version.name;
    EXPECT_EQ(report.blocks, graph.nodes()) << version.name;
  }
}

TEST(DatsVersions, Launches) {
  DatsGraph graph = square(64); // 127 levels
  const unsigned launches[] = {127, 128, 1, 1, 1};
  for (unsigned version = 0; version < kNumDatsVersions; ++version)
    EXPECT_EQ(runVersion(version, graph, 5).modelled_launches, launches[version]) << datsVersions[version].name;
}

TEST(DatsVersions, JoinNodesMakeBarriersSmall) {
  DatsGraph graph = square(64), barriers = withBarriers(graph), joined = withJoinNodes(graph);
  EXPECT_EQ(barriers.edges(), 174720u);
  EXPECT_EQ(barrierEdges(graph), 174720u);
  EXPECT_EQ(joined.edges(), 8190u);
  EXPECT_EQ(joinEdges(graph), 8190u);
  EXPECT_EQ(joined.nodes(), 4096u + 126);
  EXPECT_EQ(joined.numLevels, 2 * 127u - 1);
  for (bool isLevelBound : {false, true}) {
    DatsOptions options;
    options.spill = false;
    EXPECT_TRUE(DatsMachine(barriers, options.setupFor(isLevelBound), {}).run().isDeadlocked);
    DatsReport report = DatsMachine(joined, options.setupFor(isLevelBound), {}).run();
    EXPECT_FALSE(report.isDeadlocked);
    EXPECT_EQ(report.joinNodes, 126u);
  }
}

TEST(DatsVersions, GlobalHasTheRatioOfComputeToLaunchTime) {
  for (auto [side, ratio] :
       {std::pair(32u, BlockDurations::kRatio1K), {64u, BlockDurations::kRatio4K}, {96u, BlockDurations::kRatio9K}}) {
    DatsReport report = runVersion(0, square(side), ratio);
    double measured = double(report.modelled_cycles - report.launch_cycles) / double(report.launch_cycles);
    EXPECT_NEAR(measured / double(ratio), 1, 0.05) << side;
  }
}

TEST(DatsVersions, SpeedUpsOfThePaper) {
  std::vector<double> at1K = speedUps(32, BlockDurations::kRatio1K), at4K = speedUps(64, BlockDurations::kRatio4K),
                      at9K = speedUps(96, BlockDurations::kRatio9K);
  EXPECT_LT(0, at4K[1]);
  EXPECT_LT(at4K[1], at4K[2]);
  EXPECT_LT(at4K[2], at4K[kLooseRoundRobinVersion]);
  EXPECT_NEAR(at4K[1], 6.87, 1);
  EXPECT_NEAR(at4K[2], 25.07, 6);
  EXPECT_NEAR(at4K[kLooseRoundRobinVersion], 29.81, 5);
  EXPECT_NEAR(at4K[kLevelBoundVersion], 31.81, 5);
  EXPECT_NEAR(at1K[kLevelBoundVersion], 14.11, 8);
  EXPECT_NEAR(at9K[kLevelBoundVersion], 45.07, 8);
}

} // namespace
