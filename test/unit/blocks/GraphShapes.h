// Graphs of thread blocks for tests: lists of edges in many shapes, and the arrays of a run-time graph.
#ifndef CILK2GPU_TEST_UNIT_BLOCKS_GRAPHSHAPES_H
#define CILK2GPU_TEST_UNIT_BLOCKS_GRAPHSHAPES_H

#include "blocks/BlockGraph.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace cilk2gpu {

struct TestGraph {
  uint64_t nodes;
  std::vector<std::pair<uint32_t, uint32_t>> edges; ///< parent, child
  std::vector<uint64_t> starts = {};
  std::vector<uint32_t> children = {};

  /// Makes the arrays of the edges.
  void close() {
    starts.assign(nodes + 1, 0);
    children.resize(edges.size());
    for (auto [parent, child] : edges)
      ++starts[parent + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<uint64_t> next(starts.begin(), starts.end() - 1);
    for (auto [parent, child] : edges)
      children[next[parent]++] = child;
  }

  wf::detail::Arrays arrays() const {
    return {starts.data(), children.data(), starts.size(), children.size(), 8, 4, false, false};
  }
};

/// A wavefront: each block waits for the ones on its left and above it.
inline TestGraph wavefront(uint32_t width, uint32_t height) {
  TestGraph graph = {.nodes = uint64_t(width) * height, .edges = {}};
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      if (x + 1 < width)
        graph.edges.push_back({y * width + x, y * width + x + 1});
      if (y + 1 < height)
        graph.edges.push_back({y * width + x, (y + 1) * width + x});
    }
  graph.close();
  return graph;
}

/// Waves of blocks, each of which waits for all blocks of the wave before it: a global barrier.
inline TestGraph barriers(uint32_t waves, uint32_t width) {
  TestGraph graph = {.nodes = uint64_t(waves) * width, .edges = {}};
  for (uint32_t wave = 0; wave + 1 < waves; ++wave)
    for (uint32_t a = 0; a < width; ++a)
      for (uint32_t b = 0; b < width; ++b)
        graph.edges.push_back({wave * width + a, (wave + 1) * width + b});
  graph.close();
  return graph;
}

/// One node that fans out to all others but the last, which waits for them all.
inline TestGraph fan(uint32_t nodes) {
  TestGraph graph = {.nodes = nodes, .edges = {}};
  for (uint32_t node = 1; node + 1 < nodes; ++node) {
    graph.edges.push_back({0, node});
    graph.edges.push_back({node, nodes - 1});
  }
  graph.close();
  return graph;
}

/// A chain whose IDs descend.
inline TestGraph descendingChain(uint32_t nodes) {
  TestGraph graph = {.nodes = nodes, .edges = {}};
  for (uint32_t node = 1; node < nodes; ++node)
    graph.edges.push_back({node, node - 1});
  graph.close();
  return graph;
}

/// Any acyclic graph: edges follow a random order of the nodes. Some are there twice, and some nodes have none.
inline TestGraph randomGraph(unsigned seed) {
  std::mt19937 random(seed);
  TestGraph graph = {.nodes = 1 + random() % 400, .edges = {}};
  std::vector<uint32_t> order(graph.nodes);
  std::iota(order.begin(), order.end(), 0);
  if (seed % 4)
    std::shuffle(order.begin(), order.end(), random);
  uint64_t edges = random() % (1 + graph.nodes * (seed % 5));
  for (uint64_t i = 0; i < edges && graph.nodes > 1; ++i) {
    uint32_t a = random() % graph.nodes, b = random() % graph.nodes;
    if (a == b)
      continue;
    std::pair<uint32_t, uint32_t> edge = {order[std::min(a, b)], order[std::max(a, b)]};
    graph.edges.insert(graph.edges.end(), 1 + (random() % 8 == 0), edge);
  }
  graph.close();
  return graph;
}

/// A grid whose blocks wait for blocks at constant distances: three numbers each.
inline TestGraph gridGraph(dim3 grid, const std::vector<int32_t> &offsets) {
  std::set<std::pair<uint32_t, uint32_t>> edges;
  for (int64_t z = 0; z < grid.z; ++z)
    for (int64_t y = 0; y < grid.y; ++y)
      for (int64_t x = 0; x < grid.x; ++x)
        for (size_t i = 0; i < offsets.size(); i += 3) {
          int64_t px = x + offsets[i], py = y + offsets[i + 1], pz = z + offsets[i + 2];
          if (px >= 0 && px < grid.x && py >= 0 && py < grid.y && pz >= 0 && pz < grid.z)
            edges.insert({uint32_t(px + grid.x * (py + grid.y * pz)), uint32_t(x + grid.x * (y + grid.y * z))});
        }
  TestGraph graph = {.nodes = uint64_t(grid.x) * grid.y * grid.z, .edges = {edges.begin(), edges.end()}};
  graph.close();
  return graph;
}

/// A small grid, and up to five offsets that lead to smaller IDs.
inline std::pair<dim3, std::vector<int32_t>> randomOffsets(std::mt19937 &random) {
  auto below = [&](int end) { return int32_t(random() % unsigned(end)); };
  std::vector<int32_t> offsets;
  for (int32_t count = below(5); count >= 0; --count) {
    int32_t x = below(7) - 3, y = below(5) - 2, z = below(3) - 1;
    bool isSmaller = z ? z < 0 : y ? y < 0 : x < 0;
    if (isSmaller)
      offsets.insert(offsets.end(), {x, y, z});
    else if (x || y || z)
      offsets.insert(offsets.end(), {-x, -y, -z});
  }
  return {dim3(unsigned(1 + below(8)), unsigned(1 + below(6)), unsigned(1 + below(4))), offsets};
}

/// Levels by the definition, in as many rounds as are needed.
inline std::vector<uint32_t> levelsOf(const TestGraph &graph) {
  std::vector<uint32_t> levels(graph.nodes, 0);
  for (bool changes = true; changes;) {
    changes = false;
    for (auto [parent, child] : graph.edges)
      if (levels[child] <= levels[parent]) {
        levels[child] = levels[parent] + 1;
        changes = true;
      }
  }
  return levels;
}

} // namespace cilk2gpu

#endif // CILK2GPU_TEST_UNIT_BLOCKS_GRAPHSHAPES_H
