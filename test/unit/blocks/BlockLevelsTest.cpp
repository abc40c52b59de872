// Tests the levels and the virtual IDs of section 3.2.2 of the Wireframe paper, and the messages about cycles.
#include "blocks/BlockLevels.h"
#include "GraphShapes.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

using Nodes = std::vector<uint32_t>;

struct Ordered {
  rt::BlockMemory memory;
  rt::BlockGraph graph, virtualGraph;
  rt::BlockLevels levels;
  rt::BlockOrder order;

  explicit Ordered(const TestGraph &test)
      : graph(rt::buildFromArrays(memory, test.nodes, test.arrays())), levels(rt::findLevels(memory, graph)),
        order(rt::orderByLevel(memory, graph, levels)) {
    virtualGraph = rt::renamed(memory, graph, order);
  }
  Nodes nodes() const { return {order.nodes, order.nodes + graph.nodes}; }
  std::vector<uint64_t> firsts() const { return {order.firstOfLevel, order.firstOfLevel + levels.count + 1}; }
  std::vector<uint64_t> starts() const { return {virtualGraph.starts, virtualGraph.starts + graph.nodes + 1}; }
  Nodes children(uint64_t id) const {
    return {virtualGraph.children + virtualGraph.starts[id], virtualGraph.children + virtualGraph.starts[id + 1]};
  }
};

// Figure 6: node 4 has the edge start 7, its neighbour 5 has 9, and the children of node 4 are 6 and 7.
TEST(BlockLevelsTest, TheRowsOfFigure6) {
  Ordered ordered(wavefront(3, 3));
  EXPECT_EQ(ordered.levels.count, 5u);
  EXPECT_EQ(ordered.nodes(), (Nodes{0, 1, 3, 2, 4, 6, 5, 7, 8}));
  EXPECT_EQ(ordered.firsts(), (std::vector<uint64_t>{0, 1, 3, 6, 8, 9}));
  EXPECT_EQ(ordered.starts(), (std::vector<uint64_t>{0, 2, 4, 6, 7, 9, 10, 11, 12, 12}));
  EXPECT_EQ(ordered.children(0), (Nodes{1, 2}));
  EXPECT_EQ(ordered.children(4), (Nodes{6, 7}));
}

// Figures 1 and 5: the wavefront of 4 x 4 blocks.
TEST(BlockLevelsTest, TheRenamingOfFigure5) {
  Ordered ordered(wavefront(4, 4));
  EXPECT_EQ(ordered.levels.count, 7u);
  EXPECT_EQ(ordered.nodes(), (Nodes{0, 1, 4, 2, 5, 8, 3, 6, 9, 12, 7, 10, 13, 11, 14, 15}));
  EXPECT_EQ(ordered.firsts(), (std::vector<uint64_t>{0, 1, 3, 6, 10, 13, 15, 16}));
  EXPECT_EQ(ordered.starts(), (std::vector<uint64_t>{0, 2, 4, 6, 8, 10, 12, 13, 15, 17, 18, 19, 21, 22, 23, 24, 24}));
  EXPECT_EQ(ordered.children(3), (Nodes{6, 7}));
  EXPECT_EQ(ordered.children(6), (Nodes{10}));
  EXPECT_EQ(Nodes(ordered.virtualGraph.parents, ordered.virtualGraph.parents + 16),
            (Nodes{0, 1, 1, 1, 2, 1, 1, 2, 2, 1, 2, 2, 2, 2, 2, 2}));
}

void checkAgainstDefinition(const TestGraph &test) {
  Ordered ordered(test);
  std::vector<uint32_t> levels = levelsOf(test);
  ASSERT_EQ(Nodes(ordered.levels.of, ordered.levels.of + test.nodes), levels);
  ASSERT_EQ(ordered.levels.count, *std::max_element(levels.begin(), levels.end()) + 1);
  Nodes sorted(test.nodes);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) { return levels[a] < levels[b]; });
  ASSERT_EQ(ordered.nodes(), sorted);
  ASSERT_EQ(ordered.virtualGraph.edges, ordered.graph.edges);
  for (uint64_t id = 0; id < test.nodes; ++id)
    for (uint32_t child : ordered.children(id))
      ASSERT_LT(id, child);
}

TEST(BlockLevelsTest, LevelsOfManyShapes) {
  checkAgainstDefinition(barriers(5, 7));
  checkAgainstDefinition(fan(50));
  checkAgainstDefinition(descendingChain(40));
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    checkAgainstDefinition(randomGraph(seed));
  }
}

TEST(BlockLevelsTest, CountsOfParentsAreLeftAsTheyWere) {
  TestGraph test = randomGraph(3);
  rt::BlockMemory memory;
  rt::BlockGraph graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
  Nodes before(graph.parents, graph.parents + graph.nodes);
  rt::findLevels(memory, graph);
  EXPECT_EQ(Nodes(graph.parents, graph.parents + graph.nodes), before);
}

TEST(BlockLevelsTest, TenMillionNodes) {
  TestGraph test = {.nodes = 10'000'000, .edges = {}};
  test.starts.resize(test.nodes + 1);
  test.children.resize(test.nodes - 1);
  for (uint64_t node = 0; node < test.nodes; ++node) { // a chain
    test.starts[node] = node;
    if (node + 1 < test.nodes)
      test.children[node] = uint32_t(node + 1);
  }
  test.starts[test.nodes] = test.nodes - 1;
  rt::BlockMemory memory;
  rt::BlockGraph graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
  EXPECT_EQ(rt::findLevels(memory, graph).count, test.nodes);
}

TEST(BlockLevelsDeathTest, CyclesAreNamed) {
  auto exits = testing::ExitedWithCode(1);
  auto check = [](TestGraph test, rt::BlockNames names) {
    test.close();
    rt::BlockMemory memory;
    rt::BlockGraph graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
    graph.names = names;
    rt::findLevels(memory, graph);
  };
  EXPECT_EXIT(check({.nodes = 2, .edges = {{0, 0}, {0, 1}}}, {}), exits,
              "1 of this launch wait for each other: node 0 waits for node 0; remove one");
  EXPECT_EXIT(check({.nodes = 6, .edges = {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 5}}}, {}), exits,
              "3 of this launch wait for each other: node . waits for node . waits for node . waits for node .;");
  EXPECT_EXIT(check({.nodes = 8, .edges = {{7, 2}, {2, 7}}}, {.x = 2, .y = 2}), exits,
              "2 of this launch wait for each other: block \\((1, 1, 1|0, 1, 0)\\) waits for block \\((1, 1, 1|0, 1, "
              "0)\\) waits for");
  TestGraph ring = {.nodes = 100, .edges = {}};
  for (uint32_t node = 0; node < 100; ++node)
    ring.edges.push_back({node, (node + 1) % 100});
  EXPECT_EXIT(check(ring, {}), exits, "but 100 of this launch.*and so on; remove one of these dependencies");
}

} // namespace
} // namespace cilk2gpu
