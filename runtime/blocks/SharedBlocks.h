// Workers that share ready blocks through a queue, for the policy LRR. A worker with nothing to do looks at the queue
// for a while, and then sleeps.
//
// Thread-safety: any worker of the run.
#ifndef CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H

#include "blocks/BlockRunner.h"
#include "blocks/ReadyBlocks.h"
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
  static constexpr uint64_t kNone = ReadyBlocks<>::kNone;

  uint64_t chain(uint64_t node, uint32_t worker);
  uint64_t complete(uint64_t node);
  void runBlock(uint64_t node, uint32_t worker);
  void push(uint64_t node);
  uint64_t await(uint64_t finished);
  uint64_t sleep();
  bool isOver() const { return __atomic_load_n(&finishedBlocks, __ATOMIC_ACQUIRE) == graph().nodes; }
  void wakeAll();
  void noteLevel(uint64_t node, uint32_t worker);

  BlockRun &run;
  uint32_t *runningLevels; ///< [workers]: level plus 1; 0: none. Null: not wanted
  ReadyBlocks<> ready;
  alignas(tunables::kCacheLine) uint64_t finishedBlocks = 0; ///< as far as workers have said so
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H
