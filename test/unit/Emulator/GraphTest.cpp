// Tests of channel-flow graphs written by hand: the channel and graph interfaces, waiting for space, levels,
// predicates, schedulers, and what misuse is answered with.
#include "cilk2gpu/Graph.h"
#include "emulator/Model.h"
#include "graph/GraphDevice.h"
#include "host/HostEnvironment.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace cilk2gpu;

namespace {

struct Item {
  int value, rest;
};

/// Passes an item on `rest` times, doubling it every time, and adds those that arrive.
void pass(int id, int offset, int64_t *sum) {
  Item item = *static_cast<Item *>(deq(id, offset));
  tfree(id, offset); // before talloc: so a narrow channel is enough
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

struct Call {
  int n;
  int64_t *result;
};

struct Sum {
  int64_t x, y, *result;
};

void fib(int id, int offset, int sums) {
  auto *call = static_cast<Call *>(deq(id, offset));
  int level = levelOf(id, offset);
  if (call->n <= 2) {
    *call->result = 1;
  } else {
    auto *sum = static_cast<Sum *>(talloc(sums, level, 1));
    auto *calls = static_cast<Call *>(talloc(id, 2));
    sum->result = call->result;
    calls[0] = {call->n - 1, &sum->x};
    calls[1] = {call->n - 2, &sum->y};
    enq(id, calls);
    enq(sums, sum);
  }
  tfree(id, offset);
}

void add(int id, int offset) {
  auto *sum = static_cast<Sum *>(deq(id, offset));
  *sum->result = sum->x + sum->y;
  tfree(id, offset);
}

/// The paper's Figure 12: calls in a channel stack, too, so that memory is bounded by the depth.
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
  FibGraph narrow(256);
  EXPECT_EQ(narrow.run(16), 987);
  EXPECT_GT(narrow.graph.statistics().yields, 0u);
}

/// A graph's device with settings of its own. A kernel is any function of the device; it knows who it is by its context.
struct TestDevice {
  explicit TestDevice(uint32_t wave, rt::Schedule schedule, uint64_t seed = 1,
                      rt::ProgressModel progress = rt::ProgressModel::Fair)
      : environment(rt::hostEnvironment()), report(environment, 0),
        device(environment, {{1, 4, 40}, schedule, progress, seed, 64 << 10}, wave, 64, report) {}
  ~TestDevice() {
    device.destroy();
    report.destroy(environment);
  }
  rt::GraphNode &add(uint64_t bytes, uint64_t width, void *kernel, graph::Invoke invoke, bool isStack = false) {
    rt::GraphNode &node = device.addNode(bytes, width, isStack);
    node.kernel = kernel;
    node.invoke = invoke;
    return node;
  }
  /// Elements that the host writes, side by side.
  void put(rt::GraphNode &node, std::vector<int> values) {
    auto *elements = static_cast<int *>(device.talloc(node, 0, values.size()));
    std::copy(values.begin(), values.end(), elements);
    device.enq(node, elements);
  }

  rt::Environment environment;
  rt::GraphReport report;
  rt::GraphDevice device;
};

/// As FibGraph, but calls free their elements first.
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
  /// Allocates the sum, which is enqueued last, after what it depends on.
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
  // A sum is not ready while a call that is to give one of its operands waits for room, though its element is free.
  for (uint64_t width : {1, 2, 3, 64})
    for (uint64_t sums : {width, uint64_t(1000)})
      for (uint32_t wave : {1, 3, 64})
        for (rt::Schedule schedule : {rt::Schedule::RoundRobin, rt::Schedule::Random, rt::Schedule::Adversarial}) {
          TestDevice test(wave, schedule);
          EarlyFib fib = {test.device, nullptr, nullptr};
          fib.calls = &test.add(sizeof(Call), width, &fib, EarlyFib::call, true);
          fib.calls->readiness = Readiness::Always;
          fib.sums = &test.add(sizeof(Sum), sums, &fib, EarlyFib::add, true);
          int64_t result = -1;
          test.device.enq(*fib.calls, fib.make(*fib.calls, 0, Call{12, &result}));
          test.device.run();
          EXPECT_EQ(result, 144) << width << " wide, wave " << wave;
        }
}

/// Whatever is ready at a level if nothing is left deeper, calls always: the aggregator's own choice, in a scheduler.
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
        fib.calls->readiness = Readiness::Always;
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
  // Calls first, whatever their level; then the deepest sums, one wavefront at a time.
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

/// Two wavefronts that both want the only element of a channel; which of them goes on when is the seed's.
int64_t countThroughOne(const rt::Environment &environment, uint64_t seed) {
  struct Both {
    rt::GraphDevice &device;
    rt::GraphNode &first, &second;
    int64_t count = 0;
  };
  rt::GraphReport report(environment, 0);
  rt::MachineSettings settings = {{1, 4, 40}, rt::Schedule::Random, rt::ProgressModel::Fair, seed, 64 << 10};
  rt::GraphDevice device(environment, settings, 1, 64, report);
  Both both = {device, device.addNode(4, 16, false), device.addNode(4, 1, false)};
  both.first.kernel = both.second.kernel = &both;
  both.first.invoke = [](void *context, int id, int offset) {
    auto &[device, first, second, count] = *static_cast<Both *>(context);
    device.tfree(id, offset);
    device.enq(second, device.talloc(second, 0, 1));
  };
  both.second.invoke = [](void *context, int id, int offset) {
    auto &both = *static_cast<Both *>(context);
    ++both.count;
    both.device.tfree(id, offset);
  };
  for (int i = 0; i < 2; ++i)
    device.enq(both.first, device.talloc(both.first, 0, 1));
  device.run();
  device.destroy();
  report.destroy(environment);
  return both.count;
}

TEST(Graph, NobodyMissesWhatIsFreed) {
  rt::Environment environment = rt::hostEnvironment();
  for (uint64_t seed = 1; seed <= 3000; ++seed)
    ASSERT_EQ(countThroughOne(environment, seed), 2) << seed;
}

/// A chain of kernel calls, each of which frees its element and makes `count`, of which the last goes on. Returns the
/// number of elements consumed; those of a run lie side by side.
uint64_t chainOfRuns(TestDevice &test, int channels, bool isStack, uint64_t width, uint64_t count, int runs) {
  struct Chain {
    rt::GraphDevice &device;
    std::vector<rt::GraphNode *> nodes;
    uint64_t count, consumed = 0;
  } chain = {test.device, {}, count};
  auto step = [](void *context, int id, int offset) {
    auto &chain = *static_cast<Chain *>(context);
    rt::GraphDevice &device = chain.device;
    int rest = *static_cast<int *>(device.deq(id, offset));
    rt::GraphNode &next = *chain.nodes[size_t(id + 1) % chain.nodes.size()];
    device.tfree(id, offset);
    ++chain.consumed;
    if (!rest)
      return;
    auto *elements = static_cast<int *>(device.talloc(next, next.isStack ? device.currentLevel() : 0, chain.count));
    for (uint64_t i = 0; i < chain.count; ++i)
      elements[i] = i + 1 == chain.count ? rest - 1 : 0;
    device.enq(next, elements);
  };
  for (int i = 0; i < channels; ++i)
    chain.nodes.push_back(&test.add(sizeof(int), width, &chain, step, isStack));
  for (int run = 0; run < runs; ++run) {
    test.put(*chain.nodes[0], {20});
    test.device.run();
  }
  return chain.consumed;
}

TEST(Graph, RunsOfAnyLengthGoThroughAChannelThatHoldsThem) {
  for (uint64_t width = 1; width <= 8; ++width)
    for (uint64_t count = 1; count <= width; ++count)
      for (uint32_t wave : {1, 3, 64})
        for (rt::Schedule schedule : {rt::Schedule::RoundRobin, rt::Schedule::Random, rt::Schedule::Adversarial})
          for (rt::ProgressModel progress : {rt::ProgressModel::Fair, rt::ProgressModel::Occupancy})
            for (int kind = 0; kind < 4; ++kind) {
              TestDevice test(wave, schedule, width, progress);
              int channels = kind % 2 + 1, runs = 2;
              EXPECT_EQ(chainOfRuns(test, channels, kind / 2, width, count, runs), runs * (1 + 20 * count))
                  << width << " wide, runs of " << count << ", wave " << wave << ", kind " << kind;
            }
}

TEST(Graph, RunsOfSeveralLengthsShareAChannel) {
  // Every call makes a run of any length, one element of which makes the next; the channel is never fuller than it was.
  struct Mix {
    rt::GraphDevice &device;
    rt::GraphNode *node;
    uint64_t width, sum = 0, runs = 0;
  };
  for (bool isStack : {false, true})
    for (uint64_t width : {3, 7, 8, 24, 100}) {
      TestDevice test(3, rt::Schedule::RoundRobin);
      Mix mix = {test.device, nullptr, width};
      mix.node = &test.add(3 * sizeof(int), width, &mix, [](void *context, int id, int offset) {
        auto &mix = *static_cast<Mix *>(context);
        auto *element = static_cast<int *>(mix.device.deq(id, offset));
        int rest = element[0], value = element[1];
        EXPECT_EQ(element[2], rest ^ value);
        mix.device.tfree(id, offset);
        mix.sum += uint64_t(value);
        if (!rest)
          return;
        uint64_t count = 1 + uint64_t(value) * 7919 % mix.width;
        auto *next = static_cast<int *>(
            mix.device.talloc(*mix.node, mix.node->isStack ? uint64_t(rest) % 5 : 0, count));
        for (uint64_t i = 0; i < count; ++i) {
          bool goesOn = i + 1 == count;
          next[3 * i] = goesOn ? rest - 1 : 0;
          next[3 * i + 1] = goesOn ? value + 1 : 1;
          next[3 * i + 2] = next[3 * i] ^ next[3 * i + 1];
        }
        mix.device.enq(*mix.node, next);
        mix.runs += count - 1;
      }, isStack);
      auto *first = static_cast<int *>(test.device.talloc(*mix.node, 0, 1));
      first[0] = 200, first[1] = 0, first[2] = 200;
      test.device.enq(*mix.node, first);
      test.device.run();
      EXPECT_EQ(mix.sum, mix.runs + 200 * 201 / 2) << width;
    }
}

TEST(Graph, OneThatWaitsForMuchKeepsNobodyFromGoingOn) {
  // The first element's kernel wants all of the channel, which is empty only after the second one's kernel has had one.
  struct Both {
    rt::GraphDevice &device;
    rt::GraphNode *node;
    int consumed = 0;
  };
  for (rt::Schedule schedule : {rt::Schedule::RoundRobin, rt::Schedule::Random, rt::Schedule::Adversarial})
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      TestDevice test(1, schedule, seed);
      Both both = {test.device, nullptr};
      both.node = &test.add(sizeof(int), 4, &both, [](void *context, int id, int offset) {
        auto &both = *static_cast<Both *>(context);
        int count = *static_cast<int *>(both.device.deq(id, offset));
        ++both.consumed;
        if (count != 1)
          both.device.tfree(id, offset);
        if (count) {
          auto *more = static_cast<int *>(both.device.talloc(*both.node, 0, uint64_t(count)));
          std::fill(more, more + count, 0);
          both.device.enq(*both.node, more);
        }
        if (count == 1)
          both.device.tfree(id, offset);
      });
      test.put(*both.node, {4, 1, 0, 0});
      test.device.run();
      ASSERT_EQ(both.consumed, 4 + 4 + 1) << seed;
    }
}

TEST(Graph, WhatOneHasReservedAndLeavesIsAnothers) {
  // All that is made fits into `full`, if nobody keeps more of it than it needs. A maker's wavefront reserves two
  // elements there, makes one, and then waits for `held`, as the first element's consumer does. The consumer of `held` may be
  // waiting for an element of `full`: there is only the one that the maker left.
  struct Three {
    rt::GraphDevice &device;
    rt::GraphNode *full, *held, *makers;
    int consumed = 0;
    void make(rt::GraphNode &node, uint64_t count) {
      auto *more = static_cast<int *>(device.talloc(node, 0, count));
      std::fill(more, more + count, 0);
      device.enq(node, more);
    }
  };
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    TestDevice test(2, rt::Schedule::Random, seed);
    Three three = {test.device, nullptr, nullptr, nullptr};
    auto kernel = [](void *context, int id, int offset) {
      auto &three = *static_cast<Three *>(context);
      int kind = *static_cast<int *>(three.device.deq(id, offset));
      if (id == three.makers->id)
        three.make(kind ? *three.full : *three.held, 1);
      else if (kind) // 29 in `full`, 1 in `held`
        three.make(*three.full, uint64_t(kind));
      if (kind == 29)
        three.make(*three.held, 1);
      ++three.consumed;
      three.device.tfree(id, offset);
    };
    three.full = &test.add(sizeof(int), 32, &three, kernel);
    three.held = &test.add(sizeof(int), 1, &three, kernel);
    three.makers = &test.add(sizeof(int), 2, &three, kernel);
    for (rt::GraphNode *node : {three.full, three.held, three.makers})
      node->predicate = [](void *, const ChannelState &) { return true; };
    test.put(*three.full, {29});
    test.put(*three.held, {1});
    test.put(*three.makers, {1, 0});
    test.device.run();
    ASSERT_EQ(three.consumed, 4 + 29 + 2 + 2) << seed;
  }
}

TEST(Graph, NobodyWaitsWhereAllElementsFitAtOnce) {
  // Any graph whose channels are as wide as elements are ever made there gets on, whoever holds what for how long.
  struct Run {
    uint64_t channel, level;
    std::vector<int> elements;
  };
  struct Element {
    std::vector<Run> runs;
    size_t freedBefore; ///< which run
    bool isEnqueuedLate;
  };
  struct Program {
    rt::GraphDevice &device;
    std::vector<rt::GraphNode *> nodes;
    std::vector<Element> elements;
    size_t consumed = 0;
  };
  auto kernel = [](void *context, int id, int offset) {
    auto &program = *static_cast<Program *>(context);
    const Element &element = program.elements[size_t(*static_cast<int *>(program.device.deq(id, offset)))];
    std::vector<std::pair<rt::GraphNode *, int *>> late;
    ++program.consumed;
    for (size_t r = 0; r <= element.runs.size(); ++r) {
      if (r == element.freedBefore)
        program.device.tfree(id, offset);
      if (r == element.runs.size())
        break;
      const Run &run = element.runs[r];
      rt::GraphNode &node = *program.nodes[run.channel];
      auto *made = static_cast<int *>(program.device.talloc(node, run.level, run.elements.size()));
      std::copy(run.elements.begin(), run.elements.end(), made);
      if (element.isEnqueuedLate)
        late.push_back({&node, made});
      else
        program.device.enq(node, made);
    }
    for (auto [node, made] : late)
      program.device.enq(*node, made);
  };
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    std::mt19937 random(seed);
    constexpr rt::Schedule schedules[] = {rt::Schedule::RoundRobin, rt::Schedule::Random, rt::Schedule::Adversarial};
    TestDevice test(random() % 5 ? 1 + random() % 8 : 64, schedules[random() % 3], seed);
    Program program = {test.device, {}, {{}}};
    // The first element is the host's; each makes some more, until there are enough.
    uint64_t numChannels = 1 + random() % 3, numLevels = 1 + random() % 3;
    std::vector<std::vector<uint64_t>> made(numChannels, std::vector<uint64_t>(numLevels));
    std::vector<bool> isStack(numChannels);
    for (uint64_t c = 0; c < numChannels; ++c)
      isStack[c] = random() % 2;
    made[0][0] = 1;
    for (size_t e = 0; e < program.elements.size(); ++e) {
      Element element = {{}, 0, random() % 2 == 0};
      for (unsigned runs = program.elements.size() < 200 ? random() % 4 : 0; runs; --runs) {
        uint64_t channel = random() % numChannels;
        Run run = {channel, isStack[channel] ? random() % numLevels : 0, {}};
        for (unsigned count = 1 + random() % (random() % 4 ? 3 : 30); count; --count) {
          run.elements.push_back(int(program.elements.size()));
          program.elements.push_back({});
        }
        made[run.channel][run.level] += run.elements.size();
        element.runs.push_back(run);
      }
      element.freedBefore = random() % (element.runs.size() + 1);
      program.elements[e] = element;
    }
    for (uint64_t c = 0; c < numChannels; ++c) {
      uint64_t most = std::max(uint64_t(1), *std::max_element(made[c].begin(), made[c].end()));
      program.nodes.push_back(&test.add(sizeof(int), most, &program, kernel, isStack[c]));
      if (random() % 2)
        program.nodes[c]->predicate = [](void *, const ChannelState &) { return true; };
      if (random() % 2)
        program.nodes[c]->readiness = Readiness::Always;
    }
    test.put(*program.nodes[0], {0});
    test.device.run();
    ASSERT_EQ(program.consumed, program.elements.size()) << seed;
  }
}

TEST(Graph, KernelsThatHoldNothingGetOnAtAnyWidth) {
  // A tree whose kernels free their element first, and enqueue what they have before they ask for more: also where a
  // lane waits for what those behind it in its wavefront have not freed yet.
  struct Tree {
    rt::GraphDevice &device;
    rt::GraphNode *node;
    uint64_t run, consumed = 0;
  };
  for (uint64_t width : {1, 2, 3, 7})
    for (uint64_t run = 1; run <= width; run += 2)
      for (uint32_t wave : {1, 3, 64})
        for (rt::Schedule schedule : {rt::Schedule::RoundRobin, rt::Schedule::Random, rt::Schedule::Adversarial})
          for (bool isStack : {false, true}) {
            TestDevice test(wave, schedule, run);
            Tree tree = {test.device, nullptr, run};
            tree.node = &test.add(sizeof(int), width, &tree, [](void *context, int id, int offset) {
              auto &tree = *static_cast<Tree *>(context);
              int depth = *static_cast<int *>(tree.device.deq(id, offset));
              tree.device.tfree(id, offset);
              ++tree.consumed;
              for (int i = 0; depth && i < 2; ++i) {
                auto *children = static_cast<int *>(tree.device.talloc(*tree.node, 0, tree.run));
                std::fill(children, children + tree.run, 0);
                children[uint64_t(depth) % tree.run] = depth - 1;
                tree.device.enq(*tree.node, children);
              }
            }, isStack);
            test.put(*tree.node, {7});
            test.device.run();
            EXPECT_EQ(tree.consumed, 1 + 254 * run) << width << " wide, wave " << wave;
            EXPECT_LE(test.device.reported().counters.yields, 254u) << "once for each talloc at most";
          }
}

TEST(Graph, TheHostFillsAChannelAgain) {
  // What wavefronts of the first run had reserved and not used is free in the second one.
  struct Counts {
    rt::GraphDevice &device;
    rt::GraphNode *node;
    int consumed = 0;
  };
  TestDevice test(64, rt::Schedule::RoundRobin);
  Counts counts = {test.device, nullptr};
  counts.node = &test.add(sizeof(int), 16, &counts, [](void *context, int id, int offset) {
    auto &counts = *static_cast<Counts *>(context);
    ++counts.consumed;
    if (*static_cast<int *>(counts.device.deq(id, offset))) {
      auto *more = static_cast<int *>(counts.device.talloc(*counts.node, 0, 1));
      *more = 0;
      counts.device.enq(*counts.node, more);
    }
    counts.device.tfree(id, offset);
  });
  test.put(*counts.node, {1, 0, 0, 0});
  test.device.run();
  for (int run = 0; run < 2; ++run) {
    test.put(*counts.node, std::vector<int>(16, 0));
    test.device.run();
  }
  EXPECT_EQ(counts.consumed, 5 + 2 * 16);
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
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) // which end it where they cannot allocate
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
