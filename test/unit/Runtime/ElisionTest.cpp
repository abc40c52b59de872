// Tests that the tasks of a level run as their serial elisions where that takes less time, and only there. The clock is
// the tests' own.
#include "Programs.h"
#include "aggregator/Scheduler.h"
#include "host/HostEnvironment.h"

#include <gtest/gtest.h>

using namespace cilk2gpu::test;

namespace cilk2gpu {
namespace {

constexpr int32_t kDepth = 12;
constexpr uint64_t kLeaves = uint64_t(1) << kDepth, kTasks = 2 * kLeaves - 1, kRuns = 40;

uint64_t now, graphTime, elidedTime; // nanoseconds, each of a task
uint64_t away = 0;                   // nanoseconds after each 200 microseconds in which other programs have the processor
uint64_t leaves, elidedTasks, largestElided;

constexpr int32_t kChain = 1000;

// node(n): if (n) spawn node(n - 1) twice; else count a leaf
// node(kChain + n): if (n) spawn node(kChain + n - 1)

void nodeStart(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    now += graphTime;
    int32_t n = load<int32_t>(wave, lane, 0);
    leaves += n == 0;
    int32_t children = n >= kChain ? n > kChain : n ? 2 : 0;
    for (int32_t child = 0; child < children; ++child)
      ASSERT_TRUE(spawn(wave, 0, n - 1));
  }
}

void nodeElided(abi::Wave *wave) {
  for (uint32_t lane = 0; lane < wave->lanes; ++lane) {
    int32_t n = load<int32_t>(wave, lane, 0);
    uint64_t below = n < kChain ? uint64_t(1) << n : 0, tasks = n < kChain ? 2 * below - 1 : uint64_t(n - kChain) + 1;
    now += elidedTime * tasks;
    leaves += below;
    elidedTasks += tasks;
    largestElided = std::max(largestElided, tasks);
  }
}

const abi::FieldRecord fields[] = {{4, 4}};
const abi::KernelRecord kernels[] = {{"node:0", nodeStart, nullptr}, {"node:serial", nodeElided, nullptr}};

struct Outcome {
  uint64_t elided;  ///< tasks, with all that they would have spawned
  uint64_t largest; ///< of one lane's
  uint64_t counted; ///< Counters::elided
};

/// Runs the tree several times with one scheduler, after some chains that are a little deeper.
Outcome runTrees(uint64_t graph, uint64_t elided, rt::Limits limits, bool hasElision = true, bool hasStack = true,
                 uint64_t chains = 0) {
  static abi::TaskRecord node;
  static abi::TaskRecord *const targets[] = {&node};
  node = {abi::kMagic, abi::kAbiVersion, "node", nullptr, fields, kernels, targets, 0, 1, 1, 1, 1, nullptr, 0, 0, nullptr,
          hasElision};
  now = 1, graphTime = graph, elidedTime = elided, elidedTasks = largestElided = 0;
  rt::Environment environment = rt::hostEnvironment();
  environment.clock = [](void *) { return now + now / 200'000 * away; };
  environment.ownClock = [](void *) { return now; };
  if (!hasStack)
    environment.callElided = [](void *, abi::KernelFn, abi::Wave *) { return false; };
  rt::TaskTable tasks(environment);
  rt::Scheduler scheduler(environment, limits);
  for (uint64_t run = 0; run < chains + kRuns; ++run) {
    leaves = 0;
    abi::Cursor *root = scheduler.root(tasks.add(&node));
    static_cast<int32_t *>(root->columns[0])[root->next++] = run < chains ? kChain + kDepth + 3 : kDepth;
    EXPECT_TRUE(scheduler.run(0));
    EXPECT_EQ(leaves, run < chains ? 0 : kLeaves);
  }
  Outcome result = {elidedTasks, largestElided, scheduler.counters(tasks).elided};
  EXPECT_LE(scheduler.counters(tasks).memory_high_water, scheduler.memoryBound());
  scheduler.destroy();
  tasks.destroy();
  return result;
}

rt::Limits limits(uint32_t wave = 64) {
  rt::Limits result{wave, 4096};
  result.depthFirst = true;
  return result;
}

TEST(Elision, IsTakenWhereItCostsLess) {
  Outcome run = runTrees(100, 10, limits());
  EXPECT_GT(run.elided, kRuns * kTasks / 2);
  EXPECT_GT(run.counted, 0u);
}

TEST(Elision, WaitsForNoLevelThatHardlyEverRuns) {
  EXPECT_GT(runTrees(100, 10, limits(), /*hasElision=*/true, /*hasStack=*/true, /*chains=*/20).elided, kRuns * kTasks / 2);
}

TEST(Elision, IsOnlyTriedWhereTheGraphCostsLess) {
  Outcome run = runTrees(10, 20, limits());
  EXPECT_GT(run.elided, 0u);
  EXPECT_LT(run.elided, kRuns * kTasks / 10);
}

TEST(Elision, IsNotTakenBecauseOthersHaveTheProcessor) {
  // They have it more often in the graph's part of a trial, which is the longer one.
  away = 2'000'000;
  Outcome run = runTrees(100, 120, limits());
  away = 0;
  EXPECT_LT(run.elided, kRuns * kTasks / 4); // trials are most of it, as the ways differ little
}

TEST(Elision, IsNotTakenForALittle) { EXPECT_LT(runTrees(100, 95, limits()).elided, kRuns * kTasks / 10); }

TEST(Elision, IsNotTriedWithLongSubtrees) {
  // One of 31 tasks takes more than 20 microseconds in the graph.
  Outcome run = runTrees(1'000, 900, limits());
  EXPECT_LE(run.largest, 63u);
}

TEST(Elision, IsTakenAtWidthOfOneLane) { EXPECT_GT(runTrees(100, 10, limits(1)).elided, kRuns * kTasks / 2); }

TEST(Elision, NeedsOne) { EXPECT_EQ(runTrees(100, 10, limits(), /*hasElision=*/false).counted, 0u); }

TEST(Elision, NeedsAStack) {
  rt::Limits always = limits();
  always.elide = rt::Elide::Always;
  for (const rt::Limits &wanted : {limits(), always}) {
    Outcome run = runTrees(100, 10, wanted, /*hasElision=*/true, /*hasStack=*/false);
    EXPECT_EQ(run.counted, 0u);
    EXPECT_EQ(run.elided, 0u);
  }
}

TEST(Elision, CanBeTurnedOff) {
  rt::Limits never = limits();
  never.elide = rt::Elide::Never;
  EXPECT_EQ(runTrees(100, 10, never).counted, 0u);
}

TEST(Elision, CanBeForcedForAllButRoots) {
  rt::Limits always = limits();
  always.elide = rt::Elide::Always;
  Outcome run = runTrees(10, 20, always);
  EXPECT_EQ(run.elided, kRuns * (kTasks - 1));
  EXPECT_EQ(run.counted, 2 * kRuns);
}

TEST(Elision, IsNotTakenLevelByLevel) {
  rt::Limits levelized = limits();
  levelized.depthFirst = false;
  EXPECT_EQ(runTrees(100, 10, levelized).counted, 0u);
}

TEST(Elision, IsTheSeedsInARandomSchedule) {
  rt::Limits shuffled{64, 4096};
  shuffled.order = rt::TaskOrder::Shuffled;
  Outcome first = runTrees(10, 20, shuffled), second = runTrees(20, 10, shuffled);
  EXPECT_GT(first.counted, 0u);
  EXPECT_EQ(first.counted, second.counted);
  EXPECT_EQ(first.elided, second.elided);
  shuffled.seed = 2;
  EXPECT_NE(runTrees(10, 20, shuffled).elided, first.elided);
}

} // namespace
} // namespace cilk2gpu
