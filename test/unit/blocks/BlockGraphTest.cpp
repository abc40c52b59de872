// Tests that graphs of thread blocks are built as mapping functions and arrays say, and that mistakes are reported.
#include "blocks/BlockGraph.h"
#include "GraphShapes.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

using rt::BlockGraph;
using rt::BlockMemory;
using wf::detail::PolicyChoice;

void runParts(void *, void (*work)(void *, uint64_t), void *context, uint64_t parts) {
  for (uint64_t part = parts; part-- > 0;)
    work(context, part);
}

/// A graph of a mapping function, as lists.
struct Built {
  BlockMemory memory;
  PolicyChoice policy;
  BlockGraph graph;

  template <class L> Built(dim3 grid, const L &links) {
    graph =
        rt::buildFromLinks(memory, grid, dim3(1), wf::detail::Mapping<L>{links}.function(), policy, runParts, nullptr);
  }
  explicit Built(const TestGraph &test) { graph = rt::buildFromArrays(memory, test.nodes, test.arrays()); }

  std::vector<uint32_t> children(uint64_t node) const {
    return {graph.children + graph.starts[node], graph.children + graph.starts[node + 1]};
  }
  std::vector<uint64_t> starts() const { return {graph.starts, graph.starts + graph.nodes + 1}; }
  std::vector<uint32_t> parents() const { return {graph.parents, graph.parents + graph.nodes}; }
};

using Nodes = std::vector<uint32_t>;

/// The child at x = 3 of a row of 8 blocks names parents; returns these.
template <class L> Nodes parentsOf3(const L &links) {
  Built built(dim3(8), [&] {
    if (blockIdx.x == 3)
      links();
  });
  Nodes result;
  for (uint32_t node = 0; node < 8; ++node)
    for (uint32_t child : built.children(node)) {
      EXPECT_EQ(child, 3u);
      result.push_back(node);
    }
  EXPECT_EQ(built.graph.parents[3], result.size());
  return result;
}

TEST(BlockGraphTest, WavefrontHasItsTwoParents) {
  Built built(dim3(3, 3), [] {
    WF::AddDependency({blockIdx.x - 1, blockIdx.y});
    WF::AddDependency({blockIdx.x, blockIdx.y - 1});
  });
  EXPECT_EQ(built.starts(), (std::vector<uint64_t>{0, 2, 4, 5, 7, 9, 10, 11, 12, 12}));
  EXPECT_EQ(built.children(0), (Nodes{1, 3}));
  EXPECT_EQ(built.children(4), (Nodes{5, 7}));
  EXPECT_EQ(built.parents(), (Nodes{0, 1, 1, 1, 2, 2, 1, 2, 2}));
  EXPECT_TRUE(built.graph.isAscending);
}

TEST(BlockGraphTest, MissingFieldsOfAParentAre0) {
  Built built(dim3(2, 3, 2), [] {
    if (blockIdx.x == 1 && blockIdx.y == 2 && blockIdx.z == 1) {
      WF::AddDependency({1});
      WF::AddDependency({1, 1});
      WF::AddDependency({1, 1, 1});
    }
  });
  for (uint64_t node : {1, 3, 9})
    EXPECT_EQ(built.children(node), Nodes{11}) << node;
  EXPECT_EQ(built.graph.edges, 3u);
}

TEST(BlockGraphTest, CoordinatesOutOfRangeAreNoParents) {
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({blockIdx.x - 4}); }), Nodes{});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({-1}); }), Nodes{});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({8}); }), Nodes{});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({int64_t(1) << 32}); }), Nodes{});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({1, 2}); }), Nodes{});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({1, 0, -1}); }), Nodes{});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({int(blockIdx.x) - 1, 0u, 0L}); }), Nodes{2});
}

TEST(BlockGraphTest, OneMeans0AlongADimensionOfExtent1) {
  EXPECT_EQ(parentsOf3([] { WF::AddDependency(dim3(2)); }), Nodes{2});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency({2, 1, 1}); }), Nodes{2});
  EXPECT_EQ(parentsOf3([] { WF::AddDependency(dim3(2, 2)); }), Nodes{});
  Built built(dim3(2, 2), [] {
    if (blockIdx.x == 1 && blockIdx.y == 1)
      WF::AddDependency(dim3(0)); // (0, 1, 1): y has the extent 2, and z has the extent 1
  });
  EXPECT_EQ(built.children(2), Nodes{3});
  EXPECT_EQ(built.graph.edges, 1u);
}

TEST(BlockGraphTest, ParentsNamedTwiceCountOnce) {
  auto name = [](std::initializer_list<unsigned> parents) {
    return parentsOf3([=] {
      for (unsigned parent : parents)
        WF::AddDependency({parent});
    });
  };
  EXPECT_EQ(name({2, 2}), (Nodes{2}));
  EXPECT_EQ(name({2, 1, 2}), (Nodes{1, 2}));
  EXPECT_EQ(name({0, 7, 0, 7, 5, 0}), (Nodes{0, 5, 7}));
}

TEST(BlockGraphTest, ManyParentsOfManyBlocks) {
  Built built(dim3(70, 500), [] { // more than a part, and more parents than a part has room for at first
    for (unsigned x = 0; x < 70; ++x)
      WF::AddDependency({x, blockIdx.y - 1});
  });
  EXPECT_EQ(built.graph.edges, uint64_t(70) * 70 * 499);
  for (uint64_t node = 0; node < built.graph.nodes - 70; node += 1234)
    for (uint32_t i = 0; i < 70; ++i)
      ASSERT_EQ(built.children(node)[i], node / 70 * 70 + 70 + i);
}

TEST(BlockGraphTest, TheMappingFunctionRunsOncePerBlock) {
  std::vector<int> calls(3 * 4 * 5, 0);
  Built built(dim3(3, 4, 5), [&] {
    EXPECT_EQ(gridDim.z, 5u);
    ++calls[blockIdx.x + 3 * (blockIdx.y + 4 * blockIdx.z)];
  });
  EXPECT_EQ(calls, std::vector<int>(60, 1));
}

TEST(BlockGraphTest, PoliciesOfAllBlocksAgree) {
  Built none(dim3(2), [] {}), some(dim3(40000), [] {
    if (blockIdx.x % 7 == 3)
      WF::SetPolicy(WF::LVL, 4);
  });
  EXPECT_FALSE(none.policy.isGiven);
  EXPECT_TRUE(some.policy.isGiven);
  EXPECT_EQ(some.policy.policy, WF::LVL);
  EXPECT_EQ(some.policy.bound, 4);
}

TEST(BlockGraphDeathTest, BadPoliciesAreRefused) {
  auto exits = testing::ExitedWithCode(1);
  auto build = [](void (*links)()) { Built(dim3(20000), links); };
  EXPECT_EXIT(build([] { WF::SetPolicy(WF::LVL, blockIdx.x / 17000); }), exits,
              "holds for a whole launch, but blocks of this launch ask for LVL with the bound 0 and LVL with the bound "
              "1; ask for one of them");
  EXPECT_EXIT(build([] {
                WF::SetPolicy(WF::LRR);
                WF::SetPolicy(WF::LVL, 3);
              }),
              exits, "ask for LRR and LVL with the bound 3");
  EXPECT_EXIT(build([] { WF::SetPolicy(WF::LRR, 3); }), exits,
              "LRR takes no bound, and 3 was given; ask for \\(WF::LRR");
  EXPECT_EXIT(build([] { WF::SetPolicy(WF::LVL); }), exits, "LVL takes a bound of 0 or more.*none was given");
  EXPECT_EXIT(build([] { WF::SetPolicy(WF::LVL, -2); }), exits, "LVL takes a bound of 0 or more.*a negative number");
  EXPECT_EXIT(WF::SetPolicy(WF::LRR), exits, "WF::SetPolicy is for mapping functions, and none runs on this thread");
  EXPECT_EXIT(WF::AddDependency({0}), exits, "WF::AddDependency is for mapping functions");
}

//===--------------------------------------------------------------------------------------------------------------===//
// Arrays
//===--------------------------------------------------------------------------------------------------------------===//

TEST(BlockGraphTest, ArraysOfTheRightTypesAreBorrowed) {
  TestGraph test = wavefront(4, 4);
  Built built(test);
  EXPECT_EQ(built.graph.starts, test.starts.data());
  EXPECT_EQ(built.graph.children, test.children.data());
  EXPECT_EQ(built.graph.edges, 24u);
  EXPECT_EQ(built.parents(), (Nodes{0, 1, 1, 1, 1, 2, 2, 2, 1, 2, 2, 2, 1, 2, 2, 2}));
}

TEST(BlockGraphTest, EdgesGivenTwiceCountOnce) {
  TestGraph test = {.nodes = 4, .edges = {{0, 1}, {0, 2}, {0, 1}, {2, 3}, {2, 3}, {1, 3}}};
  test.close();
  Built built(test);
  EXPECT_EQ(built.graph.edges, 4u);
  EXPECT_EQ(built.children(0), (Nodes{1, 2}));
  EXPECT_EQ(built.children(2), (Nodes{3}));
  EXPECT_EQ(built.parents(), (Nodes{0, 1, 1, 2}));
}

template <class S, class C> void buildWith(uint8_t startBytes, uint8_t childBytes) {
  const std::vector<S> starts = {0, 2, 3, 3};
  const std::vector<C> children = {1, 2, 2};
  BlockMemory memory;
  BlockGraph graph = rt::buildFromArrays(
      memory, 3,
      {starts.data(), children.data(), 4, 3, startBytes, childBytes, std::is_signed_v<S>, std::is_signed_v<C>});
  EXPECT_EQ(std::vector(graph.starts, graph.starts + 4), (std::vector<uint64_t>{0, 2, 3, 3}));
  EXPECT_EQ(std::vector(graph.children, graph.children + 3), (Nodes{1, 2, 2}));
  EXPECT_EQ(std::vector(graph.parents, graph.parents + 3), (Nodes{0, 1, 2}));
}

TEST(BlockGraphTest, IntegersOf32And64Bits) {
  buildWith<uint32_t, uint32_t>(4, 4);
  buildWith<int32_t, int64_t>(4, 8);
  buildWith<uint64_t, uint64_t>(8, 8);
  buildWith<int64_t, int32_t>(8, 4);
}

/// 40 nodes with two children each, but for the last ones.
struct Pairs {
  std::vector<uint64_t> starts{0};
  std::vector<uint32_t> children;

  Pairs() {
    for (uint32_t node = 0; node < 40; ++node) {
      for (uint32_t child : {node + 1, node + 8})
        if (child < 40)
          children.push_back(child);
      starts.push_back(children.size());
    }
  }

  /// Returns whether parents are to be counted later, because the rows ascend.
  bool ascend() const {
    BlockMemory memory;
    const wf::detail::Arrays arrays = {starts.data(), children.data(), starts.size(), children.size(), 8, 4, false,
                                       false};
    return !rt::buildFromArrays(memory, 40, arrays, /*countsLater=*/true).parents;
  }
};

TEST(BlockGraphTest, RowsOfPairsAscend) {
  EXPECT_TRUE(Pairs().ascend());
  for (uint32_t edge = 0; edge < Pairs().children.size(); ++edge) {
    SCOPED_TRACE(edge);
    Pairs greater, same;
    greater.children[edge] = 39; // the largest ID, which may be the parent itself
    same.children[edge] = 0;
    EXPECT_EQ(greater.ascend(), edge < greater.starts[39]);
    EXPECT_FALSE(same.ascend());
  }
  Pairs own;
  own.children[2 * 20 + 1] = 20;
  EXPECT_FALSE(own.ascend());
}

TEST(BlockGraphDeathTest, BadRowsOfPairsAreRefused) {
  auto exits = testing::ExitedWithCode(1);
  for (uint32_t node : {0, 5, 8, 20})
    for (uint32_t child : {40u, 0x7fffffffu, 0x80000000u, 0x80000029u, 0xffffffffu}) {
      Pairs pairs;
      pairs.children[2 * node] = child;
      EXPECT_EXIT(pairs.ascend(), exits, "a child of node .* is .*, but the nodes of the graph are 0 to 39");
    }
  for (uint64_t start : {uint64_t(0), uint64_t(1000), ~uint64_t(0)}) {
    Pairs pairs;
    pairs.starts[12] = start;
    EXPECT_EXIT(pairs.ascend(), exits, "those of node 1[12] begin at .* and end at .*; check starts");
  }
  Pairs pairs;
  for (uint32_t node = 1; node <= 40; ++node) // more children than there are
    pairs.starts[node] = 2 * node;
  EXPECT_EXIT(pairs.ascend(), exits, "number of children; 80 and an array of 71 children were given");
}

TEST(BlockGraphDeathTest, BadArraysAreRefused) {
  auto exits = testing::ExitedWithCode(1);
  auto build = [](std::vector<int32_t> starts, std::vector<int32_t> children, uint64_t nodes) {
    BlockMemory memory;
    rt::buildFromArrays(memory, nodes,
                        {starts.data(), children.data(), starts.size(), children.size(), 4, 4, true, true});
  };
  EXPECT_EXIT(build({0, 1}, {0}, 2), exits, "one element more than the graph has nodes; 2 nodes and 2 elements");
  EXPECT_EXIT(build({1, 1}, {0}, 1), exits, "the first element of the array of starts of a graph is 0; 1 was found");
  EXPECT_EXIT(build({0, 2, 1}, {1, 1}, 2), exits, "those of node 1 begin at 2 and end at 1; check starts\\[2\\]");
  EXPECT_EXIT(build({0, -1}, {}, 1), exits, "those of node 0 begin at 0 and end at -1");
  EXPECT_EXIT(build({0, 3, 3}, {1}, 2), exits, "number of children; 3 and an array of 1 children were given");
  EXPECT_EXIT(build({0, 1, 1}, {2}, 2), exits, "a child of node 0 is 2, but the nodes of the graph are 0 to 1");
  EXPECT_EXIT(build({0, 0, 1}, {-5}, 2), exits, "a child of node 1 is -5, but.*check children\\[0\\]");
  auto null = [](const void *starts, const void *children) {
    BlockMemory memory;
    rt::buildFromArrays(memory, 1, {starts, children, ~uint64_t(0), ~uint64_t(0), 8, 4, false, false});
  };
  const uint64_t starts[] = {0, 1};
  EXPECT_EXIT(null(nullptr, nullptr), exits, "the array of starts of a graph is a null pointer");
  EXPECT_EXIT(null(starts, nullptr), exits, "the array of children of a graph is a null pointer, but.*1 edges");
}

} // namespace
} // namespace cilk2gpu
