// Tests that each block runs once and after its parents, with every policy and number of workers.
#include "blocks/BlockRunner.h"
#include "GraphShapes.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <thread>

namespace cilk2gpu {
namespace {

/// A run in which each block adds up what its parents have, as plain variables: ThreadSanitizer sees a missing order.
class Checked {
public:
  Checked(const TestGraph &test, rt::BlockPolicy policy, uint32_t workers) : test(test), sums(test.nodes, 0) {
    parentsOf.resize(test.nodes);
    for (auto [parent, child] : test.edges)
      parentsOf[child].push_back(parent);
    graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
    launch.reset(new rt::BlockLaunch{graph, policy, 1, runBlock, this, "checked"});
    run.reset(new rt::BlockRun{*launch, memory, rt::findLevels(memory, graph), workers, true, {}});
  }

  rt::BlockRun &operator*() { return *run; }

  /// Compares with the serial oracle: blocks in the order of their levels.
  void check() const {
    ASSERT_EQ(run->counters.blocks, test.nodes);
    std::vector<uint32_t> levels = levelsOf(test), order(test.nodes);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return levels[a] < levels[b]; });
    std::vector<uint64_t> expected(test.nodes, 0);
    for (uint32_t node : order)
      expected[node] = sumOf(node, expected);
    ASSERT_EQ(sums, expected);
  }

  std::vector<uint32_t> order; ///< in which blocks ran, if `recordsOrder`
  bool recordsOrder = false, tracksLevels = false;
  int range = 0; ///< most levels between blocks that ran at a time, if `tracksLevels`
  bool yields = false;

private:
  uint64_t sumOf(uint64_t node, const std::vector<uint64_t> &from) const {
    uint64_t sum = node * 7 + 1;
    for (uint32_t parent : parentsOf[node])
      sum = sum * 31 + from[parent];
    return sum;
  }

  void track(uint64_t node, int change) {
    std::lock_guard lock(mutex);
    running.resize(run->levels.count);
    running[run->levels.of[node]] += change;
    auto isRunning = [](int count) { return count > 0; };
    auto first = std::find_if(running.begin(), running.end(), isRunning);
    auto last = std::find_if(running.rbegin(), running.rend(), isRunning);
    if (first != running.end())
      range = std::max(range, int(running.rend() - last) - 1 - int(first - running.begin()));
  }

  static void runBlock(void *context, uint64_t node) {
    Checked &self = *static_cast<Checked *>(context);
    if (self.tracksLevels)
      self.track(node, 1);
    if (self.yields)
      std::this_thread::yield();
    // A second run of the block gives another sum, too.
    self.sums[node] += self.sumOf(node, self.sums);
    if (self.recordsOrder)
      self.order.push_back(uint32_t(node));
    if (self.tracksLevels)
      self.track(node, -1);
  }

  const TestGraph &test;
  rt::BlockMemory memory;
  rt::BlockGraph graph;
  std::unique_ptr<rt::BlockLaunch> launch;
  std::unique_ptr<rt::BlockRun> run;
  std::vector<std::vector<uint32_t>> parentsOf;
  std::vector<uint64_t> sums;
  std::mutex mutex;
  std::vector<int> running;
};

constexpr uint32_t kWorkers[] = {1, 2, 3, 8};
constexpr rt::BlockPolicy kPolicies[] = {{WF::LRR, 0}, {WF::LVL, 0}, {WF::LVL, 1}, {WF::LVL, 1000}};

void runAll(const TestGraph &test) {
  for (uint32_t workers : kWorkers)
    for (rt::BlockPolicy policy : kPolicies) {
      SCOPED_TRACE(testing::Message() << workers << " workers, policy " << policy.kind << ", bound " << policy.bound);
      Checked checked(test, policy, workers);
      rt::runBlocks(*checked);
      checked.check();
    }
}

TEST(BlockRunnerTest, Wavefronts) {
  runAll(wavefront(1, 1));
  runAll(wavefront(40, 30));
  runAll(wavefront(1, 300));
}
TEST(BlockRunnerTest, Barriers) { runAll(barriers(20, 13)); }
TEST(BlockRunnerTest, WideFans) { runAll(fan(3000)); }
TEST(BlockRunnerTest, DescendingIds) { runAll(descendingChain(500)); }
TEST(BlockRunnerTest, NoEdges) {
  TestGraph test = {.nodes = 700, .edges = {}};
  test.close();
  runAll(test);
}
TEST(BlockRunnerTest, RandomGraphs) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    runAll(randomGraph(seed));
  }
}

TEST(BlockRunnerTest, ManyNodes) {
  TestGraph test = wavefront(256, 256);
  for (uint32_t workers : kWorkers) {
    Checked checked(test, {}, workers);
    rt::runBlocks(*checked);
    checked.check();
  }
}

TEST(BlockRunnerTest, LevelsThatRunAtATimeStayWithinTheBound) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (uint64_t bound : {0, 1, 3})
      for (uint32_t workers : {2u, 3u, 8u}) {
        TestGraph test = seed % 3 ? randomGraph(seed) : wavefront(12, 12);
        Checked checked(test, {WF::LVL, bound}, workers);
        checked.tracksLevels = checked.yields = true;
        rt::runBlocks(*checked);
        checked.check();
        EXPECT_LE(uint64_t(checked.range), bound) << seed << " " << workers;
        EXPECT_LE((*checked).counters.levelRange, bound);
        EXPECT_LE(uint64_t(checked.range), (*checked).counters.levelRange);
      }
}

TEST(BlockRunnerTest, OneWorkerFollowsTheLevels) {
  TestGraph test = randomGraph(7);
  Checked checked(test, {}, 1);
  checked.recordsOrder = true;
  rt::runBlocks(*checked);
  std::vector<uint32_t> levels = levelsOf(test);
  auto isBefore = [&](uint32_t a, uint32_t b) { return levels[a] < levels[b]; };
  EXPECT_TRUE(std::is_sorted(checked.order.begin(), checked.order.end(), isBefore));
}

TEST(BlockRunnerTest, TheElisionFollowsLevelsAndIds) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    TestGraph test = randomGraph(seed);
    Checked checked(test, {}, 4);
    checked.recordsOrder = true;
    rt::runElidedBlocks(*checked);
    checked.check();
    std::vector<uint32_t> levels = levelsOf(test);
    auto isBefore = [&](uint32_t a, uint32_t b) { return std::pair(levels[a], a) < std::pair(levels[b], b); };
    EXPECT_TRUE(std::is_sorted(checked.order.begin(), checked.order.end(), isBefore)) << seed;
  }
}

TEST(BlockRunnerTest, CountsTheMostThatWereReady) {
  TestGraph test = fan(102);
  for (uint32_t workers : {1u, 2u}) {
    Checked checked(test, {}, workers);
    rt::runBlocks(*checked);
    EXPECT_LE((*checked).counters.mostReady, 100u);
    EXPECT_GE((*checked).counters.mostReady, workers == 1 ? 100u : 1u); // other workers may take each at once
  }
}

} // namespace
} // namespace cilk2gpu
