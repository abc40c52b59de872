#include "blocks/dats/DatsGraph.h"

namespace cilk2gpu::rt {

namespace {

/// The first node of each level. There is one more entry, which is the number of nodes.
DatsArray<uint64_t> levelStarts(const DatsGraph &graph) {
  DatsArray<uint64_t> first(graph.numLevels + 1);
  for (uint32_t level : graph.levels)
    ++first[level + 1];
  for (uint64_t level = 0; level < graph.numLevels; ++level)
    first[level + 1] += first[level];
  return first;
}

/// Finds the level of each node, with Kahn's algorithm.
class LevelFinder {
public:
  explicit LevelFinder(const CsrView &graph)
      : levels(graph.nodes), parents(graph.nodes), graph(graph), missing(graph.nodes), queue(graph.nodes) {}

  /// Returns false if the graph has a cycle.
  bool run() {
    for (uint64_t edge = 0; edge < graph.starts[graph.nodes]; ++edge)
      ++parents[graph.children[edge]];
    uint64_t tail = 0;
    for (uint64_t node = 0; node < graph.nodes; ++node)
      if ((missing[node] = parents[node]) == 0)
        queue[tail++] = node;
    for (uint64_t head = 0; head < tail; ++head)
      tail = release(queue[head], tail);
    return tail == graph.nodes;
  }

  DatsArray<uint32_t> levels, parents;
  uint64_t numLevels = 0;

private:
  /// Counts `node` as a parent that is done. Returns the new end of the queue.
  uint64_t release(uint64_t node, uint64_t tail) {
    uint32_t below = levels[node] + 1;
    if (below > numLevels)
      numLevels = below;
    for (uint64_t edge = graph.starts[node]; edge < graph.starts[node + 1]; ++edge) {
      uint32_t child = graph.children[edge];
      if (levels[child] < below)
        levels[child] = below;
      if (--missing[child] == 0)
        queue[tail++] = child;
    }
    return tail;
  }

  const CsrView &graph;
  DatsArray<uint32_t> missing;
  DatsArray<uint64_t> queue;
};

/// Builds a graph node by node, in the order of the virtual IDs.
class GraphBuilder {
public:
  GraphBuilder(uint64_t nodes, uint64_t edges) {
    graph.starts.reset(nodes + 1);
    graph.children.reset(edges);
    graph.parents.reset(nodes);
    graph.levels.reset(nodes);
    graph.blocks.reset(nodes);
  }

  void addNode(uint64_t block, uint32_t level) {
    graph.blocks[node] = block;
    graph.levels[node] = level;
    if (level >= graph.numLevels)
      graph.numLevels = level + 1;
    graph.starts[++node] = edge;
  }

  /// Adds an edge from the node that was added last.
  void addEdge(uint64_t child) {
    graph.children[edge++] = uint32_t(child);
    ++graph.parents[child];
    graph.starts[node] = edge;
  }

  void addEdges(uint64_t firstChild, uint64_t endChild) {
    for (uint64_t child = firstChild; child < endChild; ++child)
      addEdge(child);
  }

  DatsGraph graph;

private:
  uint64_t node = 0, edge = 0;
};

} // namespace

DatsGraph renamed(const CsrView &graph) {
  LevelFinder finder(graph);
  if (!finder.run())
    return {};
  // Sorts the nodes by level. The sort keeps the order of the block IDs.
  DatsArray<uint64_t> next(finder.numLevels + 1), blocks(graph.nodes);
  DatsArray<uint32_t> ids(graph.nodes);
  for (uint32_t level : finder.levels)
    ++next[level + 1];
  for (uint64_t level = 0; level < finder.numLevels; ++level)
    next[level + 1] += next[level];
  for (uint64_t block = 0; block < graph.nodes; ++block) {
    uint64_t id = next[finder.levels[block]]++;
    ids[block] = uint32_t(id);
    blocks[id] = block;
  }
  GraphBuilder builder(graph.nodes, graph.starts[graph.nodes]);
  for (uint64_t block : blocks) {
    builder.addNode(block, finder.levels[block]);
    for (uint64_t edge = graph.starts[block]; edge < graph.starts[block + 1]; ++edge)
      builder.addEdge(ids[graph.children[edge]]);
  }
  return static_cast<DatsGraph &&>(builder.graph);
}

uint64_t joinEdges(const DatsGraph &graph) {
  DatsArray<uint64_t> first = levelStarts(graph);
  uint64_t edges = 0;
  for (uint64_t level = 0; level + 1 < graph.numLevels; ++level)
    edges += first[level + 2] - first[level];
  return edges;
}

uint64_t barrierEdges(const DatsGraph &graph) {
  DatsArray<uint64_t> first = levelStarts(graph);
  uint64_t edges = 0;
  for (uint64_t level = 0; level + 1 < graph.numLevels; ++level)
    edges += (first[level + 1] - first[level]) * (first[level + 2] - first[level + 1]);
  return edges;
}

DatsGraph withJoinNodes(const DatsGraph &graph) {
  if (graph.numLevels < 2)
    return withBarriers(graph);
  DatsArray<uint64_t> first = levelStarts(graph);
  GraphBuilder builder(graph.nodes() + graph.numLevels - 1, joinEdges(graph));
  for (uint64_t level = 0; level < graph.numLevels; ++level) {
    bool isLast = level + 1 == graph.numLevels;
    uint64_t join = first[level + 1] + level; // each level before this one has a join node
    for (uint64_t node = first[level]; node < first[level + 1]; ++node) {
      builder.addNode(graph.blocks[node], uint32_t(2 * level));
      if (!isLast)
        builder.addEdge(join);
    }
    if (isLast)
      break;
    builder.addNode(DatsGraph::kNoBlock, uint32_t(2 * level + 1));
    builder.addEdges(join + 1, join + 1 + first[level + 2] - first[level + 1]);
  }
  return static_cast<DatsGraph &&>(builder.graph);
}

DatsGraph withBarriers(const DatsGraph &graph) {
  DatsArray<uint64_t> first = levelStarts(graph);
  GraphBuilder builder(graph.nodes(), barrierEdges(graph));
  for (uint64_t node = 0; node < graph.nodes(); ++node) {
    uint64_t level = graph.levels[node];
    builder.addNode(graph.blocks[node], uint32_t(level));
    if (level + 1 < graph.numLevels)
      builder.addEdges(first[level + 1], first[level + 2]);
  }
  return static_cast<DatsGraph &&>(builder.graph);
}

} // namespace cilk2gpu::rt
