// Tests that an observer sees each block of each launch, on any number of workers, and reports the blocks that run.
#include "blocks/BlockObserver.h"
#include "GraphShapes.h"
#include "blocks/BlockRunner.h"

#include <gtest/gtest.h>
#include <string>

namespace cilk2gpu {
namespace {

/// A launch that is observed.
struct Observed {
  TestGraph test;
  rt::BlockMemory memory;
  rt::BlockGraph graph;
  rt::BlockLevels levels;
  uint64_t runs = 0;  ///< atomic
  std::string report; ///< while the last block runs

  explicit Observed(const TestGraph &shape) : test(shape) {
    graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
    levels = rt::findLevels(memory, graph);
  }

  void run(uint32_t workers) {
    const rt::BlockLaunch launch = {
        .graph = graph, .policy = {}, .threads = 1, .run = runBlock, .context = this, .name = ""};
    rt::BlockObserver observer(launch, rt::Device::Native, levels);
    EXPECT_EQ(rt::observedLaunches(), 1u);
    rt::BlockRun run = {.launch = observer.launch(),
                        .memory = memory,
                        .levels = levels,
                        .workers = workers,
                        .isCounting = false,
                        .counters = {},
                        .sharing = {.above = 0}};
    rt::runBlocks(run);
  }

  static void runBlock(void *context, uint64_t node) {
    Observed &self = *static_cast<Observed *>(context);
    __atomic_fetch_add(&self.runs, 1, __ATOMIC_RELAXED);
    if (node + 1 == self.test.nodes)
      rt::reportRunningBlocks(
          [](void *context, const char *line) { static_cast<Observed *>(context)->report += line + std::string("\n"); },
          &self);
  }
};

void checkEvents(const rt::BlockTrace &trace, uint32_t launch, const Observed &observed) {
  std::vector<uint64_t> ends(observed.test.nodes), starts(observed.test.nodes);
  uint64_t events = 0;
  for (uint64_t i = 0; i < trace.numEvents; ++i)
    if (const rt::BlockEvent &event = trace.events[i]; event.launch == launch) {
      ++events;
      EXPECT_EQ(ends[event.node], 0u);
      EXPECT_EQ(event.level, observed.levels.of[event.node]);
      EXPECT_LT(event.thread, trace.numThreads);
      starts[event.node] = event.start;
      ends[event.node] = event.start + event.duration;
    }
  EXPECT_EQ(events, observed.test.nodes);
  for (auto [parent, child] : observed.test.edges)
    EXPECT_LE(ends[parent], starts[child]);
}

TEST(BlockObserverTest, SeesEachBlockOfEachLaunch) {
  rt::recordBlocks(4000);
  for (uint32_t workers : {1u, 3u}) {
    Observed observed(wavefront(30, 20));
    uint64_t progress = rt::blockProgress();
    uint32_t launch = rt::blockTrace() ? rt::blockTrace()->numLaunches : 0;
    observed.run(workers);
    EXPECT_EQ(observed.runs, 600u);
    EXPECT_EQ(rt::blockProgress(), progress + 1200);
    EXPECT_EQ(rt::observedLaunches(), 0u);
    ASSERT_NE(rt::blockTrace(), nullptr);
    checkEvents(*rt::blockTrace(), launch, observed);
    EXPECT_NE(observed.report.find("node 599 has run for 0 s; of launch " + std::to_string(launch) +
                                   ", 599 of 600 blocks have ended"),
              std::string::npos)
        << observed.report;
  }
}

TEST(BlockObserverTest, KeepsTheFirstEvents) {
  rt::recordBlocks(1);
  Observed first(wavefront(3, 3)); // whatever ran before, there is one event at least
  first.run(1);
  uint64_t before = rt::blockTrace()->numEvents;
  rt::recordBlocks(before);
  Observed second(wavefront(20, 20));
  second.run(2);
  EXPECT_TRUE(rt::blockTrace()->isCut);
  EXPECT_EQ(rt::blockTrace()->numEvents, before);
}

} // namespace
} // namespace cilk2gpu
