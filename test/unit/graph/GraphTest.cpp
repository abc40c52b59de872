// Tests of channel-flow graphs written by hand: the channel and graph interfaces, levels, predicates, schedulers, and
// messages about misuse. GraphSpaceTest.cpp tests waiting for space.
#include "cilk2gpu/Graph.h"
#include "FibKernels.h"
#include "GraphTestDevice.h"
#include "executors/model/Model.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <vector>

using namespace cilk2gpu;
using namespace cilk2gpu::test;

namespace {

struct Item {
  int value, rest;
};

/// Passes an item on `rest` times, doubles it every time, and adds up the items that arrive.
void pass(int id, int offset, int64_t *sum) {
  Item item = *static_cast<Item *>(deq(id, offset));
  tfree(id, offset); // before talloc, so that a narrow channel is enough
  if (!item.rest) {
    *sum += item.value;
    return;
  }
  auto *next = static_cast<Item *>(talloc(id, 1));
  *next = {item.value + 1, item.rest - 1};
  enq(id, next);
}

int64_t sumOfPassing(uint64_t width, int items) {
  int64_t sum = 0;
  Graph graph;
  cilk2gpu::ChannelNode *channel = graph.ChannelNode(sizeof(Item), width);
  cilk2gpu::KernelNode *kernel = graph.KernelNode(pass);
  kernel->setConstArg(2, sizeof(int64_t *), &sum);
  channel->connectToKernelNode(kernel);
  for (int i = 0; i < items; ++i) {
    auto *item = static_cast<Item *>(channel->talloc(1));
    *item = {i, 10};
    channel->enq(item);
  }
  graph.execute();
  graph.waitForDone();
  return sum;
}

TEST(Graph, ElementsGoThroughNarrowChannels) {
  EXPECT_EQ(sumOfPassing(1, 1), 10);
  EXPECT_EQ(sumOfPassing(3, 3), 3 + 30);
  EXPECT_EQ(sumOfPassing(256, 100), 4950 + 1000);
}

/// The paper's Figure 12. Calls are in a channel stack, too, so that the depth bounds memory.
struct FibGraph {
  explicit FibGraph(uint64_t width) {
    calls = graph.ChannelStackNode(sizeof(Call), width);
    sums = graph.ChannelStackNode(sizeof(Sum), width);
    calls->setReadiness(Readiness::Always);
    cilk2gpu::KernelNode *kernel = graph.KernelNode(fib);
    kernel->setConstArg(2, sizeof(int), sums->chID);
    calls->connectToKernelNode(kernel);
    sums->connectToKernelNode(graph.KernelNode(add));
  }
  int64_t run(int n) {
    int64_t result = -1;
    auto *call = static_cast<Call *>(calls->talloc(1));
    *call = {n, &result};
    calls->enq(call);
    graph.execute();
    graph.waitForDone();
    return result;
  }
  Graph graph;
  ChannelStackNode *calls, *sums;
};

TEST(Graph, StacksOfChannels) {
  FibGraph wide(4096);
  EXPECT_EQ(wide.run(18), 2584);
  EXPECT_EQ(wide.run(10), 55) << "a graph runs again";
  GraphStatistics statistics = wide.graph.statistics();
  EXPECT_EQ(statistics.lanes, 2 * 2584u - 1 + 2583 + 2 * 55 - 1 + 54);
  EXPECT_GT(statistics.wavefronts, statistics.lanes / 64);
  EXPECT_GT(statistics.casAttempted, statistics.casFailed);
}

TEST(Graph, WavefrontsWaitForSpaceAndGoOn) {
  FibGraph narrow(96); // less than the calls that a full wavefront makes
  EXPECT_EQ(narrow.run(16), 987);
  EXPECT_GT(narrow.graph.statistics().yields, 0u);
}

/// Like FibGraph, but calls free their elements first.
struct EarlyFib {
  rt::GraphDevice &device;
  rt::GraphNode *calls, *sums;

  template <class T> T *make(rt::GraphNode &node, uint64_t level, T value) {
    auto *made = static_cast<T *>(device.talloc(node, level, 1));
    *made = value;
    return made;
  }
  static void call(void *context, int id, int offset) {
    EarlyFib &fib = *static_cast<EarlyFib *>(context);
    auto &[device, calls, sums] = fib;
    Call call = *static_cast<Call *>(device.deq(id, offset));
    uint64_t level = device.level(id, offset);
    device.tfree(id, offset);
    if (call.n <= 2) {
      *call.result = 1;
      return;
    }
    Sum *sum = fib.make(*sums, level, Sum{-1000, -1000, call.result});
    device.enq(*calls, fib.make(*calls, level + 1, Call{call.n - 1, &sum->x}));
    device.enq(*calls, fib.make(*calls, level + 1, Call{call.n - 2, &sum->y}));
    device.enq(*sums, sum);
  }
  /// Allocates the sum, and enqueues it last, after the calls that it depends on.
  static void callSumLast(void *context, int id, int offset) {
    EarlyFib &fib = *static_cast<EarlyFib *>(context);
    auto &[device, calls, sums] = fib;
    Call call = *static_cast<Call *>(device.deq(id, offset));
    if (call.n <= 2) {
      *call.result = 1;
    } else {
      auto *children = static_cast<Call *>(device.talloc(*calls, device.level(id, offset) + 1, 2));
      Sum *sum = fib.make(*sums, device.level(id, offset), Sum{-1000, -1000, call.result});
      children[0] = {call.n - 1, &sum->x};
      children[1] = {call.n - 2, &sum->y};
      device.enq(*calls, children);
      device.enq(*sums, sum);
    }
    device.tfree(id, offset);
  }
  static void add(void *context, int id, int offset) {
    EarlyFib &fib = *static_cast<EarlyFib *>(context);
    auto *sum = static_cast<Sum *>(fib.device.deq(id, offset));
    *sum->result = sum->x + sum->y;
    fib.device.tfree(id, offset);
  }
};

TEST(Graph, WhatFreedItsElementIsLeftUntilItEnds) {
  // A sum is not ready while a call for one of its operands waits for room, although its element is free.
  for (uint64_t width : {1, 2, 3, 64})
    for (uint64_t sums : {width, uint64_t(1000)})
      for (uint32_t wave : {1, 3, 64})
        for (rt::Schedule schedule : {rt::Schedule::RoundRobin, rt::Schedule::Random, rt::Schedule::Adversarial}) {
          TestDevice test(wave, schedule);
          EarlyFib fib = {test.device, nullptr, nullptr};
          fib.calls = &test.add(sizeof(Call), width, &fib, EarlyFib::call, true);
          test.device.setReadiness(*fib.calls, Readiness::Always);
          fib.sums = &test.add(sizeof(Sum), sums, &fib, EarlyFib::add, true);
          int64_t result = -1;
          test.device.enq(*fib.calls, fib.make(*fib.calls, 0, Call{12, &result}));
          test.device.run();
          EXPECT_EQ(result, 144) << width << " wide, wave " << wave;
        }
}

/// Chooses any ready element of a level if nothing is left deeper, and calls always. This is the aggregator's own
/// choice.
bool choosesByLevel(void *calls, const ChannelState *channels, size_t count, Dispatch &choice) {
  int deepest = 0;
  for (size_t i = 0; i < count; ++i)
    deepest = std::max(deepest, channels[i].live || channels[i].running ? channels[i].level : 0);
  for (size_t i = 0; i < count; ++i) {
    if (!channels[i].ready || (channels[i].id != *static_cast<int *>(calls) && channels[i].level < deepest))
      continue;
    choice = {i, channels[i].ready};
    return true;
  }
  return false;
}

TEST(Graph, WhatAWavefrontEnqueuesTakesEffectAsAWhole) {
  // A sum is not ready while its operands' calls are still being published.
  for (uint64_t width : {2, 3, 8, 64, 2000})
    for (uint32_t wave : {1, 3})
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        TestDevice test(wave, seed <= 2 ? rt::Schedule::RoundRobin : rt::Schedule::Random, seed);
        EarlyFib fib = {test.device, nullptr, nullptr};
        fib.calls = &test.add(sizeof(Call), width, &fib, EarlyFib::callSumLast, true);
        test.device.setReadiness(*fib.calls, Readiness::Always);
        fib.sums = &test.add(sizeof(Sum), 1000, &fib, EarlyFib::add, true);
        if (seed % 2)
          test.device.setScheduler(choosesByLevel, &fib.calls->id);
        int64_t result = -1;
        test.device.enq(*fib.calls, fib.make(*fib.calls, 0, Call{12, &result}));
        test.device.run();
        EXPECT_EQ(result, 144) << width << " wide, wave " << wave << ", seed " << seed;
      }
}

TEST(Graph, PredicatesAreAsked) {
  FibGraph graph(4096);
  static int asked;
  asked = 0;
  graph.calls->setPredicate([](void *, const ChannelState &channel) {
    ++asked;
    EXPECT_GT(channel.ready, 0u);
    return channel.ready >= 2;
  });
  uint64_t timeout = 500;
  graph.sums->setPredicate(anyAfterTimeout, &timeout);
  EXPECT_EQ(graph.run(14), 377);
  EXPECT_GT(asked, 0);
}

TEST(Graph, ASchedulerOfTheUsers) {
  FibGraph graph(1 << 16);
  // Chooses calls first, whatever their level; then the deepest sums, one wavefront at a time.
  struct State {
    int calls, chosen;
  } state = {graph.calls->chID, 0};
  graph.graph.setScheduler(
      [](void *context, const ChannelState *channels, size_t count, Dispatch &choice) {
        auto &state = *static_cast<State *>(context);
        bool callsLeft = false, running = false;
        size_t deepest = count;
        for (size_t i = 0; i < count; ++i) {
          running |= channels[i].running != 0;
          if (channels[i].id != state.calls) {
            if (channels[i].ready && (deepest == count || channels[i].level > channels[deepest].level))
              deepest = i;
            continue;
          }
          callsLeft = true;
          if (!channels[i].ready)
            continue;
          choice = {i, channels[i].ready < 7 ? channels[i].ready : 7};
          ++state.chosen;
          return true;
        }
        if (callsLeft || running || deepest == count)
          return false;
        choice = {deepest, channels[deepest].ready};
        return true;
      },
      &state);
  EXPECT_EQ(graph.run(13), 233);
  EXPECT_GE(state.chosen, 233 * 2 / 7);
}

TEST(Graph, ATaskOfAMachineMayRunOne) {
  rt::Environment environment = rt::hostEnvironment();
  rt::Arena arena(environment);
  rt::MachineSettings settings = {};
  settings.shape = {1, 1, 1};
  rt::Machine outer(arena, settings, nullptr, nullptr);
  rt::enterMachine(&outer);
  EXPECT_EQ(sumOfPassing(3, 3), 3 + 30);
  EXPECT_EQ(rt::enterMachine(nullptr), &outer);
  outer.destroy();
  arena.destroy();
}

TEST(Graph, ElementsAreAlignedAsTheirTypeIs) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  int misaligned = 0;
  for (uint64_t width = 1; width <= 8; ++width) {
    Graph graph;
    cilk2gpu::ChannelNode *channel = graph.ChannelNode(sizeof(Wide), width);
    for (uint64_t i = 0; i < width; ++i)
      misaligned += reinterpret_cast<uintptr_t>(channel->talloc(1)) % alignof(Wide) != 0;
  }
  EXPECT_EQ(misaligned, 0);
}

using GraphDeathTest = testing::Test;

void forgets(int, int) {}
void freesTwice(int id, int offset) {
  tfree(id, offset);
  tfree(id, offset);
}
void keeps(int id, int offset) {
  talloc(id, 1);
  tfree(id, offset);
}
void spawnsBoth(int id, int offset) {
  enq(id, talloc(id, 2));
  tfree(id, offset);
}

void runOne(void (*kernel)(int, int), uint64_t width = 4) {
  Graph graph;
  cilk2gpu::ChannelNode *channel = graph.ChannelNode(4, width);
  channel->connectToKernelNode(graph.KernelNode(kernel));
  channel->enq(channel->talloc(1));
  graph.execute();
  graph.waitForDone();
}

TEST(Graph, GivesAllMemoryBack) {
  static std::atomic<uint64_t> held;
  held = 0;
  rt::Environment environment = rt::hostEnvironment();
  environment.allocate = [](void *, uint64_t bytes, uint64_t align) {
    held += bytes;
    return rt::hostEnvironment().allocate(nullptr, bytes, align);
  };
  environment.release = [](void *, void *memory, uint64_t bytes, uint64_t align) {
    held -= memory ? bytes : 0;
    rt::hostEnvironment().release(nullptr, memory, bytes, align);
  };
  {
    TestDevice test(8, rt::Schedule::RoundRobin, 1, rt::ProgressModel::Fair, environment);
    test.add(sizeof(int), 16, nullptr, nullptr);
    EXPECT_GT(held, 0u);
  }
  EXPECT_EQ(held, 0u);
}

TEST(GraphDeathTest, MisuseEndsWithAMessage) {
  EXPECT_EXIT(runOne(forgets), testing::ExitedWithCode(1),
              "the kernel of channel 0 returned without tfree of its element");
  EXPECT_EXIT(runOne(freesTwice), testing::ExitedWithCode(1), "the element at offset 0 of channel 0 is freed twice");
  EXPECT_EXIT(runOne(keeps), testing::ExitedWithCode(1),
              "the kernel of channel 0 returned without enq of elements that it had talloc'ed in channel 0");
  EXPECT_EXIT(runOne(spawnsBoth, 4), testing::ExitedWithCode(1),
              "the graph cannot go on; who waits for what:(.|\n)*"
              "channel 0, level 0: (.|\n)*wavefronts wait for room\n"
              "(.|\n)*a channel is too narrow: make it wider");
  EXPECT_EXIT(runOne(spawnsBoth, 1 << 17), testing::ExitedWithCode(1), "a channel is too narrow: make it wider")
      << "there are not as many stacks as lanes";
  EXPECT_EXIT(talloc(0, 1), testing::ExitedWithCode(1), "are for kernels of a graph that runs");
}

TEST(GraphDeathTest, WhatTheHostAllocatesIsEnqueued) {
  EXPECT_EXIT(
      {
        Graph graph;
        cilk2gpu::ChannelNode *channel = graph.ChannelNode(4, 4);
        channel->connectToKernelNode(graph.KernelNode(forgets));
        channel->talloc(1);
        graph.execute();
        graph.waitForDone();
      },
      testing::ExitedWithCode(1), "talloc'ed in channel 0 that were not enqueued");
}

TEST(GraphDeathTest, GraphsAreChecked) {
  EXPECT_EXIT(
      {
        Graph graph;
        graph.ChannelNode(4, 4);
        graph.execute();
        graph.waitForDone();
      },
      testing::ExitedWithCode(1), "channel 0 is not connected to a kernel node");
  EXPECT_EXIT(
      {
        Graph graph;
        graph.KernelNode(pass)->setConstArg(2, sizeof(int), 3);
      },
      testing::ExitedWithCode(1), "argument 2 of a kernel node has 8 bytes, but 4 were given");
  EXPECT_EXIT(
      {
        Graph graph;
        graph.KernelNode(pass)->setConstArg(3, sizeof(int), 3);
      },
      testing::ExitedWithCode(1), "a kernel node has arguments 0 to 2, of which 2 and later can be set, not 3");
  auto takesAll = [](int id, int offset, double, int *) { tfree(id, offset); };
  EXPECT_EXIT(
      {
        Graph graph;
        graph.KernelNode(takesAll)->setConstArg(2, sizeof(double), int64_t(3));
      },
      testing::ExitedWithCode(1),
      "argument 2 of a kernel node is a floating-point number, but an integer was given, which setConstArg does not");
  EXPECT_EXIT(
      {
        Graph graph;
        graph.KernelNode(takesAll)->setConstArg(3, sizeof(int *), int64_t(0));
      },
      testing::ExitedWithCode(1), "argument 3 of a kernel node is a pointer, but an integer was given");
  EXPECT_EXIT(
      {
        Graph graph;
        cilk2gpu::ChannelNode *channel = graph.ChannelNode(4, 4);
        cilk2gpu::KernelNode *kernel = graph.KernelNode(takesAll);
        kernel->setConstArg(3, sizeof(int *), nullptr);
        channel->connectToKernelNode(kernel);
        graph.execute();
        graph.waitForDone();
      },
      testing::ExitedWithCode(1), "argument 2 of the kernel node of channel 0 is not set; set it with setConstArg");
  EXPECT_EXIT(
      {
        Graph graph;
        graph.ChannelNode(4, 4)->connectToKernelNode(nullptr);
      },
      testing::ExitedWithCode(1), "channel 0 was connected to a null pointer");
  EXPECT_EXIT(
      {
        Graph graph;
        graph.ChannelStackNode(4, 4)->talloc(2000000000, 1);
      },
      testing::ExitedWithCode(1), "level 2000000000 was asked for; levels are 0 to 16777215");
#if !__has_feature(address_sanitizer) &&                                                                               \
    !__has_feature(thread_sanitizer) // they end the process if they cannot allocate
  EXPECT_EXIT(
      {
        Graph graph;
        graph.ChannelNode(size_t(1) << 31, uint64_t(1) << 31)->talloc(1);
      },
      testing::ExitedWithCode(1), "could not be allocated; narrower channels need less");
#endif
  EXPECT_EXIT(
      {
        Graph graph;
        auto *channel = graph.ChannelNode(4, 2);
        channel->talloc(2);
        channel->talloc(1);
      },
      testing::ExitedWithCode(1), "channel 0 is full: it holds 2 elements");
  EXPECT_EXIT(
      {
        Graph graph;
        graph.ChannelNode(4, 2)->talloc(3);
      },
      testing::ExitedWithCode(1), "talloc of 3 elements in channel 0, which holds 2");
}

} // namespace
