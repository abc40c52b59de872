// Levels of a graph of thread blocks, and the renaming that orders blocks by level (section 3.2.2 of the Wireframe
// paper). For the wavefront of 3 x 3 blocks, in which each block waits for the ones on its left and above it:
//
//   IDs       levels    virtual IDs
//   0 1 2     0 1 2     0 1 3
//   3 4 5     1 2 3     2 4 6
//   6 7 8     2 3 4     5 7 8
//
// A block's level is 0 if it has no parents, else one more than the largest level of a parent. Virtual IDs ascend with
// the level, and with the ID within a level. A walk along them finds each block after its parents.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKLEVELS_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKLEVELS_H

#include "blocks/BlockGraph.h"

namespace cilk2gpu::rt {

struct BlockLevels {
  uint64_t count = 0;     ///< levels
  uint32_t *of = nullptr; ///< [nodes]
};

/// Returns the levels. If the graph has a cycle, the process ends with a message that names the blocks of one. Leaves
/// graph.parents as it was.
BlockLevels findLevels(BlockMemory &memory, const BlockGraph &graph);

/// Memory of findLevels(): the most that it takes, and the part that its result keeps.
struct LevelBytes {
  uint64_t toFind, kept;
};
LevelBytes boundOfLevels(const BlockGraph &graph);

struct BlockOrder {
  uint64_t *firstOfLevel = nullptr; ///< [levels + 1]: virtual IDs
  uint32_t *nodes = nullptr;        ///< [nodes]: the block of a virtual ID
};

/// Orders blocks by level, and by ID within a level. Blocks whose IDs are less than `begin` are left out.
BlockOrder orderByLevel(BlockMemory &memory, const BlockGraph &graph, const BlockLevels &levels, uint64_t begin = 0);

/// Returns the most memory that an order takes.
uint64_t boundOfOrder(uint64_t nodes, uint64_t levels);

/// Returns the graph whose IDs are the virtual IDs: graph.children[] ascend for each node. `parents` are counts of the
/// new nodes.
BlockGraph renamed(BlockMemory &memory, const BlockGraph &graph, const BlockOrder &order);

/// Returns the most memory that renamed() takes.
uint64_t boundOfRenamed(const BlockGraph &graph);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKLEVELS_H
