// A launch of thread blocks, between the functions behind <cilk2gpu/Wireframe.h> and the machines that run blocks.
//
// Thread-safety: constant, but for the counts of parents in the graph, which the machine counts down.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKLAUNCH_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKLAUNCH_H

#include "blocks/BlockGraph.h"

namespace cilk2gpu::rt {

/// Which of the blocks that are ready runs next.
struct BlockPolicy {
  WF::Policy kind = WF::LRR;
  uint64_t bound = 0; ///< of LVL: the levels of blocks that run at the same time differ by no more
};

struct BlockLaunch {
  const BlockGraph &graph;
  BlockPolicy policy;
  uint32_t threads; ///< of a block
  /// Runs all threads of a block. Any thread of the host may call it, several at a time.
  void (*run)(void *context, uint64_t node);
  void *context;
  const char *name; ///< of the kernel; null: unknown
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKLAUNCH_H
