// Tests of wavefronts that wait for space in channel-flow graphs: the wavefront that continues when space is freed, and
// that no wavefront waits for ever.
#include "GraphTestDevice.h"

#include <gtest/gtest.h>
#include <random>

using namespace cilk2gpu;
using cilk2gpu::test::TestDevice;

namespace {

/// Two wavefronts want the only element of a channel. The seed decides which of them goes on when.
int64_t countThroughOne(const rt::Environment &environment, uint64_t seed) {
  struct Both {
    rt::GraphDevice &device;
    rt::GraphNode &first, &second;
    int64_t count = 0;
  };
  rt::GraphReport report(environment, 0);
  rt::MachineSettings settings = {{1, 4, 40}, rt::Schedule::Random, rt::ProgressModel::Fair, seed, 64 << 10};
  rt::GraphDevice device(environment, rt::settings().device, settings, 1, 1, 64, report);
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

/// A chain of kernel calls. Each frees its element and makes `count` elements, and the last of them continues the
/// chain. Returns the number of elements consumed. Elements of a run lie side by side.
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
    auto *elements = static_cast<int *>(device.talloc(next, next.isStack() ? device.currentLevel() : 0, chain.count));
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
  // Every call makes a run of any length, and one element of it makes the next. The channel never becomes fuller than
  // it was.
  struct Mix {
    rt::GraphDevice &device;
    rt::GraphNode *node;
    uint64_t width, sum = 0, runs = 0;
  };
  for (bool isStack : {false, true})
    for (uint64_t width : {3, 7, 8, 24, 100}) {
      TestDevice test(3, rt::Schedule::RoundRobin);
      Mix mix = {test.device, nullptr, width};
      mix.node = &test.add(
          3 * sizeof(int), width, &mix,
          [](void *context, int id, int offset) {
            auto &mix = *static_cast<Mix *>(context);
            auto *element = static_cast<int *>(mix.device.deq(id, offset));
            int rest = element[0], value = element[1];
            EXPECT_EQ(element[2], rest ^ value);
            mix.device.tfree(id, offset);
            mix.sum += uint64_t(value);
            if (!rest)
              return;
            uint64_t count = 1 + uint64_t(value) * 7919 % mix.width;
            auto *next =
                static_cast<int *>(mix.device.talloc(*mix.node, mix.node->isStack() ? uint64_t(rest) % 5 : 0, count));
            for (uint64_t i = 0; i < count; ++i) {
              bool goesOn = i + 1 == count;
              next[3 * i] = goesOn ? rest - 1 : 0;
              next[3 * i + 1] = goesOn ? value + 1 : 1;
              next[3 * i + 2] = next[3 * i] ^ next[3 * i + 1];
            }
            mix.device.enq(*mix.node, next);
            mix.runs += count - 1;
          },
          isStack);
      auto *first = static_cast<int *>(test.device.talloc(*mix.node, 0, 1));
      first[0] = 200, first[1] = 0, first[2] = 200;
      test.device.enq(*mix.node, first);
      test.device.run();
      EXPECT_EQ(mix.sum, mix.runs + 200 * 201 / 2) << width;
    }
}

TEST(Graph, OneThatWaitsForMuchKeepsNobodyFromGoingOn) {
  // The first element's kernel wants the whole channel. It is empty only after the second element's kernel has had an
  // element.
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
  // All elements fit into `full` if nobody keeps more space than it needs. A maker's wavefront reserves two elements
  // there, makes one, and then waits for `held`, as the first element's consumer does. The consumer of `held` may be
  // waiting for an element of `full`. Only the element that the maker left is free.
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
      else if (kind) // 29 elements in `full`, 1 in `held`
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
  // A graph gets on if each channel is as wide as the number of elements ever made there, whoever holds elements for
  // however long.
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
    // The host makes the first element. Each element makes some more, until there are enough.
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
        test.device.setReadiness(*program.nodes[c], Readiness::Always);
    }
    test.put(*program.nodes[0], {0});
    test.device.run();
    ASSERT_EQ(program.consumed, program.elements.size()) << seed;
  }
}

TEST(Graph, KernelsThatHoldNothingGetOnAtAnyWidth) {
  // A tree whose kernels free their element first, and enqueue elements before they ask for more. A lane may wait for
  // elements that lanes behind it in its wavefront have not freed yet.
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
            tree.node = &test.add(
                sizeof(int), width, &tree,
                [](void *context, int id, int offset) {
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
                },
                isStack);
            test.put(*tree.node, {7});
            test.device.run();
            EXPECT_EQ(tree.consumed, 1 + 254 * run) << width << " wide, wave " << wave;
            EXPECT_LE(test.device.reported().counters.yields, 254u) << "once for each talloc at most";
          }
}

TEST(Graph, TheHostFillsAChannelAgain) {
  // Elements that wavefronts of the first run reserved and did not use are free in the second run.
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

/// Lanes of one wavefront ask for an element each, twice. Says the order in which they got them.
struct Order {
  rt::GraphDevice &device;
  rt::GraphNode *first, *second;
  std::vector<int> lanes;
};

std::vector<int> orderOfTallocs(uint64_t seed) {
  TestDevice test(8, rt::Schedule::RoundRobin, seed);
  Order order = {test.device, nullptr, nullptr, {}};
  order.first = &test.add(sizeof(int), 8, &order, [](void *context, int id, int offset) {
    auto &order = *static_cast<Order *>(context);
    for (int i = 0; i < 2; ++i) {
      void *element = order.device.talloc(*order.second, 0, 1);
      order.lanes.push_back(offset);
      order.device.enq(*order.second, element);
    }
    EXPECT_EQ(*static_cast<int *>(order.device.deq(id, offset)), offset);
    order.device.tfree(id, offset);
  });
  order.second = &test.add(sizeof(int), 16, &order, [](void *context, int id, int offset) {
    static_cast<Order *>(context)->device.tfree(id, offset);
  });
  test.put(*order.first, {0, 1, 2, 3, 4, 5, 6, 7});
  test.device.run();
  return order.lanes;
}

TEST(Graph, LanesTakeTurnsWhereTheyHaveFibers) {
  const std::vector<int> inOrder = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
  bool haveFibers = rt::settings().device == rt::Device::GpuHost;
  std::vector<int> one = orderOfTallocs(1), two = orderOfTallocs(2);
  EXPECT_EQ(one, orderOfTallocs(1)) << "the seed says the order";
  EXPECT_EQ(one != inOrder, haveFibers);
  EXPECT_EQ(one != two, haveFibers);
  std::sort(one.begin(), one.end());
  EXPECT_EQ(one, inOrder);
}

TEST(Graph, StacksAreUsedAgain) {
  TestDevice test(4, rt::Schedule::RoundRobin);
  uint64_t consumed = chainOfRuns(test, 2, false, 64, 64, 50);
  EXPECT_EQ(consumed, 50u * (1 + 20 * 64));
  const rt::GraphCounters &counters = test.device.reported().counters;
  EXPECT_GT(counters.wavefronts, 1000u);
  EXPECT_GT(counters.cycles, 0u);
  EXPECT_LE(counters.stacks, 40u + 4u) << "one for each context and each lane of a wavefront";
}

} // namespace
