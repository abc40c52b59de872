// Finds out whether a mapping function has named parents at constant distances, as that of a wavefront does. Then the
// graph needs no rows of children (OffsetGraph.h).
//
// The parents of the block in the middle of the grid give the distances. All blocks are compared with them: each block
// has exactly those parents that are inside of the grid, in the same order. It takes some 1 ns for each parent, and
// saves the time to build rows. The function may have any form, and any compiler may have compiled it.
//
// Thread-safety: one thread calls, which lets workers compare.
#ifndef CILK2GPU_RUNTIME_BLOCKS_FINDOFFSETS_H
#define CILK2GPU_RUNTIME_BLOCKS_FINDOFFSETS_H

#include "blocks/BlockGraph.h"

namespace cilk2gpu::rt {

/// Parents of the blocks of one part of a grid, behind one another.
struct PartOfGrid {
  uint32_t *parents, *end;
  wf::detail::PolicyChoice policy;
};

/// Parents that a mapping function has named.
struct NamedParents {
  dim3 grid;
  uint64_t nodes, blocksOfPart;
  const uint32_t *counts; ///< [nodes]
  const PartOfGrid *parts;

  uint64_t numParts() const { return (nodes + blocksOfPart - 1) / blocksOfPart; }
  uint64_t begin(uint64_t part) const { return part * blocksOfPart; }
  uint64_t end(uint64_t part) const { return part + 1 == numParts() ? nodes : begin(part + 1); }
};

/// Distances of parents: three numbers each.
struct ConstantOffsets {
  static constexpr uint32_t kMost = 32;
  int32_t offsets[3 * kMost];
  uint32_t count;
};

/// Returns whether all distances are constant, and each one leads to a smaller ID.
bool findConstantOffsets(const NamedParents &named, ConstantOffsets &result, RunParts runParts, void *runner);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_FINDOFFSETS_H
