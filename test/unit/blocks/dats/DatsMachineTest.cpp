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
  options.durations.seed = seed;
  options.scaleDurations(graph, ratio * 1000);
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
               "a distance of 113; use spill:on, or nodes:129");
  safety.distance = 70000;
  safety.explain(text, sizeof text);
  EXPECT_STREQ(text,
               "without spills, a child's ID may be at most 112 above its parent's in level order; this graph has "
               "a distance of 70000; use spill:on");
  safety = checkSafety(withBarriers(square(30)), sizes);
  EXPECT_LE(safety.distance, safety.mostDistance);
  safety.explain(text, sizeof text);
  EXPECT_STREQ(text, "without spills, the edges of the window must fit into 512 entries; this graph has windows with "
                     "3700 edges; use spill:on, or edges:3700");
}

/// The sizes that the message names make a graph safe, one after the other.
TEST(DgbSafety, RemediesHelp) {
  unsigned unsafe = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    DatsGraph graph = datsGraph(randomGraph(seed));
    DgbSizes sizes = randomSetup(seed).sizes;
    DgbSafety safety = checkSafety(graph, sizes);
    if (safety.isSafe())
      continue;
    ++unsafe;
    if (safety.distance > safety.mostDistance)
      sizes.nodes = uint32_t(safety.distance + sizes.chunkNodes);
    sizes.edges = uint32_t(std::max(checkSafety(graph, sizes).windowEdges, uint64_t(64)));
    EXPECT_TRUE(checkSafety(graph, sizes).isSafe()) << seed;
  }
  EXPECT_GT(unsafe, 20u);
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
  for (uint32_t side : {32, 64, 96}) {
    DatsGraph graph = square(side);
    for (uint64_t bound = 0; bound <= 4; ++bound) {
      DatsOptions options;
      options.bound = bound;
      options.durations.spread = 300;
      DatsReport report = datsVersions[kLevelBoundVersion].run(graph, options, {});
      EXPECT_LE(report.levelRange, bound);
      EXPECT_EQ(report.blocks, side * side);
    }
  }
}

/// The bound is the only limit: with a spread of 0.3, blocks run ahead as far as they may.
TEST(DatsMachine, LevelBoundIsReached) {
  DatsGraph graph = square(96);
  DatsOptions options;
  options.nodes = 512;
  options.edges = 2048;
  options.durations.spread = 300;
  for (options.bound = 0; options.bound <= 4; ++options.bound)
    EXPECT_EQ(datsVersions[kLevelBoundVersion].run(graph, options, {}).levelRange, options.bound);
}

TEST(DatsMachine, LevelBoundIsKeptOnRandomGraphs) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    DatsGraph graph = datsGraph(randomGraph(seed));
    DatsSetup setup = randomSetup(seed);
    setup.policy.isLevelBound = true;
    setup.durations.spread = 300;
    for (setup.policy.bound = 0; setup.policy.bound <= 4; ++setup.policy.bound) {
      DatsReport report = DatsMachine(graph, setup, {}).run();
      ASSERT_LE(report.levelRange, setup.policy.bound) << seed;
      ASSERT_EQ(report.blocks, graph.nodes()) << seed;
    }
  }
}

TEST(BlockDurations, FollowInstructions) {
  const uint64_t instructions[] = {100, 300, 0};
  BlockDurations durations;
  durations.mean = 2000;
  durations.spread = 0;
  durations.instructions = instructions;
  durations.meanInstructions = 200;
  EXPECT_EQ(durations.cycles(0), 1000u);
  EXPECT_EQ(durations.cycles(1), 3000u);
  EXPECT_EQ(durations.cycles(2), 1u) << "at least one cycle";
  durations.instructions = nullptr;
  EXPECT_EQ(durations.cycles(1), 2000u);
}

TEST(BlockDurations, RatiosBetweenThePapersSizes) {
  EXPECT_EQ(BlockDurations::ratioFor(1), 8000u);
  EXPECT_EQ(BlockDurations::ratioFor(1024), 8000u);
  EXPECT_EQ(BlockDurations::ratioFor(2560), 6500u);
  EXPECT_EQ(BlockDurations::ratioFor(4096), 5000u);
  EXPECT_EQ(BlockDurations::ratioFor(9216), 3000u);
  EXPECT_EQ(BlockDurations::ratioFor(65536), 3000u);
}

TEST(DatsVersions, DurationsAreScaledToTheRatio) {
  std::vector<uint64_t> instructions(4096);
  for (uint64_t block = 0; block < instructions.size(); ++block)
    instructions[block] = 1 + block % 97;
  DatsGraph graph = square(64);
  for (const uint64_t *counts : {static_cast<uint64_t *>(nullptr), instructions.data()}) {
    DatsOptions options;
    options.durations.instructions = counts;
    options.durations.meanInstructions = 49;
    options.scaleDurations(graph, 2500);
    DatsReport report = datsVersions[0].run(graph, options, {});
    EXPECT_NEAR(double(report.modelled_cycles) / double(report.launch_cycles), 3.5, 0.001);
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
