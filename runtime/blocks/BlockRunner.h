// Runs the blocks of a launch on this CPU. A block becomes ready when the last of its parents has ended: that parent's
// worker counts it down to 0. The worker goes on with one of the blocks that it has made ready, and shares the others
// at once through a queue:
//
//   worker 0   a | c | e ...         c and d wait for a
//   queue        d                   each slot is written once; the oldest block leaves first
//   worker 1       | d | f ...
//
// With one worker, the queue alone decides. Then blocks run in the order of their levels.
//
// The bounded policy (LVL) has one lock instead: a worker takes the ready block with the smallest level, and only if
// that level is within the bound of all that run.
//
// Ordering: what a block wrote happens before its children run. The count of a child is decremented with release and
// acquire, so its last parent has seen what its other parents did. A slot of the queue is written with release, and
// read with acquire.
//
// Thread-safety: one launch at a time; the runner calls its workers itself.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKRUNNER_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKRUNNER_H

#include "blocks/BlockLaunch.h"
#include "blocks/BlockLevels.h"

namespace cilk2gpu::rt {

/// Counters of a run.
struct BlockCounters {
  uint64_t blocks = 0;     ///< that ran
  uint64_t mostReady = 0;  ///< blocks that were ready and did not run, at a time
  uint64_t levelRange = 0; ///< most levels between blocks that ran at a time
};

/// A launch that a machine runs.
struct BlockRun {
  const BlockLaunch &launch;
  BlockMemory &memory;
  BlockLevels levels; ///< `of` is null unless they were asked for, or the machine needs them
  uint32_t workers;   ///< threads that may run blocks
  bool isCounting;    ///< mostReady and levelRange are wanted
  BlockCounters counters;
};

/// Runs all blocks on run.workers threads. Needs levels where the policy is LVL.
void runBlocks(BlockRun &run);

/// Runs all blocks on the calling thread, in the order of levels, and of IDs within a level. Needs levels.
void runElidedBlocks(BlockRun &run);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKRUNNER_H
