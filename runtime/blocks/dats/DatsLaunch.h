// The row CILK2GPU_DEVICE=model of the machines for thread blocks: a launch on the modelled machine.
//
// The launch's policy decides the version: LRR or LVL. If statistics are wanted, all five versions are timed, too.
//
// Thread-safety: one launch at a time.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_DATSLAUNCH_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_DATSLAUNCH_H

#include "blocks/BlockRunner.h"

namespace cilk2gpu::rt {

/// Runs all blocks, on the calling thread. Needs levels, and a graph with rows of children. A graph that is too large
/// for the machine, or that blocks a machine without spills, ends the process with a message.
void runModelledBlocks(BlockRun &run);

/// Returns the most memory that runModelledBlocks() takes beside the graph and its levels. The arrays of the modelled
/// machine itself are not counted.
uint64_t boundOfModelledBlocks(const BlockRun &run);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_DATSLAUNCH_H
