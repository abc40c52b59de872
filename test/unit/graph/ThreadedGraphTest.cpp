// Tests graphs written by hand whose program asked for several workers (graph/ThreadedGraphMachine.h).
#include "FibKernels.h"
#include "process/Settings.h"
#include "process/TaskScope.h"

#include <atomic>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

using namespace cilk2gpu;
using namespace cilk2gpu::test;

namespace {

/// Returns how many workers a graph has that asks for some. Other devices than the native one take no notice.
unsigned workersOf(unsigned asked) { return rt::settings().device == rt::Device::Native ? asked : 1; }

int64_t fibWith(unsigned workers, uint64_t width, int n) {
  Graph graph(workers);
  ChannelStackNode *calls = graph.ChannelStackNode(sizeof(Call), width);
  ChannelStackNode *sums = graph.ChannelStackNode(sizeof(Sum), width);
  cilk2gpu::KernelNode *kernel = graph.KernelNode(fib);
  kernel->setConstArg(2, sizeof(int), sums->chID);
  calls->connectToKernelNode(kernel);
  sums->connectToKernelNode(graph.KernelNode(add));
  int64_t result = -1;
  for (int run = 0; run < 2; ++run) {
    auto *call = static_cast<Call *>(calls->talloc(1));
    *call = {n, &result};
    calls->enq(call);
    graph.execute();
    graph.waitForDone();
  }
  EXPECT_EQ(graph.statistics().lanes % 2, 0u) << "two runs take the same lanes";
  return result;
}

TEST(GraphWorkers, StacksHaveTheResultOfOneWorker) {
  for (unsigned workers : {1u, 2u, 3u, 8u})
    for (uint64_t width : {2u, 3u, 64u, 4096u})
      EXPECT_EQ(fibWith(workers, width, 15), 610) << workers << " workers, width " << width;
}

struct Item {
  int value, rest;
};

struct Shared {
  std::atomic<int64_t> sum{0}, calls{0};
};

/// Passes an item on `rest` times.
void pass(int id, int offset, Shared *shared) {
  ++shared->calls;
  Item item = *static_cast<Item *>(deq(id, offset));
  tfree(id, offset);
  if (!item.rest) {
    shared->sum += item.value;
    return;
  }
  pthread_t before = pthread_self();
  auto *next = static_cast<Item *>(talloc(id, 1));
  EXPECT_TRUE(pthread_equal(before, pthread_self())) << "a kernel stays on its thread";
  *next = {item.value + 1, item.rest - 1};
  enq(id, next);
}

TEST(GraphWorkers, WavefrontsWaitForRoomAndGoOn) {
  for (unsigned workers : {2u, 5u})
    for (uint64_t width : {1u, 3u, 40u}) {
      Shared shared;
      Shared *argument = &shared;
      Graph graph(workers);
      cilk2gpu::ChannelNode *channel = graph.ChannelNode(sizeof(Item), width);
      cilk2gpu::KernelNode *kernel = graph.KernelNode(pass);
      kernel->setConstArg(2, sizeof(Shared *), argument);
      channel->connectToKernelNode(kernel);
      for (uint64_t i = 0; i < width; ++i) {
        auto *item = static_cast<Item *>(channel->talloc(1));
        *item = {int(i), 50};
        channel->enq(item);
      }
      graph.execute();
      graph.waitForDone();
      int64_t items = int64_t(width);
      EXPECT_EQ(shared.sum, items * (items - 1) / 2 + 50 * items);
      EXPECT_EQ(shared.calls, 51 * items);
    }
}

/// Counts the kernels that run at the same time, and waits until there are `wanted` of them, or for a while.
struct Meeting {
  std::atomic<int> inside{0}, most{0};
  int wanted = 0;
  std::atomic<uint32_t> workersSeen{0}; ///< a bit for each
};

void meet(int id, int offset, Meeting *meeting) {
  tfree(id, offset);
  int inside = ++meeting->inside;
  meeting->workersSeen |= 1u << rt::currentWorker();
  for (int most = meeting->most; most < inside && !meeting->most.compare_exchange_weak(most, inside);) {
  }
  for (int turns = 0; meeting->most < meeting->wanted && turns < 5000; ++turns)
    usleep(1000);
  --meeting->inside;
}

TEST(GraphWorkers, AsManyKernelsRunAtTheSameTimeAsThereAreWorkers) {
  Meeting meeting;
  Meeting *argument = &meeting;
  meeting.wanted = int(workersOf(3));
  Graph graph(3);
  cilk2gpu::ChannelNode *channel = graph.ChannelNode(sizeof(int), 64 * 8);
  cilk2gpu::KernelNode *kernel = graph.KernelNode(meet);
  kernel->setConstArg(2, sizeof(Meeting *), argument);
  channel->connectToKernelNode(kernel);
  channel->enq(channel->talloc(64 * 8));
  graph.execute();
  graph.waitForDone();
  EXPECT_EQ(meeting.most, meeting.wanted);
  EXPECT_EQ(meeting.workersSeen, (1u << workersOf(3)) - 1);
}

TEST(GraphWorkersDeathTest, AGraphThatCannotGoOnEnds) {
  auto stuck = [] {
    Graph graph(3);
    cilk2gpu::ChannelNode *channel = graph.ChannelNode(sizeof(int), 2);
    channel->connectToKernelNode(graph.KernelNode([](int id, int offset) {
      enq(id, talloc(id, 2));
      tfree(id, offset);
    }));
    channel->enq(channel->talloc(2));
    graph.execute();
    graph.waitForDone();
  };
  EXPECT_EXIT(stuck(), testing::ExitedWithCode(1), "the graph cannot go on");
}

TEST(GraphWorkersDeathTest, TooManyWorkersAreRefused) {
  EXPECT_EXIT(Graph graph(100000), testing::ExitedWithCode(1), "a graph asked for 100000 workers");
}

} // namespace
