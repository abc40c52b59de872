// Launches of blocks that wait for blocks at constant distances. <cilk2gpu/Wireframe.h> has the other launches.
//
// Thread-safety: any thread may launch, as there.
#ifndef CILK2GPU_RUNTIME_API_OFFSETSLAUNCH_H
#define CILK2GPU_RUNTIME_API_OFFSETSLAUNCH_H

#include <cilk2gpu/Wireframe.h>

namespace cilk2gpu::rt {

struct OffsetsLaunch {
  dim3 grid, block;
  const int32_t *offsets; ///< [3 * numOffsets]: along x, y and z; each offset leads to a smaller ID
  uint32_t numOffsets;
  wf::detail::PolicyChoice policy;
};

/// Runs all blocks of the grid; returns when all have ended.
void launchOffsets(const OffsetsLaunch &offsets, const wf::detail::BlockFunction &kernel);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_API_OFFSETSLAUNCH_H
