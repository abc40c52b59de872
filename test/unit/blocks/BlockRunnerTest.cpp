// Tests that each block runs once and after its parents, with every policy and number of workers.
#include "blocks/BlockRunner.h"
#include "GraphShapes.h"
#include "blocks/OffsetGraph.h"
#include "blocks/gpu/GpuBlocks.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <thread>

namespace cilk2gpu {
namespace {

/// A run in which each block adds up what its parents have, as plain variables: ThreadSanitizer sees a missing order.
class Checked {
public:
  Checked(const TestGraph &test, rt::BlockPolicy policy, uint32_t workers, rt::BlockSharing sharing = {.above = 0},
          bool isCounting = true)
      : test(test), sums(test.nodes, 0) {
    prepare(policy, workers, sharing, isCounting);
  }
  /// The same graph, given by offsets.
  Checked(const TestGraph &test, dim3 grid, const std::vector<int32_t> &offsets, rt::BlockPolicy policy,
          uint32_t workers, rt::BlockSharing sharing, bool isCounting)
      : test(test), sums(test.nodes, 0) {
    graph = rt::buildFromOffsets(memory, grid, offsets.data(), uint32_t(offsets.size() / 3));
    prepare(policy, workers, sharing, isCounting);
  }

  rt::BlockRun &operator*() { return *run; }

  /// Lets blocks run in vectors. A vector of a grid of these extents reads everything before it writes anything, so
  /// that the sums show whether one of its blocks waits for another one.
  void addLanes(dim3 grid) {
    launch->forms = {.row = runRow, .rowLanes = runRowLanes, .lanes = runLanes};
    launch->grid = grid;
  }

  /// Builds the graph anew, without counts of parents if it ascends.
  void countLater() {
    graph = rt::buildFromArrays(memory, test.nodes, test.arrays(), /*countsLater=*/true);
    ASSERT_EQ(graph.parents == nullptr, graph.isAscending);
  }

  uint64_t blocksInLanes = 0; ///< atomic

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

  void checkMemory() const { EXPECT_LE(memory.highWater(), rt::boundOfLaunch(*run, rt::boundOfBlocks(*run))); }

  std::vector<uint32_t> order; ///< in which blocks ran, if `recordsOrder`
  bool recordsOrder = false, tracksLevels = false;
  int range = 0; ///< most levels between blocks that ran at a time, if `tracksLevels`
  bool yields = false;
  std::chrono::nanoseconds length{0}; ///< of a block
  uint64_t longFrom = 0;              ///< blocks of smaller IDs have no length
  std::unique_ptr<rt::BlockLaunch> launch;

private:
  void prepare(rt::BlockPolicy policy, uint32_t workers, rt::BlockSharing sharing, bool isCounting) {
    parentsOf.resize(test.nodes);
    for (auto [parent, child] : test.edges)
      parentsOf[child].push_back(parent);
    if (!graph.nodes)
      graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
    launch.reset(new rt::BlockLaunch{
        .graph = graph, .policy = policy, .threads = 1, .run = runBlock, .context = this, .name = "checked"});
    rt::BlockLevels levels;
    if (isCounting || policy.kind == WF::LVL)
      levels = rt::findLevels(memory, graph);
    run.reset(new rt::BlockRun{.launch = *launch,
                               .memory = memory,
                               .levels = levels,
                               .workers = workers,
                               .isCounting = isCounting,
                               .counters = {},
                               .sharing = sharing});
  }

  uint64_t sumOf(uint64_t node, const std::vector<uint64_t> &from) const {
    uint64_t sum = node * 7 + 1;
    for (uint32_t parent : parentsOf[node])
      sum = sum * 31 + from[parent];
    return sum;
  }

  void wait(uint64_t node) const {
    if (!length.count() || node < longFrom)
      return;
    for (auto end = std::chrono::steady_clock::now() + length; std::chrono::steady_clock::now() < end;) {
    }
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
    self.wait(node);
    if (self.recordsOrder)
      self.order.push_back(uint32_t(node));
    if (self.tracksLevels)
      self.track(node, -1);
  }

  /// IDs of neighbours along x.
  static std::vector<uint64_t> rowOf(void *context, const dim3 &first, uint32_t count) {
    const dim3 &grid = static_cast<Checked *>(context)->launch->grid;
    EXPECT_LE(first.x + count, grid.x);
    std::vector<uint64_t> nodes(count);
    std::iota(nodes.begin(), nodes.end(), first.x + grid.x * (first.y + uint64_t(grid.y) * first.z));
    return nodes;
  }

  static void runRow(void *context, dim3 first, uint32_t count) {
    for (uint64_t node : rowOf(context, first, count))
      runBlock(context, node);
  }

  static void runRowLanes(void *context, dim3 first, uint32_t count) {
    runTogether(context, rowOf(context, first, count));
  }

  static void runLanes(void *context, const uint32_t *const *at, uint32_t count) {
    const dim3 &grid = static_cast<Checked *>(context)->launch->grid;
    std::vector<uint64_t> nodes(count);
    for (uint32_t i = 0; i < count; ++i)
      nodes[i] = at[0][i] + grid.x * (at[1][i] + uint64_t(grid.y) * at[2][i]);
    runTogether(context, nodes);
  }

  static void runTogether(void *context, const std::vector<uint64_t> &nodes) {
    Checked &self = *static_cast<Checked *>(context);
    for (uint64_t node : nodes)
      if (self.tracksLevels)
        self.track(node, 1);
    if (self.yields)
      std::this_thread::yield();
    std::vector<uint64_t> results;
    for (uint64_t node : nodes)
      results.push_back(self.sumOf(node, self.sums));
    for (size_t i = 0; i < nodes.size(); ++i)
      self.sums[nodes[i]] += results[i];
    self.wait(nodes.back());
    for (uint64_t node : nodes)
      if (self.tracksLevels)
        self.track(node, -1);
    __atomic_fetch_add(&self.blocksInLanes, nodes.size(), __ATOMIC_RELAXED);
  }

  const TestGraph &test;
  rt::BlockMemory memory;
  rt::BlockGraph graph;
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
    for (rt::BlockPolicy policy : kPolicies)
      for (bool isCounting : {true, false}) {
        SCOPED_TRACE(testing::Message() << workers << " workers, policy " << policy.kind << ", bound " << policy.bound
                                        << (isCounting ? ", counting" : ""));
        Checked checked(test, policy, workers, {.above = 0}, isCounting);
        rt::runBlocks(*checked);
        checked.check();
        Checked onGpu(test, policy, workers, {.above = 0}, isCounting);
        rt::runBlocksOnGpuHost(*onGpu);
        onGpu.check();
      }
}

/// The levels of workgroups' blocks that run at the same time differ by no more than the bound.
TEST(BlockRunnerTest, BoundOfWorkgroups) {
  for (uint64_t bound : {0, 1, 3})
    for (uint32_t workers : kWorkers) {
      TestGraph test = wavefront(12, 9);
      Checked checked(test, {WF::LVL, bound}, workers);
      checked.tracksLevels = checked.yields = true;
      rt::runBlocksOnGpuHost(*checked);
      checked.check();
      EXPECT_LE(checked.range, int(bound));
      EXPECT_LE((*checked).counters.levelRange, bound);
    }
}

/// Two chains, 0 - 2 and 1 - 3 - 4. Block 3 waits until block 2 has begun, and block 2 until block 4 has. So the blocks
/// 2 and 4 always run at the same time. Their levels are neighbours, and blocks that are further apart never meet.
TEST(BlockRunnerTest, LevelRangeOfBlocksThatMeet) {
  TestGraph test = {.nodes = 5, .edges = {{0, 2}, {1, 3}, {3, 4}}};
  test.close();
  std::atomic<bool> begun[5] = {};
  auto run = [](void *context, uint64_t node) {
    auto *begun = static_cast<std::atomic<bool> *>(context);
    begun[node] = true;
    constexpr int kAwaited[] = {-1, -1, 4, 2, -1};
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (kAwaited[node] >= 0 && !begun[kAwaited[node]]) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "block " << node << " waits";
      std::this_thread::yield();
    }
  };
  rt::BlockMemory memory;
  rt::BlockGraph graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
  rt::BlockLaunch launch = {
      .graph = graph, .policy = {WF::LRR, 0}, .threads = 1, .run = run, .context = begun, .name = "meeting"};
  rt::BlockRun blocks = {.launch = launch,
                         .memory = memory,
                         .levels = rt::findLevels(memory, graph),
                         .workers = 2,
                         .isCounting = true,
                         .counters = {},
                         .sharing = {.above = 0}};
  rt::runBlocks(blocks);
  EXPECT_EQ(blocks.counters.levelRange, 1u);
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

TEST(BlockRunnerTest, ParentsAreCountedWhenTheCountsAreNeeded) {
  for (unsigned seed = 0; seed < 60; ++seed)
    for (uint32_t workers : kWorkers)
      for (uint64_t above : {uint64_t(0), uint64_t(1), rt::tunables::kSharedBlock})
        for (bool hasLanes : {false, true}) {
          SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << workers << " workers, above " << above);
          TestGraph test = seed % 2 ? wavefront(30, 31 + seed) : randomGraph(seed);
          Checked checked(test, {}, workers, {.above = above}, false);
          checked.countLater();
          if (hasLanes)
            checked.addLanes(dim3(uint32_t(test.nodes)));
          checked.length = std::chrono::nanoseconds(seed % 4 == 1 ? 300 : 0);
          rt::runBlocks(*checked);
          checked.check();
        }
}

/// Runs a graph of constant offsets in pieces of some widths, and as its rows would be.
void runOffsets(dim3 grid, const std::vector<int32_t> &offsets) {
  TestGraph test = gridGraph(grid, offsets);
  for (uint32_t workers : kWorkers)
    for (uint32_t piece : {1u, 2u, 3u, 8u, 1000u}) {
      SCOPED_TRACE(testing::Message() << workers << " workers, pieces of " << piece);
      Checked checked(test, grid, offsets, {}, workers, {.above = 0, .piece = piece}, false);
      rt::runBlocks(*checked);
      checked.check();
    }
  for (rt::BlockPolicy policy : kPolicies) {
    Checked checked(test, grid, offsets, policy, 3, {.above = 0}, true);
    rt::runBlocks(*checked);
    checked.check();
  }
}

/// The levels of a vector's blocks, and of those that run at the same time, differ by no more than the bound.
TEST(BlockRunnerTest, VectorsStayWithinTheBound) {
  dim3 grid(20, 17);
  TestGraph test = gridGraph(grid, {-1, 0, 0, 0, -1, 0});
  for (uint64_t bound : {0, 1, 3})
    for (uint32_t workers : {1u, 3u})
      for (uint64_t above : {uint64_t(0), rt::tunables::kSharedBlock}) {
        SCOPED_TRACE(testing::Message() << workers << " workers, bound " << bound << ", above " << above);
        Checked checked(test, {WF::LVL, bound}, workers, {.above = above, .inLanes = true}, false);
        checked.addLanes(grid);
        checked.tracksLevels = checked.yields = true;
        rt::runBlocks(*checked);
        checked.check();
        EXPECT_GT(checked.blocksInLanes, test.nodes / 2);
        EXPECT_LE(checked.range, int(bound));
      }
}

/// One worker runs blocks in the order of their IDs, and stops there when they become long.
TEST(BlockRunnerTest, BoundedBlocksBecomeLong) {
  dim3 grid(40, 30);
  const std::vector<int32_t> offsets = {-1, 0, 0, 0, -1, 0};
  TestGraph test = gridGraph(grid, offsets);
  for (uint64_t longFrom : {1, 300, 777, 1199})
    for (uint32_t workers : kWorkers)
      for (bool hasOffsets : {false, true})
        for (bool hasLanes : {false, true}) {
          SCOPED_TRACE(testing::Message() << workers << " workers, long from " << longFrom << ", offsets " << hasOffsets
                                          << ", lanes " << hasLanes);
          const rt::BlockSharing sharing = {.above = rt::tunables::kSharedBlock};
          const rt::BlockPolicy policy = {WF::LVL, 1};
          Checked byRows(test, policy, workers, sharing, false);
          Checked byOffsets(test, grid, offsets, policy, workers, sharing, false);
          Checked &checked = hasOffsets ? byOffsets : byRows;
          if (hasLanes)
            checked.addLanes(grid);
          checked.length = std::chrono::microseconds(30);
          checked.longFrom = longFrom;
          checked.tracksLevels = true;
          rt::runBlocks(*checked);
          checked.check();
          checked.checkMemory();
          EXPECT_LE(checked.range, 1);
          if (longFrom < 1000) // else the launch ends before vectors have their turn
            EXPECT_EQ(checked.blocksInLanes > 0, hasLanes);
        }
}

/// Runs a graph of constant offsets in vectors of blocks, and as its rows would be.
void runInLanes(dim3 grid, const std::vector<int32_t> &offsets) {
  TestGraph test = gridGraph(grid, offsets);
  for (uint32_t workers : kWorkers)
    for (uint64_t above : {uint64_t(0), rt::tunables::kSharedBlock})
      for (bool hasOffsets : {false, true}) {
        SCOPED_TRACE(testing::Message() << workers << " workers, above " << above << ", offsets " << hasOffsets);
        const rt::BlockSharing sharing = {.above = above, .inLanes = true};
        Checked byRows(test, {}, workers, sharing, false), byOffsets(test, grid, offsets, {}, workers, sharing, false);
        Checked &checked = hasOffsets ? byOffsets : byRows;
        checked.addLanes(grid);
        rt::runBlocks(*checked);
        checked.check();
        checked.checkMemory();
      }
}

TEST(BlockRunnerTest, VectorsOfBlocks) {
  runInLanes(dim3(70, 40), {-1, 0, 0, 0, -1, 0});
  runInLanes(dim3(70, 40), {2, -1, 0, -1, 0, 0});
  runInLanes(dim3(40, 70), {-1, 0, 0, 0, -32, 0, 5, -33, 0, 1, -31, 0});
  runInLanes(dim3(21, 65), {3, -1, 0, -3, -1, 0});
  runInLanes(dim3(17, 35, 3), {-1, 0, 0, 1, -1, 0, 4, 40, -1});
  runInLanes(dim3(50), {-7, 0, 0});
  runInLanes(dim3(5, 90), {-1, 0, 0});
  runInLanes(dim3(30, 40), {});
}

TEST(BlockRunnerTest, VectorsOfRandomOffsets) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto [grid, offsets] = randomOffsets(random);
    runInLanes(grid, offsets);
  }
}

// The choice is made by measured times, which the code of a sanitizer changes.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

/// A vector takes as long as one block, so vectors of blocks pay. Short blocks run alone.
TEST(BlockRunnerTest, VectorsOfBlocksAreChosenWhereTheyPay) {
  for (dim3 grid : {dim3(64, 64), dim3(200, 33)})
    for (std::vector<int32_t> offsets : {std::vector<int32_t>{-1, 0, 0, 0, -1, 0}, {-1, -1, 0, 1, -1, 0}})
      for (uint32_t workers : {1u, 3u})
        for (bool hasOffsets : {false, true}) {
          SCOPED_TRACE(testing::Message() << workers << " workers, offsets " << hasOffsets);
          TestGraph test = gridGraph(grid, offsets);
          uint64_t most = 0;
          for (int i = 0; i < 5 && most <= test.nodes / 2; ++i) { // an interruption may spoil a measurement
            Checked byRows(test, {}, workers, {}, false), byOffsets(test, grid, offsets, {}, workers, {}, false);
            Checked &checked = hasOffsets ? byOffsets : byRows;
            checked.addLanes(grid);
            checked.length = std::chrono::microseconds(3);
            rt::runBlocks(*checked);
            checked.check();
            most = std::max(most, checked.blocksInLanes);
          }
          EXPECT_GT(most, test.nodes / 2);
        }
}

// The first launch of a kernel measures single blocks. Where vectors have paid, the next launch begins with them.
TEST(BlockRunnerTest, LaunchesRememberVectors) {
  static const char kernels[15] = {}; // their addresses stand for kernels
  const dim3 grid(16, 16);
  const std::vector<int32_t> offsets{-1, 0, 0, 0, -1, 0};
  TestGraph test = gridGraph(grid, offsets);
  const char *kernel = kernels;
  for (bool hasOffsets : {false, true})
    for (rt::BlockPolicy policy : {rt::BlockPolicy{WF::LRR, 0}, rt::BlockPolicy{WF::LVL, 1}}) {
      if (hasOffsets && policy.kind == WF::LRR)
        continue; // strips
      SCOPED_TRACE(testing::Message() << "offsets " << hasOffsets << ", policy " << policy.kind);
      auto inLanes = [&] {
        Checked byRows(test, policy, 1, {}, false), byOffsets(test, grid, offsets, policy, 1, {}, false);
        Checked &checked = hasOffsets ? byOffsets : byRows;
        if (!hasOffsets)
          checked.countLater();
        checked.addLanes(grid);
        checked.launch->kernel = kernel;
        checked.length = std::chrono::microseconds(3);
        rt::runBlocks(*checked);
        checked.check();
        return checked.blocksInLanes;
      };
      uint64_t most = 0;
      for (int i = 0; i < 5 && most < test.nodes - 2; ++i, ++kernel) { // an interruption may spoil a measurement
        EXPECT_LT(inLanes(), test.nodes - 2);
        most = std::max(most, inLanes());
      }
      EXPECT_GE(most, test.nodes - 2);
    }
}

#endif

TEST(BlockRunnerTest, PiecesOfRows) {
  runOffsets(dim3(20, 15), {-1, 0, 0, 0, -1, 0});
  runOffsets(dim3(21, 15), {3, -1, 0, -3, -1, 0, -2, 0, 0});
  runOffsets(dim3(7, 5, 6), {-1, 0, 0, 0, -1, 0, 4, 4, -1});
  runOffsets(dim3(50), {-7, 0, 0});
  runOffsets(dim3(1, 50), {0, -1, 0});
  runOffsets(dim3(30, 4), {});
  runOffsets(dim3(9, 9), {INT32_MIN, 0, 0, INT32_MAX, -1, 0, 8, -8, 0});
}

TEST(BlockRunnerTest, PiecesOfRandomOffsets) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto [grid, offsets] = randomOffsets(random);
    runOffsets(grid, offsets);
  }
}

TEST(BlockRunnerTest, OneWorkerBeginsAndOthersJoin) {
  dim3 grid(64, 32);
  const std::vector<int32_t> offsets = {-1, 0, 0, 0, -1, 0};
  TestGraph test = gridGraph(grid, offsets);
  for (int nanoseconds : {0, 100, 1000, 30000})
    for (uint32_t workers : {1u, 2u, 3u})
      for (rt::BlockPolicy policy : {rt::BlockPolicy{WF::LRR, 0}, rt::BlockPolicy{WF::LVL, 2}})
        for (bool isCounting : {false, true})
          for (bool hasOffsets : {false, true}) {
            if (nanoseconds == 30000 && (hasOffsets || isCounting))
              continue; // they take long
            SCOPED_TRACE(testing::Message() << nanoseconds << " ns, " << workers << " workers, policy " << policy.kind
                                            << ", offsets " << hasOffsets << ", counting " << isCounting);
            rt::BlockSharing sharing;
            Checked byRows(test, policy, workers, sharing, isCounting);
            Checked byOffsets(test, grid, offsets, policy, workers, sharing, isCounting);
            Checked &checked = hasOffsets ? byOffsets : byRows;
            checked.length = std::chrono::nanoseconds(nanoseconds);
            rt::runBlocks(*checked);
            checked.check();
          }
}

TEST(BlockRunnerTest, OneWorkerFollowsTheIds) {
  TestGraph test = wavefront(40, 30);
  Checked checked(test, {}, 1, {}, false);
  checked.recordsOrder = true;
  rt::runBlocks(*checked);
  EXPECT_TRUE(std::is_sorted(checked.order.begin(), checked.order.end()));
}

TEST(BlockRunnerTest, ManyNodes) {
  TestGraph test = wavefront(256, 256);
  for (uint32_t workers : kWorkers) {
    Checked checked(test, {}, workers);
    rt::runBlocks(*checked);
    checked.check();
  }
}

#ifdef CILK2GPU_SANITIZED
constexpr uint32_t kMany = 50'000;
#else
constexpr uint32_t kMany = 1'000'000;
#endif

/// Runs a graph that is given by arrays. Blocks only count: the oracle is that each one runs once, after its parents.
void runMany(uint64_t nodes, const std::vector<uint64_t> &starts, const std::vector<uint32_t> &children) {
  struct Counted {
    std::vector<uint32_t> parentsThatRan, parents;
    std::vector<uint8_t> runs;
    const std::vector<uint64_t> &starts;
    const std::vector<uint32_t> &children;
    uint64_t early = 0;
  };
  for (uint32_t workers : {1u, 3u})
    for (rt::BlockPolicy policy : {rt::BlockPolicy{WF::LRR, 0}, rt::BlockPolicy{WF::LVL, 1}})
      for (uint64_t above : {uint64_t(0), rt::tunables::kSharedBlock}) {
        SCOPED_TRACE(testing::Message() << workers << " workers, policy " << policy.kind << ", above " << above);
        Counted counted = {std::vector<uint32_t>(nodes), std::vector<uint32_t>(nodes), std::vector<uint8_t>(nodes),
                           starts, children};
        for (uint32_t child : children)
          ++counted.parents[child];
        rt::BlockMemory memory;
        rt::BlockGraph graph = rt::buildFromArrays(
            memory, nodes, {starts.data(), children.data(), starts.size(), children.size(), 8, 4, false, false});
        auto runBlock = [](void *context, uint64_t node) {
          Counted &counted = *static_cast<Counted *>(context);
          if (__atomic_load_n(&counted.parentsThatRan[node], __ATOMIC_RELAXED) != counted.parents[node])
            __atomic_fetch_add(&counted.early, 1, __ATOMIC_RELAXED);
          ++counted.runs[node];
          for (uint64_t edge = counted.starts[node]; edge < counted.starts[node + 1]; ++edge)
            __atomic_fetch_add(&counted.parentsThatRan[counted.children[edge]], 1, __ATOMIC_RELAXED);
        };
        const rt::BlockLaunch launch = {
            .graph = graph, .policy = policy, .threads = 1, .run = runBlock, .context = &counted, .name = ""};
        rt::BlockLevels levels;
        if (!graph.isAscending) // the runner finds the levels of other graphs, if it needs them
          levels = rt::findLevels(memory, graph);
        rt::BlockRun run = {.launch = launch,
                            .memory = memory,
                            .levels = levels,
                            .workers = workers,
                            .isCounting = false,
                            .counters = {},
                            .sharing = {.above = above}};
        rt::runBlocks(run);
        EXPECT_EQ(counted.early, 0u);
        EXPECT_EQ(uint64_t(std::count(counted.runs.begin(), counted.runs.end(), 1)), nodes);
        EXPECT_LE(memory.highWater(), rt::boundOfLaunch(run, rt::boundOfBlocks(run)));
      }
}

TEST(BlockRunnerTest, LongChains) {
  std::vector<uint64_t> starts(kMany + 1), backwards(kMany + 1);
  std::vector<uint32_t> children(kMany - 1), previous(kMany - 1);
  std::iota(children.begin(), children.end(), 1);
  std::iota(previous.begin(), previous.end(), 0);
  for (uint64_t node = 0; node <= kMany; ++node) {
    starts[node] = std::min<uint64_t>(node, kMany - 1);
    backwards[node] = node ? node - 1 : 0;
  }
  runMany(kMany, starts, children);
  runMany(kMany, backwards, previous);
}

TEST(BlockRunnerTest, StarsOfManyChildrenOrParents) {
  std::vector<uint64_t> starts(kMany + 1, kMany - 1), sink(kMany + 1);
  starts[0] = 0;
  std::vector<uint32_t> children(kMany - 1), last(kMany - 1, kMany - 1);
  std::iota(children.begin(), children.end(), 1);
  for (uint64_t node = 0; node <= kMany; ++node)
    sink[node] = std::min<uint64_t>(node, kMany - 1);
  runMany(kMany, starts, children);
  runMany(kMany, sink, last);
}

TEST(BlockRunnerTest, LevelsThatRunAtATimeStayWithinTheBound) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (uint64_t bound : {0, 1, 3})
      for (uint32_t workers : {2u, 3u, 8u}) {
        TestGraph test = seed % 3 ? randomGraph(seed) : wavefront(12, 12);
        Checked checked(test, {WF::LVL, bound}, workers, {.above = seed % 2, .taken = seed % 4 * 3});
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
  Checked onGpu(test, {}, 1);
  rt::runBlocksOnGpuHost(*onGpu);
  EXPECT_EQ((*onGpu).counters.mostReady, 99u) << "a workgroup counts after it has taken a block";
}

} // namespace
} // namespace cilk2gpu
