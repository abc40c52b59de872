// Tests that the waves of a grid have all blocks in the order of their levels, and of IDs within a level, whatever is
// taken at a time.
#include "blocks/GridWaves.h"
#include "GraphShapes.h"
#include "blocks/OffsetGraph.h"

#include <gtest/gtest.h>
#include <random>

namespace cilk2gpu {
namespace {

using Offsets = std::vector<int32_t>; ///< three numbers each

/// Compares waves of the blocks from `begin` on with the array of the order. Returns false if the graph has no waves.
bool checkWaves(dim3 grid, const Offsets &offsets, uint32_t most, uint64_t begin) {
  rt::BlockMemory memory;
  rt::BlockGraph graph = rt::buildFromOffsets(memory, grid, offsets.data(), uint32_t(offsets.size() / 3));
  std::optional<rt::GridWaves> waves = rt::GridWaves::of(graph, begin);
  if (!waves)
    return false;
  rt::BlockLevels levels = rt::findLevels(memory, graph);
  rt::BlockOrder order = rt::orderByLevel(memory, graph, levels, begin);
  std::vector<uint32_t> expected(order.nodes, order.nodes + graph.nodes - begin), found;
  while (found.size() < expected.size()) {
    rt::BlockLine line = waves->take(most);
    EXPECT_GE(line.count, 1u);
    EXPECT_LE(line.count, most);
    for (uint32_t i = 0; i < line.count; ++i) {
      found.push_back(line.xOf(i) + grid.x * (line.yOf(i) + grid.y * line.z));
      EXPECT_EQ(levels.of[found.back()], levels.of[found[found.size() - 1 - i]]);
    }
  }
  EXPECT_EQ(found, expected);
  return true;
}

bool checkWaves(dim3 grid, const Offsets &offsets, uint32_t most) {
  const uint64_t nodes = uint64_t(grid.x) * grid.y * grid.z;
  bool hasWaves = true;
  for (uint64_t begin : {uint64_t(0), nodes / 5, nodes / 2, nodes - 1})
    hasWaves &= checkWaves(grid, offsets, most, begin);
  return hasWaves;
}

TEST(GridWavesTest, Lines) {
  rt::BlockMemory memory;
  const int32_t offsets[] = {-1, 0, 0, 0, -1, 0};
  rt::BlockGraph graph = rt::buildFromOffsets(memory, dim3(3, 4), offsets, 2);
  rt::GridWaves waves = *rt::GridWaves::of(graph);
  for (uint32_t count : {1, 2, 3, 3, 2, 1}) {
    rt::BlockLine line = waves.take(64);
    EXPECT_EQ(line.count, count);
    EXPECT_EQ(line.xOf(1), line.x - 1);
    EXPECT_EQ(line.yOf(1), line.y + 1);
  }
}

// All sums of coordinates, except for those that count neither x nor y.
TEST(GridWavesTest, KnownShapes) {
  for (dim3 grid : {dim3(1, 1), dim3(7, 5), dim3(1, 9), dim3(9, 1), dim3(70, 70), dim3(3, 4, 5), dim3(5, 1, 3)})
    for (uint32_t most : {1u, 2u, 3u, 64u}) {
      EXPECT_TRUE(checkWaves(grid, {-1, 0, 0}, most));
      EXPECT_TRUE(checkWaves(grid, {0, -1, 0}, most));
      EXPECT_TRUE(checkWaves(grid, {-1, 0, 0, 0, -1, 0, -1, -1, 0, -2, 0, 0}, most));
      EXPECT_TRUE(checkWaves(grid, {-1, 0, 0, 0, 0, -1}, most));
      EXPECT_TRUE(checkWaves(grid, {0, -1, 0, 0, 0, -1}, most));
      EXPECT_TRUE(checkWaves(grid, {-1, 0, 0, 0, -1, 0, 0, 0, -1}, most));
      EXPECT_FALSE(checkWaves(grid, {0, 0, -1}, most));
      EXPECT_FALSE(checkWaves(grid, {-2, 0, 0, 0, -1, 0}, most));
      EXPECT_FALSE(checkWaves(grid, {1, -1, 0, -1, 0, 0}, most));
      EXPECT_FALSE(checkWaves(grid, {}, most));
    }
}

TEST(GridWavesTest, RandomOffsets) {
  unsigned number = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto [grid, offsets] = randomOffsets(random);
    number += checkWaves(grid, offsets, 1 + seed % 9);
  }
  EXPECT_GT(number, 20u);
}

} // namespace
} // namespace cilk2gpu
