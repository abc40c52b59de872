// Runs the blocks of a launch on this CPU. A block becomes ready when the last of its parents has ended: that parent's
// worker counts it down to 0. The worker goes on with one of the blocks that it has made ready, and shares the others
// at once through a queue:
//
//   worker 0   a | c | e ...         c and d wait for a
//   queue        d                   each slot is written once; the oldest block leaves first
//   worker 1       | d | f ...
//
// Sharing a block costs some 20 ns. So one worker begins, and learns how long blocks take (BlockPace.h). Others join if
// that pays. While one worker runs alone, there are three orders:
//
// - Where no parent has a larger ID, blocks run in the order of their IDs. No parent is counted.
// - With LVL, blocks run in the order of their IDs as well: one block at a time keeps any bound. Where IDs are no such
//   order, or vectors of blocks pay, blocks run level by level. No parent is counted.
// - For other graphs and for statistics, blocks run in the order of their levels, out of a queue.
//
// A graph of constant offsets is shared in pieces if its blocks are small (BlockPieces.h).
//
// The bounded policy (LVL) has one lock instead (BoundedBlocks.h).
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
#include "blocks/DatsCounters.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// Counters of a run.
struct BlockCounters {
  uint64_t blocks = 0;     ///< that ran
  uint64_t mostReady = 0;  ///< blocks that were ready and did not run, at a time
  uint64_t levelRange = 0; ///< most levels between blocks that ran at a time
};

/// When other workers join the one that has begun, and how much they take at a time. Tests set these.
struct BlockSharing {
  uint64_t above = tunables::kSharedBlock; ///< they join if a block takes more nanoseconds; 0: at once
  uint32_t piece = 0;   ///< blocks that run as a piece, in a graph of constant offsets; 0: it depends on their time
  uint32_t taken = 0;   ///< blocks that a worker takes at a time, with LVL; 0: likewise
  bool inLanes = false; ///< vectors of blocks are not compared with single blocks, but run wherever they can
};

/// A launch that a machine runs.
struct BlockRun {
  const BlockLaunch &launch;
  BlockMemory &memory;
  BlockLevels levels; ///< `of` is null unless they were asked for, or the machine needs them
  uint32_t workers;   ///< threads that may run blocks
  bool isCounting;    ///< mostReady and levelRange are wanted
  BlockCounters counters;
  DatsCounters dats = {}; ///< of the modelled machine
  BlockSharing sharing = {};
};

/// Returns the most memory that runBlocks() takes beside the graph and its levels.
uint64_t boundOfBlocks(const BlockRun &run);

/// Runs all blocks on run.workers threads. Finds levels where the policy is LVL, if there are none.
void runBlocks(BlockRun &run);

/// Returns the most memory that runElidedBlocks() takes beside the graph and its levels.
uint64_t boundOfElidedBlocks(const BlockRun &run);

/// Returns the most memory that a launch takes. `ofMachine` is the bound of its machine.
uint64_t boundOfLaunch(const BlockRun &run, uint64_t ofMachine);

/// Runs all blocks on the calling thread, in the order of levels, and of IDs within a level. Needs levels.
void runElidedBlocks(BlockRun &run);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKRUNNER_H
