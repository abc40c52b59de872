// See OffsetGraph.h. Offsets are sorted, so that the IDs of a block's children ascend, as those of other graphs do.
#include "blocks/OffsetGraph.h"

#include <algorithm>

namespace cilk2gpu::rt {

namespace {

/// Orders by the distance of IDs, the shortest one first: by z, then y, then x.
bool leadsLessFar(const GridOffset &a, const GridOffset &b) {
  return a.z != b.z ? a.z > b.z : a.y != b.y ? a.y > b.y : a.x > b.x;
}

bool areEqual(const GridOffset &a, const GridOffset &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Number of blocks along a dimension that have another one at a distance.
uint64_t blocksWithParent(uint64_t extent, int64_t distance) {
  uint64_t length = uint64_t(distance < 0 ? -distance : distance);
  return length < extent ? extent - length : 0;
}

} // namespace

BlockGraph buildFromOffsets(BlockMemory &memory, dim3 grid, const int32_t *offsets, uint32_t count) {
  auto *sorted = memory.array<GridOffset>(count, "offsets");
  for (uint32_t i = 0; i < count; ++i)
    sorted[i] = {.x = offsets[3 * i], .y = offsets[3 * i + 1], .z = offsets[3 * i + 2]};
  std::sort(sorted, sorted + count, leadsLessFar);
  uint32_t kept = uint32_t(std::unique(sorted, sorted + count, areEqual) - sorted);
  auto *shared = memory.array<GridOffsets>(1, "offsets");
  *shared = {.offsets = sorted, .count = kept, .grid = grid};
  BlockGraph graph = {.nodes = uint64_t(grid.x) * grid.y * grid.z, .names = {.x = grid.x, .y = grid.y}};
  graph.offsets = shared;
  graph.bytes = graph.bytesToBuild = BlockMemory::boundOf<GridOffset>(count) + BlockMemory::boundOf<GridOffsets>(1);
  for (uint32_t i = 0; i < kept; ++i)
    graph.edges += blocksWithParent(grid.x, sorted[i].x) * blocksWithParent(grid.y, sorted[i].y) *
                   blocksWithParent(grid.z, sorted[i].z);
  return graph;
}

/// Adds 1 to the counts of the blocks of a row that have a parent at `offset`.
static void countAlong(uint32_t *row, uint32_t extent, int64_t offset) {
  int64_t begin = std::max<int64_t>(0, -offset), end = std::min<int64_t>(extent, extent - offset);
  for (int64_t x = begin; x < end; ++x)
    ++row[x];
}

void countParents(BlockMemory &memory, BlockGraph &graph) {
  graph.bytes += BlockMemory::boundOf<uint32_t>(graph.nodes);
  graph.parents = memory.zeroed<uint32_t>(graph.nodes, "counts of parents");
  const GridOffsets &offsets = *graph.offsets;
  const dim3 &grid = offsets.grid;
  uint32_t *row = graph.parents;
  for (uint32_t z = 0; z < grid.z; ++z)
    for (uint32_t y = 0; y < grid.y; ++y, row += grid.x)
      for (uint32_t i = 0; i < offsets.count; ++i) {
        const auto [dx, dy, dz] = offsets.offsets[i];
        if (offsets.isInside(0, int64_t(y) + dy, int64_t(z) + dz))
          countAlong(row, grid.x, dx);
      }
}

BlockGraph withRows(BlockMemory &memory, const BlockGraph &graph) {
  BlockGraph result = graph;
  countParents(memory, result);
  auto *starts = memory.array<uint64_t>(graph.nodes + 1, "starts of children");
  auto *children = memory.array<uint32_t>(graph.edges, "children");
  uint64_t next = 0;
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    starts[node] = next;
    eachChild(graph, node, [&](uint32_t child) { children[next++] = child; });
  }
  starts[graph.nodes] = next;
  result.starts = starts;
  result.children = children;
  result.offsets = nullptr;
  result.bytes += BlockMemory::boundOf<uint64_t>(graph.nodes + 1) + BlockMemory::boundOf<uint32_t>(graph.edges);
  return result;
}

LevelSteps findLevelSteps(const GridOffsets &offsets) {
  LevelSteps steps = {.step = {0, 0, 0}, .isKnown = true};
  auto lengthOf = [](int32_t distance) { return uint32_t(-int64_t(distance)); };
  for (uint32_t i = 0; i < offsets.count; ++i) {
    const auto [x, y, z] = offsets.offsets[i];
    if (x > 0 || y > 0 || z > 0)
      return {.step = {0, 0, 0}, .isKnown = false};
    const int32_t distances[3] = {x, y, z};
    for (uint32_t d = 0; d < 3; ++d)
      if (distances[d] && !distances[(d + 1) % 3] && !distances[(d + 2) % 3])
        steps.step[d] = steps.step[d] ? std::min(steps.step[d], lengthOf(distances[d])) : lengthOf(distances[d]);
  }
  for (uint32_t i = 0; i < offsets.count; ++i) {
    const auto [x, y, z] = offsets.offsets[i];
    const int32_t distances[3] = {x, y, z};
    bool isLonger = false;
    for (uint32_t d = 0; d < 3; ++d)
      isLonger |= steps.step[d] && lengthOf(distances[d]) >= steps.step[d];
    steps.isKnown &= isLonger;
  }
  return steps;
}

} // namespace cilk2gpu::rt
