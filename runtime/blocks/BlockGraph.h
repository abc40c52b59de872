// A graph of thread blocks: each node is a block, and an edge leads from a parent to a child that waits for it.
// Children are in compressed sparse rows (CSR):
//
//   starts    0   2   3 4 4     nodes + 1 offsets into `children`; the last one is the number of edges
//             |   |   | |
//   children  1 2 3   3         the children of node 0, of node 1, ...
//   parents   0 1 1 2           for each node, the number of its parents
//
// A graph whose blocks wait for blocks at constant distances has no rows (OffsetGraph.h), also if a mapping function
// has named the distances (FindOffsets.h). eachChild() knows both kinds.
//
// An edge that was given twice is there once. Node 0 is block (0, 0, 0); x is the fastest coordinate of a grid.
//
// Memory: 8 (nodes + 1) + 4 edges bytes for the rows, and 4 nodes for the counts. Arrays of the right types are
// borrowed. Building takes more: bytesToBuild is a bound of that.
//
// Thread-safety: none. A graph is built by one thread, which lets workers call the mapping function.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKGRAPH_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKGRAPH_H

#include "blocks/BlockMemory.h"

#include <cilk2gpu/Wireframe.h>

namespace cilk2gpu::rt {

/// Names of blocks in messages: (x, y, z) in a grid, and a number in a graph that is known at run time.
struct BlockNames {
  uint64_t x = 0, y = 0; ///< extents; 0: nodes have numbers

  struct Text {
    char text[64];
  };
  Text of(uint64_t node) const; ///< "block (1, 2, 0)" or "node 9"
};

/// The distance of a parent from each block of a grid.
struct GridOffset {
  int32_t x, y, z;
};

/// Parents at constant distances. `offsets` ascend by the distance of IDs.
struct GridOffsets {
  const GridOffset *offsets; ///< [count]
  uint32_t count;
  dim3 grid;

  bool isInside(int64_t x, int64_t y, int64_t z) const {
    return x >= 0 && x < grid.x && y >= 0 && y < grid.y && z >= 0 && z < grid.z;
  }
  /// Calls visit(child) if the block `offset` behind `block` is in the grid.
  template <class Visit> void visitBehind(const dim3 &block, const GridOffset &offset, Visit &visit) const {
    int64_t x = int64_t(block.x) - offset.x, y = int64_t(block.y) - offset.y, z = int64_t(block.z) - offset.z;
    if (isInside(x, y, z))
      visit(uint32_t(x + grid.x * (y + grid.y * z)));
  }
};

struct BlockGraph {
  uint64_t nodes = 0, edges = 0;
  const uint64_t *starts = nullptr;   ///< [nodes + 1]
  const uint32_t *children = nullptr; ///< [edges]
  uint32_t *parents = nullptr; ///< [nodes]; a run counts them down to 0; null: see countParents() and countRows()
  bool isAscending = true;     ///< each edge leads to a larger ID, so there is no cycle
  BlockNames names;
  const GridOffsets *offsets = nullptr; ///< not null: instead of starts and children, which are null
  uint64_t bytes = 0;                   ///< the most memory that the graph takes; borrowed arrays are not counted
  uint64_t bytesToBuild = 0;            ///< the most memory that it took while it was built
};

/// Calls visit(child) for each child of a block, IDs ascending.
template <class Visit> void eachChild(const BlockGraph &graph, uint64_t node, Visit visit) {
  if (const GridOffsets *offsets = graph.offsets) {
    dim3 block;
    wf::detail::setIndex(block, uint32_t(node), offsets->grid);
    for (uint32_t i = 0; i < offsets->count; ++i)
      offsets->visitBehind(block, offsets->offsets[i], visit);
    return;
  }
  for (uint64_t edge = graph.starts[node], end = graph.starts[node + 1]; edge < end; ++edge)
    visit(graph.children[edge]);
}

/// As above, IDs descending.
template <class Visit> void eachChildBackwards(const BlockGraph &graph, uint64_t node, Visit visit) {
  if (const GridOffsets *offsets = graph.offsets) {
    dim3 block;
    wf::detail::setIndex(block, uint32_t(node), offsets->grid);
    for (uint32_t i = offsets->count; i-- > 0;)
      offsets->visitBehind(block, offsets->offsets[i], visit);
    return;
  }
  for (uint64_t edge = graph.starts[node + 1]; edge-- > graph.starts[node];)
    visit(graph.children[edge]);
}

/// Most nodes of a graph: their IDs have 32 bits.
inline constexpr uint64_t kMostBlocks = UINT32_MAX;

/// Calls work(context, part) for each part from 0 to parts - 1, perhaps on several threads; returns when all are done.
using RunParts = void (*)(void *runner, void (*work)(void *context, uint64_t part), void *context, uint64_t parts);

/// Builds the graph of a grid with extents above 0, and takes the policy that the mapping function asks for. A
/// mistake in the mapping function ends the process with a message. If `takesOffsets`, the graph has offsets instead of
/// rows where all parents are at constant distances.
BlockGraph buildFromLinks(BlockMemory &memory, dim3 grid, dim3 block, const wf::detail::MappingFunction &links,
                          wf::detail::PolicyChoice &policy, RunParts runParts, void *runner, bool takesOffsets = false);

/// Ends the process with a message unless the policy is known, and has a bound where it takes one.
void checkPolicy(const wf::detail::PolicyChoice &choice);

/// Builds a graph from arrays. A mistake in them ends the process with a message. If `countsLater`, the parents are not
/// counted in a graph that ascends, and an edge that is given twice is there twice: see countRows().
BlockGraph buildFromArrays(BlockMemory &memory, uint64_t nodes, const wf::detail::Arrays &arrays,
                           bool countsLater = false);

/// Counts the parents of a graph with rows, and removes edges that are given twice.
void countRows(BlockMemory &memory, BlockGraph &graph);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKGRAPH_H
