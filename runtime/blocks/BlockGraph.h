// A graph of thread blocks: each node is a block, and an edge leads from a parent to a child that waits for it.
// Children are in compressed sparse rows (CSR):
//
//   starts    0   2   3 4 4     nodes + 1 offsets into `children`; the last one is the number of edges
//             |   |   | |
//   children  1 2 3   3         the children of node 0, of node 1, ...
//   parents   0 1 1 2           for each node, the number of its parents
//
// An edge that was given twice is there once. Node 0 is block (0, 0, 0); x is the fastest coordinate of a grid.
//
// Memory: 8 (nodes + 1) + 4 edges bytes for the rows, and 4 nodes for the counts. While a mapping function's graph is
// built, its edges are there twice. Arrays of the right types are borrowed.
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

struct BlockGraph {
  uint64_t nodes = 0, edges = 0;
  const uint64_t *starts = nullptr;   ///< [nodes + 1]
  const uint32_t *children = nullptr; ///< [edges]
  uint32_t *parents = nullptr;        ///< [nodes]; a run counts them down to 0
  bool isAscending = true;            ///< each edge leads to a larger ID, so there is no cycle
  BlockNames names;
};

/// Most nodes of a graph: their IDs have 32 bits.
inline constexpr uint64_t kMostBlocks = UINT32_MAX;

/// Calls work(context, part) for each part from 0 to parts - 1, perhaps on several threads; returns when all are done.
using RunParts = void (*)(void *runner, void (*work)(void *context, uint64_t part), void *context, uint64_t parts);

/// Builds the graph of a grid with extents above 0, and takes the policy that the mapping function asks for. A
/// mistake in the mapping function ends the process with a message.
BlockGraph buildFromLinks(BlockMemory &memory, dim3 grid, dim3 block, const wf::detail::MappingFunction &links,
                          wf::detail::PolicyChoice &policy, RunParts runParts, void *runner);

/// Ends the process with a message unless the policy is known, and has a bound where it takes one.
void checkPolicy(const wf::detail::PolicyChoice &choice);

/// Builds a graph from arrays. A mistake in them ends the process with a message.
BlockGraph buildFromArrays(BlockMemory &memory, uint64_t nodes, const wf::detail::Arrays &arrays);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKGRAPH_H
