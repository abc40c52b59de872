// A graph of blocks as the modelled scheduler reads it from global memory: a compressed sparse row (CSR) form in
// virtual IDs. The Wireframe paper (MICRO 2017) describes the form in section 3.2 and the renaming in section 3.2.2.
//
// Virtual IDs count the nodes level after level, and within a level in the order of the block IDs. The block IDs stay
// as they are: `blocks` leads from a virtual ID to its block.
//
// Thread-safety: a graph is constant once it is made.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSGRAPH_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSGRAPH_H

#include "blocks/BlockLevels.h"
#include "blocks/dats/DatsArray.h"

namespace cilk2gpu::rt {

struct DatsGraph {
  /// The block of a join node. A join node runs nothing.
  static constexpr uint64_t kNoBlock = ~uint64_t(0);

  DatsArray<uint64_t> starts;   ///< [nodes + 1]
  DatsArray<uint32_t> children; ///< virtual IDs
  DatsArray<uint32_t> parents;  ///< number of parents of each node
  DatsArray<uint32_t> levels;   ///< 1 + the largest level of a parent; 0 without parents
  DatsArray<uint64_t> blocks;   ///< the block of each node
  uint64_t numLevels = 0;

  uint64_t nodes() const { return parents.size(); }
  uint64_t edges() const { return children.size(); }
  uint64_t degree(uint64_t node) const { return starts[node + 1] - starts[node]; }
};

/// Returns the graph in virtual IDs. The graph has rows of children.
DatsGraph makeDatsGraph(BlockMemory &memory, const BlockGraph &graph, const BlockLevels &levels);

/// Puts a barrier between each level and the next one: an empty join node whose parents are all nodes of the level and
/// whose children are all nodes of the next level. The edges of the graph are left out, because the barriers imply
/// them. For levels of w and v nodes, a barrier has w + v edges. The barrier of section 2.2, without a join node, has w
/// * v.
DatsGraph withJoinNodes(const DatsGraph &graph);
/// Returns the number of nodes of withJoinNodes(graph).
uint64_t nodesWithJoinNodes(const DatsGraph &graph);

/// Puts the barrier of section 2.2 between each level and the next one: each node has all nodes of the next level as
/// children. There is no join node.
DatsGraph withBarriers(const DatsGraph &graph);

/// The number of edges of withBarriers(graph) and of withJoinNodes(graph), without making the graphs.
uint64_t barrierEdges(const DatsGraph &graph);
uint64_t joinEdges(const DatsGraph &graph);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSGRAPH_H
