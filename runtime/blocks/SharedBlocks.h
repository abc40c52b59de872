// A queue of ready blocks that several workers share, for the policy LRR.
//
//   head -> | 3 | 4 | 7 | 0 | 0 | ...   [nodes] slots: a block's ID plus 1; 0: not written yet
//                         ^ tail
//
// A slot is written once, by the worker that has advanced `tail` over it. It is read by the worker that advances `head`
// over it. A worker with nothing to do looks at the slot at `head` for a while, and then sleeps.
//
// Thread-safety: any worker of the run. Waiting: see sleep().
#ifndef CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H

#include "blocks/BlockRunner.h"
#include "core/Tunables.h"

#include <pthread.h>

namespace cilk2gpu::rt {

class SharedBlocks {
public:
  explicit SharedBlocks(BlockRun &run);
  ~SharedBlocks();
  SharedBlocks(const SharedBlocks &) = delete;

  const BlockGraph &graph() const { return run.launch.graph; }
  /// Runs blocks until all of them have ended.
  void work(uint32_t worker);

private:
  static constexpr uint64_t kNone = ~uint64_t(0);

  uint64_t chain(uint64_t node, uint32_t worker);
  uint64_t complete(uint64_t node);
  void runBlock(uint64_t node, uint32_t worker);
  void push(uint64_t node);
  uint64_t pop();
  uint64_t await(uint64_t finished);
  uint64_t sleep();
  bool isOver() const { return __atomic_load_n(&finishedBlocks, __ATOMIC_ACQUIRE) == graph().nodes; }
  void wakeAll();
  void noteLevel(uint64_t node, uint32_t worker);

  BlockRun &run;
  uint32_t *slots;         ///< [nodes]
  uint32_t *runningLevels; ///< [workers]: level plus 1; 0: none. Null: not wanted
  alignas(tunables::kCacheLine) uint64_t head = 0;
  alignas(tunables::kCacheLine) uint64_t tail = 0;
  alignas(tunables::kCacheLine) uint32_t sleepers = 0;
  uint64_t finishedBlocks = 0; ///< as far as workers have said so
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H
