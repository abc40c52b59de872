// Runs a launch of thread blocks as workgroups of a GPU (device/BlockJob.h).
//
// Thread-safety: one launch at a time.
#ifndef CILK2GPU_RUNTIME_BLOCKS_GPU_GPUBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_GPU_GPUBLOCKS_H

#include "blocks/BlockRunner.h"

namespace cilk2gpu::device {
class Gpu;
}

namespace cilk2gpu::rt {

/// Runs all blocks on threads of the host, each one a workgroup whose threads are fibers (HostGroup.h).
void runBlocksOnGpuHost(BlockRun &run);

/// Returns the most memory of the host that a run on a GPU, or on gpu-host, takes beside the graph.
uint64_t boundOfBlocksOnGpu(const BlockRun &run);

/// Runs all blocks on a GPU, which was opened. Ends the process if the program has no code for it.
void runBlocksOnGpu(BlockRun &run, device::Gpu &gpu);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_GPU_GPUBLOCKS_H
