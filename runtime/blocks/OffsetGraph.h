// Graphs whose blocks wait for blocks at constant distances. With the offsets (-1, 0) and (0, -1), each block waits for
// the ones on its left and above it:
//
//   0 1 2     the children of block 4 are blocks 5 and 7: one step back along each offset, inside of the grid
//   3 4 5
//   6 7 8
//
// Nothing is stored for an edge, and nothing for a block: `parents` is null until a machine asks for counts.
//
// Thread-safety: constant.
#ifndef CILK2GPU_RUNTIME_BLOCKS_OFFSETGRAPH_H
#define CILK2GPU_RUNTIME_BLOCKS_OFFSETGRAPH_H

#include "blocks/BlockLevels.h"

namespace cilk2gpu::rt {

/// Builds the graph of a grid with extents from 1 to 2^31 - 1. `offsets` has three numbers for each of `count` offsets:
/// distances along x, y and z. Each offset leads to a smaller ID. An offset that is there twice counts once.
BlockGraph buildFromOffsets(BlockMemory &memory, dim3 grid, const int32_t *offsets, uint32_t count);

/// Counts the parents of each block, for machines that count them down: 4 nodes bytes.
void countParents(BlockMemory &memory, BlockGraph &graph);

/// Returns the graph with rows of children and counts of parents, for machines that need rows.
BlockGraph withRows(BlockMemory &memory, const BlockGraph &graph);

/// The steps by which levels grow: the level of block (x, y, z) is x / step[0] + y / step[1] + z / step[2], where a
/// step of 0 adds nothing.
struct LevelSteps {
  uint32_t step[3];
  bool isKnown; ///< false: the levels have no such form
};

/// Returns the steps of a graph with offsets.
///
/// No offset may be positive along any dimension. Then the largest number of offsets that lead from a block to the edge
/// of the grid is its level. Offsets along one dimension are the steps, the shortest one for each. Another offset must
/// be at least as long as the step along some dimension. Then the step in its place leads as many levels, and less far.
LevelSteps findLevelSteps(const GridOffsets &offsets);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_OFFSETGRAPH_H
