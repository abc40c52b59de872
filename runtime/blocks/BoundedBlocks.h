// Ready blocks by level, for the policy LVL with a bound: the levels of blocks that run at the same time differ by no
// more than the bound. One lock guards everything but the code of blocks.
//
//   level   0   1   2   3
//   ready           5   8    lists of blocks
//   runs        4            a worker may take 5 with a bound of 1; 8 has to wait
//
// A worker takes a block of the lowest level with ready blocks. Where that one may not run yet, the worker waits:
// blocks of other levels would only keep it waiting for longer. The block may run at the latest when nothing else runs.
//
// Thread-safety: any worker of the run.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BOUNDEDBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_BOUNDEDBLOCKS_H

#include "blocks/BlockRunner.h"

#include <pthread.h>

namespace cilk2gpu::rt {

class BoundedBlocks {
public:
  explicit BoundedBlocks(BlockRun &run);
  BoundedBlocks(const BoundedBlocks &) = delete;

  const BlockGraph &graph() const { return run.launch.graph; }
  /// Runs blocks until all of them have ended.
  void work(uint32_t worker);

private:
  static constexpr uint64_t kNone = ~uint64_t(0);

  void push(uint64_t node);
  void complete(uint64_t node);
  uint64_t lowestReady();
  bool mayRun(uint64_t level);
  uint64_t take(uint32_t worker);
  uint64_t await(uint32_t worker);
  void lookOut();
  bool isOver() const { return run.counters.blocks == graph().nodes; }

  BlockRun &run;
  uint32_t *next;          ///< [nodes]: the next ready block of the level, plus 1; 0: none
  uint32_t *first;         ///< [levels]: likewise
  uint64_t *hasReady;      ///< a bit for each level
  uint32_t *runningLevels; ///< [workers]: level plus 1; 0: none
  uint64_t lowestWord = 0; ///< of hasReady: those before it are 0
  uint64_t numReady = 0;
  uint64_t changes = 0; ///< blocks that have ended; workers that look out read it without the lock
  uint32_t sleepers = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BOUNDEDBLOCKS_H
