// Where all edges lead to larger IDs, one walk along the IDs finds the levels. Else the walk follows Kahn: it takes a
// block when all of its parents have been taken. A block that is never taken is in a cycle, or waits for one.
#include "blocks/BlockLevels.h"
#include "blocks/OffsetGraph.h"
#include "process/Message.h"

#include <algorithm>
#include <stdio.h>

namespace cilk2gpu::rt {

/// Raises the levels of a block's children above its own.
static void raiseChildren(const BlockGraph &graph, uint32_t *levels, uint64_t node) {
  uint32_t above = levels[node] + 1;
  eachChild(graph, node, [&](uint32_t child) { levels[child] = std::max(levels[child], above); });
}

/// For each node that is left, one of its parents that are left. Others have arbitrary values.
static uint32_t *parentsThatAreLeft(BlockMemory &memory, const BlockGraph &graph, const uint32_t *left) {
  auto *parentOf = memory.array<uint32_t>(graph.nodes, "the search for a cycle");
  for (uint64_t node = 0; node < graph.nodes; ++node)
    for (uint64_t edge = graph.starts[node]; left[node] && edge < graph.starts[node + 1]; ++edge)
      parentOf[graph.children[edge]] = uint32_t(node);
  return parentOf;
}

/// Ends the process with a message that names the blocks of a cycle. `left` are the counts of parents that could not be
/// taken: each node with such a parent leads back to a cycle.
[[noreturn]] static void failOfCycle(BlockMemory &memory, const BlockGraph &graph, const uint32_t *left) {
  uint32_t *parentOf = parentsThatAreLeft(memory, graph, left);
  uint64_t node = 0, length = 0, most = 8;
  while (!left[node])
    ++node;
  for (uint64_t steps = 0; steps < graph.nodes; ++steps) // from there on, the walk is in the cycle
    node = parentOf[node];
  uint64_t last = node;
  do {
    node = parentOf[node];
    ++length;
  } while (node != last);
  // The walk goes from child to parent: "waits for".
  char text[1024];
  int used = snprintf(text, sizeof text, "%s", graph.names.of(node).text);
  for (uint64_t i = 0; i < length && i < most; ++i) {
    node = parentOf[node];
    used += snprintf(text + used, sizeof text - size_t(used), " waits for %s", graph.names.of(node).text);
  }
  fatal("dependencies of blocks have no cycle, but %llu of this launch wait for each other: %s%s; remove one of these "
        "dependencies",
        static_cast<unsigned long long>(length), text, length > most ? " and so on" : "");
}

/// Walks as Kahn does. Children get their levels from their last parent at the latest.
static void walk(BlockMemory &memory, const BlockGraph &graph, uint32_t *levels) {
  auto *left = memory.array<uint32_t>(graph.nodes, "the search for a cycle");
  auto *queue = memory.array<uint32_t>(graph.nodes, "the search for a cycle");
  __builtin_memcpy(left, graph.parents, graph.nodes * sizeof *left);
  uint64_t taken = 0, end = 0;
  for (uint64_t node = 0; node < graph.nodes; ++node)
    if (!left[node])
      queue[end++] = uint32_t(node);
  for (; taken < end; ++taken) {
    uint64_t node = queue[taken];
    raiseChildren(graph, levels, node);
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
      if (--left[graph.children[edge]] == 0)
        queue[end++] = graph.children[edge];
  }
  if (end != graph.nodes)
    failOfCycle(memory, graph, left);
  memory.release(queue);
  memory.release(left);
}

/// Fills in the levels of a row of blocks. Levels rise by 1 after `step` blocks; 0: they do not rise.
static void fillRow(uint32_t *levels, uint32_t extent, uint32_t first, uint32_t step) {
  for (uint32_t x = 0; step == 1 && x < extent; ++x) // without a division, which takes longer than an empty block
    levels[x] = first + x;
  for (uint32_t x = 0; step != 1 && x < extent; ++x)
    levels[x] = first + (step ? x / step : 0);
}

/// Fills in levels that follow from the coordinates alone. Returns the number of levels; 0: these levels do not.
static uint64_t fillByGrid(const GridOffsets &offsets, uint32_t *levels) {
  const LevelSteps steps = findLevelSteps(offsets);
  const dim3 &grid = offsets.grid;
  auto along = [&](uint32_t dimension, uint32_t coordinate) {
    return steps.step[dimension] ? coordinate / steps.step[dimension] : 0;
  };
  for (uint32_t z = 0; steps.isKnown && z < grid.z; ++z)
    for (uint32_t y = 0; y < grid.y; ++y, levels += grid.x)
      fillRow(levels, grid.x, along(2, z) + along(1, y), steps.step[0]);
  return steps.isKnown ? uint64_t(along(0, grid.x - 1)) + along(1, grid.y - 1) + along(2, grid.z - 1) + 1 : 0;
}

BlockLevels findLevels(BlockMemory &memory, const BlockGraph &graph) {
  BlockLevels result;
  result.of = memory.zeroed<uint32_t>(graph.nodes, "levels");
  result.count = graph.offsets ? fillByGrid(*graph.offsets, result.of) : 0;
  if (result.count)
    return result;
  if (graph.isAscending)
    for (uint64_t node = 0; node < graph.nodes; ++node)
      raiseChildren(graph, result.of, node);
  else
    walk(memory, graph, result.of);
  for (uint64_t node = 0; node < graph.nodes; ++node)
    result.count = std::max(result.count, uint64_t(result.of[node]) + 1);
  return result;
}

LevelBytes boundOfLevels(const BlockGraph &graph) {
  uint64_t array = BlockMemory::boundOf<uint32_t>(graph.nodes);
  return {.toFind = graph.isAscending ? array : 3 * array, .kept = array};
}

uint64_t boundOfOrder(uint64_t nodes, uint64_t levels) {
  return BlockMemory::boundOf<uint64_t>(levels + 2) + BlockMemory::boundOf<uint32_t>(nodes);
}

BlockOrder orderByLevel(BlockMemory &memory, const BlockGraph &graph, const BlockLevels &levels, uint64_t begin) {
  BlockOrder order;
  order.firstOfLevel = memory.zeroed<uint64_t>(levels.count + 2, "sizes of levels");
  order.nodes = memory.array<uint32_t>(graph.nodes - begin, "virtual IDs");
  // [l + 2] counts level l, [l + 1] becomes its begin, and then its end: the begin of the next level.
  for (uint64_t node = begin; node < graph.nodes; ++node)
    ++order.firstOfLevel[levels.of[node] + 2];
  for (uint64_t level = 0; level < levels.count; ++level)
    order.firstOfLevel[level + 2] += order.firstOfLevel[level + 1];
  for (uint64_t node = begin; node < graph.nodes; ++node)
    order.nodes[order.firstOfLevel[levels.of[node] + 1]++] = uint32_t(node);
  return order;
}

uint64_t boundOfRenamed(const BlockGraph &graph) {
  return BlockMemory::boundOf<uint64_t>(graph.nodes + 1) + BlockMemory::boundOf<uint32_t>(graph.edges) +
         2 * BlockMemory::boundOf<uint32_t>(graph.nodes); // virtual IDs, and counts of parents
}

BlockGraph renamed(BlockMemory &memory, const BlockGraph &graph, const BlockOrder &order) {
  BlockGraph result = {.nodes = graph.nodes, .edges = graph.edges, .names = graph.names};
  auto *starts = memory.array<uint64_t>(graph.nodes + 1, "starts of children");
  auto *children = memory.array<uint32_t>(graph.edges, "children");
  auto *virtualOf = memory.array<uint32_t>(graph.nodes, "virtual IDs");
  result.parents = memory.array<uint32_t>(graph.nodes, "counts of parents");
  for (uint64_t id = 0; id < graph.nodes; ++id)
    virtualOf[order.nodes[id]] = uint32_t(id);
  starts[0] = 0;
  for (uint64_t id = 0; id < graph.nodes; ++id) {
    uint64_t node = order.nodes[id], next = starts[id];
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge)
      children[next++] = virtualOf[graph.children[edge]];
    std::sort(children + starts[id], children + next);
    starts[id + 1] = next;
    result.parents[id] = graph.parents[node];
  }
  memory.release(virtualOf);
  result.starts = starts;
  result.children = children;
  return result;
}

} // namespace cilk2gpu::rt
