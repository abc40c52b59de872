// Tests that edges which an array gives twice count once, whichever block they belong to.
#include "GraphShapes.h"
#include "blocks/BlockGraph.h"

#include <gtest/gtest.h>

namespace cilk2gpu {
namespace {

TEST(DuplicateEdges, OfAnySingleBlockCountOnce) {
  for (uint32_t block : {0, 1, 2}) {
    TestGraph test = {.nodes = 4, .edges = {{0, 1}, {1, 2}, {2, 3}, {block, block + 1}}};
    test.close();
    rt::BlockMemory memory;
    rt::BlockGraph graph = rt::buildFromArrays(memory, test.nodes, test.arrays());
    EXPECT_EQ(graph.edges, 3u) << block;
    EXPECT_EQ(std::vector(graph.starts, graph.starts + 5), (std::vector<uint64_t>{0, 1, 2, 3, 3})) << block;
    EXPECT_EQ(std::vector(graph.children, graph.children + 3), (std::vector<uint32_t>{1, 2, 3})) << block;
    EXPECT_EQ(std::vector(graph.parents, graph.parents + 4), (std::vector<uint32_t>{0, 1, 1, 1})) << block;
  }
}

} // namespace
} // namespace cilk2gpu
