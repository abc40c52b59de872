// Workers that share ready blocks through a queue, for the policy LRR. A worker with nothing to do looks at the queue
// for a while, and then sleeps.
//
// Thread-safety: any worker of the run.
#ifndef CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H
#define CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H

#include "blocks/LoneBlocks.h"
#include "blocks/ReadyBlocks.h"
#include "core/Tunables.h"

#include <pthread.h>

namespace cilk2gpu::rt {

class SharedBlocks {
public:
  explicit SharedBlocks(BlockRun &run, const BlocksSoFar &soFar);
  ~SharedBlocks();
  SharedBlocks(const SharedBlocks &) = delete;

  const BlockGraph &graph() const { return run.launch.graph; }
  /// Runs blocks until all of them have ended.
  void work(uint32_t worker);

private:
  static constexpr uint64_t kNone = ReadyBlocks<>::kNone;

  void pushFirst(uint64_t ended);
  uint64_t chain(uint64_t node, uint32_t worker);
  uint64_t complete(uint64_t node);
  void runBlock(uint64_t node, uint32_t worker);
  void workInLanes();
  uint32_t completeAll(const uint32_t *nodes, uint32_t count, uint32_t *kept);
  void push(uint32_t node);
  void push(const uint32_t *nodes, uint32_t count);
  void wake(bool all);
  uint64_t await(uint64_t finished);
  uint64_t sleep();
  bool isOver() const { return __atomic_load_n(&finishedBlocks, __ATOMIC_ACQUIRE) == graph().nodes; }
  void noteLevel(uint64_t node, uint32_t worker);

  BlockRun &run;
  const uint32_t mostKept; ///< children that a worker runs before it looks for older blocks
  const bool inLanes;      ///< blocks run together in vectors
  uint32_t *runningLevels; ///< [workers]: level plus 1; 0: none. Null: not wanted
  ReadyBlocks<> ready;
  alignas(tunables::kCacheLine) uint64_t finishedBlocks = 0; ///< as far as workers have said so
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changes = PTHREAD_COND_INITIALIZER;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_SHAREDBLOCKS_H
