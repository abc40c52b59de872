// Tests graphs whose blocks wait for blocks at constant distances: their children, counts and levels are those of the
// same graph with rows, and their levels have a closed form where findLevelSteps() says so.
#include "blocks/OffsetGraph.h"
#include "GraphShapes.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace cilk2gpu {
namespace {

using Offsets = std::vector<int32_t>; ///< three numbers each

/// The graph by its definition.
TestGraph byDefinition(dim3 grid, const Offsets &offsets) {
  uint64_t nodes = uint64_t(grid.x) * grid.y * grid.z;
  std::set<std::pair<uint32_t, uint32_t>> edges;
  for (int64_t z = 0; z < grid.z; ++z)
    for (int64_t y = 0; y < grid.y; ++y)
      for (int64_t x = 0; x < grid.x; ++x)
        for (size_t i = 0; i < offsets.size(); i += 3) {
          int64_t px = x + offsets[i], py = y + offsets[i + 1], pz = z + offsets[i + 2];
          if (px >= 0 && px < grid.x && py >= 0 && py < grid.y && pz >= 0 && pz < grid.z)
            edges.insert({uint32_t(px + grid.x * (py + grid.y * pz)), uint32_t(x + grid.x * (y + grid.y * z))});
        }
  TestGraph graph = {.nodes = nodes, .edges = {edges.begin(), edges.end()}};
  graph.close();
  return graph;
}

void checkAgainstRows(dim3 grid, const Offsets &offsets) {
  TestGraph expected = byDefinition(grid, offsets);
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
  ASSERT_EQ(std::vector<uint32_t>(graph.parents, graph.parents + graph.nodes), parents);
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
    auto below = [&](int end) { return int32_t(random() % unsigned(end)); };
    Offsets offsets;
    for (int32_t count = below(5); count >= 0; --count) {
      int32_t x = below(7) - 3, y = below(5) - 2, z = below(3) - 1;
      bool isSmaller = z ? z < 0 : y ? y < 0 : x < 0;
      if (isSmaller)
        offsets.insert(offsets.end(), {x, y, z});
      else if (x || y || z)
        offsets.insert(offsets.end(), {-x, -y, -z});
    }
    checkAgainstRows(dim3(unsigned(1 + below(8)), unsigned(1 + below(6)), unsigned(1 + below(4))), offsets);
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
