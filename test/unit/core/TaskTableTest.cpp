// Tests that edges are closed when records are merged: the tasks that the post-sync elements of a task wait for.
#include "Machine.h"
#include "Programs.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

using test::Machine;

void nothing(abi::Wave *) {}

const abi::KernelRecord kernels[] = {{.name = "first", .run = nothing}, {.name = "second", .run = nothing}};

/// Tasks with two kernels; each spawns the task whose number is one higher, up to the last one.
struct Chain {
  static constexpr uint32_t kLength = 70; // more than one word of a set
  abi::TaskRecord tasks[kLength];
  abi::TaskRecord *targets[kLength];
  abi::EdgeRecord edges[kLength];

  Chain() {
    for (uint32_t i = 0; i < kLength; ++i) {
      bool isLast = i + 1 == kLength;
      targets[i] = isLast ? nullptr : &tasks[i + 1];
      edges[i] = {.from = targets[i], .to = &tasks[i], .kernel = 1};
      tasks[i] = {.name = "link",
                  .kernels = kernels,
                  .targets = &targets[i],
                  .frameSize = 8,
                  .numKernels = 2,
                  .numTargets = isLast ? 0u : 1u,
                  .edges = &edges[i],
                  .numEdges = 1};
    }
  }
};

const rt::TaskInfo &info(const abi::TaskRecord &record) { return *static_cast<rt::TaskInfo *>(record.state); }

TEST(TaskTableTest, AnEdgeCoversAllThatItsSourceCanReach) {
  Machine machine(4, 4);
  static Chain chain;
  machine.tasks.add(&chain.tasks[0]);
  for (uint32_t i : {0u, 1u, 30u, 68u}) {
    const rt::Closure &awaited = info(chain.tasks[i]).awaited[1];
    EXPECT_FALSE(awaited.isEverything);
    for (uint32_t other = 0; other < Chain::kLength; ++other)
      EXPECT_EQ(awaited.contains(info(chain.tasks[other])), other > i) << i << " and " << other;
  }
}

TEST(TaskTableTest, AnEdgeThatIsNotResolvedMeansEverything) {
  Machine machine(4, 4);
  static Chain chain;
  machine.tasks.add(&chain.tasks[0]);
  const rt::Closure &awaited = info(chain.tasks[Chain::kLength - 1]).awaited[1]; // its edge comes from nowhere
  EXPECT_TRUE(awaited.isEverything);
  EXPECT_TRUE(awaited.contains(info(chain.tasks[0])));
}

TEST(TaskTableTest, ATaskWithoutEdgesWaitsForEverything) {
  Machine machine(4, 4);
  static Chain chain;
  chain.tasks[0].numEdges = 0;
  machine.tasks.add(&chain.tasks[0]);
  EXPECT_TRUE(info(chain.tasks[0]).awaited[1].isEverything);
}

TEST(TaskTableTest, TasksThatAreRegisteredLaterChangeNoClosure) {
  Machine machine(4, 4);
  static Chain first, second;
  machine.tasks.add(&first.tasks[60]);
  machine.tasks.add(&second.tasks[0]);
  const rt::Closure &awaited = info(first.tasks[60]).awaited[1];
  EXPECT_TRUE(awaited.contains(info(first.tasks[69])));
  EXPECT_FALSE(awaited.contains(info(second.tasks[0])));
  EXPECT_FALSE(awaited.contains(info(second.tasks[69])));
}

TEST(TaskTableTest, AnEdgeMayComeFromATaskThatIsNotSpawned) {
  Machine machine(4, 4);
  static Chain chain, other;
  chain.edges[0].from = &other.tasks[68];
  machine.tasks.add(&chain.tasks[0]);
  const rt::Closure &awaited = info(chain.tasks[0]).awaited[1];
  EXPECT_TRUE(awaited.contains(info(other.tasks[69])));
  EXPECT_FALSE(awaited.contains(info(chain.tasks[1])));
}

TEST(TaskTableDeathTest, BadEdgesAndNodesAreRefused) {
  auto add = [](void (*spoil)(Chain &)) {
    Machine machine(4, 4);
    Chain chain;
    spoil(chain);
    machine.tasks.add(&chain.tasks[0]);
  };
  auto exits = testing::ExitedWithCode(1);
  EXPECT_EXIT(add([](Chain &c) { c.edges[0].to = &c.tasks[1]; }), exits, "an edge leads to a post-sync kernel");
  EXPECT_EXIT(add([](Chain &c) { c.edges[0].kernel = 0; }), exits, "an edge leads to a post-sync kernel.*0 was");
  EXPECT_EXIT(add([](Chain &c) { c.edges[0].kernel = 2; }), exits, "an edge leads to a post-sync kernel.*2 was");
  EXPECT_EXIT(add([](Chain &c) { c.edges[0].readiness = abi::ReadinessKind::Event; }), exits,
              "an edge between channel stacks is of the kind 'drained below'.*3 was");
  EXPECT_EXIT(add([](Chain &c) { c.tasks[0].destination = 0; }), exits,
              "the destination of a result is a field.*0 was");
  EXPECT_EXIT(add([](Chain &c) { c.tasks[0].kind = abi::NodeKind(9); }), exits, "the kind of a node is known.*9 was");
  EXPECT_EXIT(add([](Chain &c) { c.tasks[0].kind = abi::NodeKind::Queue; }), exits,
              "a queue has one kernel and a capacity.*2 was");
}

/// A task of a Cilk function that spawns it through a plain record and under its own name. Another task spawns it only
/// through the plain record.
struct Replaceable {
  abi::TaskRecord *both[2] = {&plain, &own};
  abi::EdgeRecord edge = {.from = &plain, .to = &caller, .kernel = 1};
  abi::TaskRecord plain = {.name = "plain", .kernels = kernels, .numKernels = 1, .function = &edge, .isPlain = true};
  abi::TaskRecord own = {.name = "own",
                         .kernels = kernels,
                         .targets = both,
                         .frameSize = 8,
                         .numKernels = 2,
                         .numTargets = 2,
                         .function = &edge};
  abi::TaskRecord caller = {.name = "caller",
                            .kernels = kernels,
                            .targets = both,
                            .frameSize = 8,
                            .numKernels = 2,
                            .numTargets = 1,
                            .edges = &edge,
                            .numEdges = 1};
};

TEST(TaskTableTest, PlainRecordsReferToTheTaskOfTheirFunction) {
  for (bool isEarlier : {false, true}) {
    Machine machine(4, 4);
    Replaceable records;
    rt::TaskInfo *caller = isEarlier ? machine.tasks.add(&records.caller) : nullptr;
    rt::TaskInfo *own = machine.tasks.add(&records.own);
    if (isEarlier)
      EXPECT_NE(caller->targets[0], own);
    machine.tasks.unifyEarlier();
    machine.tasks.unify(&records.plain);
    EXPECT_EQ(records.plain.state, own);
    caller = machine.tasks.add(&records.caller);
    EXPECT_EQ(caller->targets[0], own);
    EXPECT_TRUE(caller->awaited[1].contains(*own));
    EXPECT_FALSE(caller->awaited[1].contains(*caller));
  }
}

TEST(TaskTableTest, TwoTargetsOfATaskAreNeverOne) {
  Machine machine(4, 4);
  Replaceable records;
  rt::TaskInfo *caller = machine.tasks.add(&records.caller), *own = machine.tasks.add(&records.own);
  machine.tasks.unifyEarlier();
  rt::TaskInfo *twin = own->targets[1];
  EXPECT_EQ(own->targets[0], own);
  ASSERT_NE(twin, own);
  EXPECT_STREQ(twin->name, "own");
  EXPECT_EQ(twin->targets[0], own);
  EXPECT_EQ(twin->targets[1], twin);
  EXPECT_TRUE(caller->awaited[1].contains(*twin));
}

/// A stack whose consumer is a function of the host, and an edge to its elements.
struct HostChannel {
  abi::FieldRecord field = {8, 8};
  abi::EdgeRecord edge = {.to = &node};
  abi::TaskRecord node = {.name = "channel",
                          .fields = &field,
                          .numFields = 1,
                          .edges = &edge,
                          .numEdges = 1,
                          .kind = abi::NodeKind::Task,
                          .capacity = 16};
};

TEST(TaskTableTest, ElementsOfAHostsChannelWaitForTheSourcesOfTheirEdges) {
  Machine machine(4, 4);
  static HostChannel all, none, one;
  none.node.numEdges = 0;
  one.edge.from = &none.node;
  rt::TaskInfo *waitsForAll = machine.tasks.addChannel(&all.node);
  rt::TaskInfo *waitsForNone = machine.tasks.addChannel(&none.node);
  rt::TaskInfo *waitsForOne = machine.tasks.addChannel(&one.node);
  EXPECT_TRUE(waitsForAll->awaited[0].isEverything);
  EXPECT_TRUE(waitsForNone->awaited[0].isNothing());
  EXPECT_FALSE(waitsForNone->awaited[0].contains(*waitsForAll));
  EXPECT_TRUE(waitsForOne->awaited[0].contains(*waitsForNone));
  EXPECT_FALSE(waitsForOne->awaited[0].contains(*waitsForAll));
  one.node.numEdges = 0;
  machine.tasks.closeAgain(waitsForOne);
  EXPECT_TRUE(waitsForOne->awaited[0].isNothing());
}

TEST(TaskTableTest, ElementsOfAChannelOfThreadBlocksWaitForItsOwnElements) {
  Machine machine(4, 4);
  static HostChannel blocks, plain;
  blocks.edge = {.from = &blocks.node, .to = &blocks.node, .readiness = abi::ReadinessKind::ParentCount};
  rt::TaskInfo *channel = machine.tasks.addChannel(&blocks.node);
  EXPECT_TRUE(channel->countsParents);
  EXPECT_TRUE(channel->awaited[0].isNothing());
  EXPECT_FALSE(machine.tasks.addChannel(&plain.node)->countsParents);
}

TEST(TaskTableDeathTest, BadHostsChannelsAreRefused) {
  auto add = [](void (*spoil)(HostChannel &)) {
    Machine machine(4, 4);
    HostChannel channel;
    spoil(channel);
    machine.tasks.addChannel(&channel.node);
  };
  auto exits = testing::ExitedWithCode(1);
  EXPECT_EXIT(add([](HostChannel &c) { c.edge.kernel = 1; }), exits, "an edge leads to the elements.*1 was");
  EXPECT_EXIT(add([](HostChannel &c) { c.node.capacity = 0; }), exits, "has a capacity.*0 was");
  EXPECT_EXIT(add([](HostChannel &c) { c.node.numKernels = 1; }), exits, "has no kernels, targets and frames");
  EXPECT_EXIT(add([](HostChannel &c) { c.edge.readiness = abi::ReadinessKind::ParentCount; }), exits,
              "is of the kind 'drained below'.*2 was");
  EXPECT_EXIT(add([](HostChannel &c) {
                static HostChannel other;
                c.edge = {.from = &other.node, .to = &c.node, .readiness = abi::ReadinessKind::ParentCount};
              }),
              exits, "is of the kind 'drained below'.*2 was");
}

} // namespace
} // namespace cilk2gpu
