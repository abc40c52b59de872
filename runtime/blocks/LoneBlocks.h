// The first part of a run: one worker runs blocks, without atomic operations, and learns how long they take. It stops
// if it pays that other workers join, or when all blocks have ended.
//
// Thread-safety: one thread.
#ifndef CILK2GPU_RUNTIME_BLOCKS_LONEBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_LONEBLOCKS_H

#include "blocks/BlockRunner.h"
#include "blocks/BlockStrips.h"
#include "blocks/GridWaves.h"

namespace cilk2gpu::rt {

/// How far one worker has come.
struct BlocksSoFar {
  uint64_t ended = 0;        ///< blocks that have ended; without a queue and levels, the first IDs
  uint64_t queued = 0;       ///< slots of the queue that are written; the first `ended` have been taken
  uint32_t *queue = nullptr; ///< [nodes]: IDs plus 1, in the order in which they became ready; null: order of IDs
  uint64_t cost = 0;         ///< nanoseconds of a block; 0: unknown
  uint32_t piece = 1;        ///< blocks that run as a piece from here on; `ended` stands at the begin of one
  bool inLanes = false;      ///< vectors are faster than single blocks
  bool triesLanes = false;   ///< the worker stopped because vectors of blocks may pay
  uint64_t pieces = 0;       ///< pieces of strips that have ended
};

/// Returns true if no worker runs blocks alone.
bool mustShareAtOnce(const BlockRun &run);

/// Runs blocks in the order of their IDs. Stops if blocks take more than `shortest` nanoseconds, so that it may pay to
/// find blocks that can run together in vectors, or at once if the graph does not ascend. `single` is then the last
/// argument of runByQueue() or runByLevels().
BlocksSoFar runBeforeVectors(const BlockRun &run, uint64_t shortest, uint64_t &single);

/// Returns true if the blocks of a row do not wait for one another, and can run in vectors.
bool canRowsRunInLanes(const BlockLaunch &launch);

/// When vectors of blocks are tried.
struct TryLanes {
  uint64_t at = UINT64_MAX; ///< when this many blocks have ended
  uint64_t shortest = 0;    ///< nanoseconds of a block, at least
};

/// Runs blocks in the order of their IDs, from `begin` on. Parents are not counted. The graph ascends. Stops where
/// vectors are to be tried.
BlocksSoFar runByIds(const BlockRun &run, uint64_t begin = 0, const TryLanes &tryLanes = {});

/// As above. Tries vectors of blocks, too, if there are `strips`. Stops in a strip if it pays that other workers join:
/// then `pieces` is not 0.
BlocksSoFar runByIdsAndStrips(const BlockRun &run, BlockStrips &strips);

/// Runs blocks in the order in which they become ready, and counts parents down. The first `ended` IDs have ended.
/// Blocks that are ready run together in vectors if that is faster. `single`: that was faster in an earlier launch,
/// whose single blocks took so many nanoseconds. 0: there was none.
BlocksSoFar runByQueue(BlockRun &run, uint64_t ended = 0, uint64_t single = 0);

/// Runs blocks level by level. The first `ended` IDs have ended, and are left out. No parent is counted. Blocks of one
/// level run together in vectors if that is faster. `single`: as above.
BlocksSoFar runByLevels(const BlockRun &run, const BlockOrder &order, uint64_t ended, uint64_t single);
/// As above, for a graph whose levels need no array.
BlocksSoFar runByLevels(const BlockRun &run, GridWaves waves, uint64_t ended, uint64_t single);

/// Makes the queue behind the blocks that have ended, and counts their children down. They are the first `ids` IDs, and
/// then blocks in the order.
void fillQueue(BlockRun &run, const BlockOrder &order, uint64_t ids, BlocksSoFar &soFar);

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_LONEBLOCKS_H
