// Launches of blocks that wait for blocks at constant distances. <cilk2gpu/Wireframe.h> has the other launches.
//
// Thread-safety: any thread may launch, as there.
#ifndef CILK2GPU_RUNTIME_API_OFFSETSLAUNCH_H
#define CILK2GPU_RUNTIME_API_OFFSETSLAUNCH_H

#include "cilk2gpu/abi/BlockRecords.h"

#include <cilk2gpu/Wireframe.h>

namespace cilk2gpu::rt {

struct OffsetsLaunch {
  dim3 grid, block;
  const int32_t *offsets; ///< [3 * numOffsets]: along x, y and z; each offset leads to a smaller ID
  uint32_t numOffsets;
  wf::detail::PolicyChoice policy;
  bool isOfFunction = false; ///< the offsets stand for a mapping function in C++
};

/// Runs all blocks of the grid; returns when all have ended.
void launchOffsets(const OffsetsLaunch &offsets, const wf::detail::BlockFunction &kernel);

/// Returns the distances that the compiler has found in a mapping function in C++; null: it has found none. `function`
/// is MappingFunction::address.
const abi::BlockLinksRecord *findLinkDistances(const void *function);

/// Returns whether the mapping function names exactly the parents at these distances, for a grid.
bool holdFor(const abi::BlockLinksRecord &links, const dim3 &grid);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_OFFSETSLAUNCH_H
