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

DatsGraph makeDatsGraph(BlockMemory &memory, const BlockGraph &graph, const BlockLevels &levels) {
  BlockOrder order = orderByLevel(memory, graph, levels);
  BlockGraph ordered = renamed(memory, graph, order);
  GraphBuilder builder(graph.nodes, graph.edges);
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    uint64_t block = order.nodes[node];
    builder.addNode(block, levels.of[block]);
    for (uint64_t edge = ordered.starts[node]; edge < ordered.starts[node + 1]; ++edge)
      builder.addEdge(ordered.children[edge]);
  }
  for (const void *array : {static_cast<const void *>(ordered.starts), static_cast<const void *>(ordered.children),
                            static_cast<const void *>(ordered.parents), static_cast<const void *>(order.nodes),
                            static_cast<const void *>(order.firstOfLevel)})
    memory.release(array);
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

uint64_t nodesWithJoinNodes(const DatsGraph &graph) {
  return graph.nodes() + (graph.numLevels ? graph.numLevels - 1 : 0);
}

DatsGraph withJoinNodes(const DatsGraph &graph) {
  if (graph.numLevels < 2)
    return withBarriers(graph);
  DatsArray<uint64_t> first = levelStarts(graph);
  GraphBuilder builder(nodesWithJoinNodes(graph), joinEdges(graph));
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
