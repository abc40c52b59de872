// Ready blocks by level, for the policy LVL with a bound: the levels of blocks that run at the same time differ by no
// more than the bound. One lock guards everything but the code of blocks.
//
//   level   0   1   2   3
//   ready           5   8    lists of blocks
//   runs        4            a worker may take 5 with a bound of 1; 8 has to wait
//
// A worker takes blocks of the lowest level with ready blocks. Where these may not run yet, the worker waits: blocks of
// other levels would only keep it waiting for longer. They may run at the latest when nothing else runs.
//
// Small blocks are taken several at a time, all of one level, so that they share the cost of the lock. A worker leaves
// the others as many blocks as it takes.
//
// Thread-safety: any worker of the run.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BOUNDEDBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_BOUNDEDBLOCKS_H

#include "blocks/LoneBlocks.h"

#include <pthread.h>

namespace cilk2gpu::rt {

class BoundedBlocks {
public:
  explicit BoundedBlocks(BlockRun &run, const BlocksSoFar &soFar);
  BoundedBlocks(const BoundedBlocks &) = delete;

  /// Returns the most memory that an object takes beside the queue.
  static uint64_t bound(const BlockRun &run);

  const BlockGraph &graph() const { return run.launch.graph; }
  /// Runs blocks until all of them have ended.
  void work(uint32_t worker);

  static_assert(tunables::kMostTaken <= tunables::kBlocksOfVector);

private:
  static constexpr uint64_t kNone = ~uint64_t(0);

  /// Blocks of one level that a worker has taken.
  struct Taken {
    uint32_t count = 0; ///< 0: the run is over, or no block may run now
    uint32_t nodes[tunables::kBlocksOfVector];
  };

  void push(uint64_t node);
  void complete(const Taken &taken);
  uint64_t lowestReady();
  bool mayRun(uint64_t level);
  void take(Taken &taken, uint32_t worker);
  void await(Taken &taken, uint32_t worker);
  void runTaken(const Taken &taken) const;
  void lock();
  void lookOut();
  bool isOver() const { return run.counters.blocks == graph().nodes; }

  BlockRun &run;
  const bool inLanes;       ///< blocks that a worker has taken run together in vectors
  const uint32_t mostTaken; ///< blocks at a time
  uint32_t *next;           ///< [nodes]: the next ready block of the level, plus 1; 0: none
  uint32_t *first;          ///< [levels]: likewise
  uint64_t *hasReady;       ///< a bit for each level
  uint32_t *runningLevels;  ///< [workers]: level plus 1; 0: none
  uint64_t lowestWord = 0;  ///< of hasReady: those before it are 0
  uint64_t numReady = 0;
  uint64_t changes = 0; ///< rises when blocks have ended; workers that look out read it without the lock
  uint32_t sleepers = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BOUNDEDBLOCKS_H
