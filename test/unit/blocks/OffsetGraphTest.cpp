// Tests graphs whose blocks wait for blocks at constant distances: their children, counts and levels are those of the
// same graph with rows, and their levels have a closed form where findLevelSteps() says so.
#include "blocks/OffsetGraph.h"
#include "GraphShapes.h"

#include <gtest/gtest.h>
#include <random>

namespace cilk2gpu {
namespace {

using Offsets = std::vector<int32_t>; ///< three numbers each

void checkAgainstRows(dim3 grid, const Offsets &offsets) {
  TestGraph expected = gridGraph(grid, offsets);
  rt::BlockMemory memory;
  rt::BlockGraph graph = rt::buildFromOffsets(memory, grid, offsets.data(), uint32_t(offsets.size() / 3));
  ASSERT_EQ(graph.starts, nullptr);
  rt::BlockGraph rows = rt::withRows(memory, graph);
  ASSERT_EQ(rows.offsets, nullptr);
  ASSERT_EQ(graph.nodes, expected.nodes);
  ASSERT_EQ(graph.edges, expected.children.size());
  ASSERT_EQ(std::vector<uint64_t>(rows.starts, rows.starts + rows.nodes + 1), expected.starts);
  ASSERT_EQ(std::vector<uint32_t>(rows.children, rows.children + rows.edges), expected.children);
  std::vector<uint32_t> parents(graph.nodes);
  for (uint32_t child : expected.children)
    ++parents[child];
  ASSERT_EQ(graph.parents, nullptr);
  rt::countParents(memory, graph);
  ASSERT_EQ(std::vector<uint32_t>(graph.parents, graph.parents + graph.nodes), parents);
  ASSERT_EQ(std::vector<uint32_t>(rows.parents, rows.parents + rows.nodes), parents);
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    std::vector<uint32_t> forwards, backwards;
    rt::eachChild(graph, node, [&](uint32_t child) { forwards.push_back(child); });
    rt::eachChildBackwards(graph, node, [&](uint32_t child) { backwards.insert(backwards.begin(), child); });
    ASSERT_EQ(forwards, backwards);
  }
  rt::BlockLevels levels = rt::findLevels(memory, graph);
  ASSERT_EQ(std::vector<uint32_t>(levels.of, levels.of + graph.nodes), levelsOf(expected));
  ASSERT_EQ(levels.count, rt::findLevels(memory, rows).count);
}

rt::LevelSteps stepsOf(const Offsets &offsets) {
  rt::BlockMemory memory;
  return rt::findLevelSteps(
      *rt::buildFromOffsets(memory, dim3(9, 9, 9), offsets.data(), uint32_t(offsets.size() / 3)).offsets);
}

TEST(OffsetGraphTest, KnownShapes) {
  checkAgainstRows(dim3(5, 4), {-1, 0, 0, 0, -1, 0});
  checkAgainstRows(dim3(5, 4), {-1, 0, 0, 0, -1, 0, -1, -1, 0, -1, 0, 0});
  checkAgainstRows(dim3(6, 5), {1, -1, 0, -1, -1, 0});
  checkAgainstRows(dim3(3, 4, 5), {-1, 0, 0, 0, -1, 0, 0, 0, -1, 2, 2, -2});
  checkAgainstRows(dim3(7), {-2, 0, 0, -3, 0, 0});
  checkAgainstRows(dim3(2, 2), {-2, 0, 0, INT32_MIN, 0, 0, INT32_MAX, INT32_MIN, 0});
  checkAgainstRows(dim3(4, 4), {});
}

TEST(OffsetGraphTest, RandomOffsets) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto [grid, offsets] = randomOffsets(random);
    checkAgainstRows(grid, offsets);
  }
}

TEST(OffsetGraphTest, LevelsInClosedForm) {
  rt::LevelSteps wavefront = stepsOf({-1, 0, 0, 0, -1, 0, -1, -1, 0});
  EXPECT_TRUE(wavefront.isKnown);
  EXPECT_EQ(wavefront.step[0], 1u);
  EXPECT_EQ(wavefront.step[1], 1u);
  EXPECT_EQ(wavefront.step[2], 0u);
  EXPECT_EQ(stepsOf({-3, 0, 0, -2, 0, 0}).step[0], 2u);
  EXPECT_FALSE(stepsOf({-1, -1, 0}).isKnown);                     // min(x, y)
  EXPECT_FALSE(stepsOf({1, -1, 0}).isKnown);                      // goes to the right
  EXPECT_FALSE(stepsOf({-3, 0, 0, 0, -3, 0, -1, -1, 0}).isKnown); // shorter than both steps
  EXPECT_TRUE(stepsOf({-3, 0, 0, -3, -1, 0}).isKnown);
  EXPECT_TRUE(stepsOf({}).isKnown);
}

} // namespace
} // namespace cilk2gpu
