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

class BlockObserver;

/// Functions that run several blocks of a launch at a time; null: there is none.
struct BlockForms {
  using Row = void (*)(void *context, dim3 first, uint32_t count);

  /// Runs neighbours along x, one after another.
  Row row = nullptr;
  /// Runs neighbours along x that do not wait for one another, in the lanes of vectors.
  Row rowLanes = nullptr;
  /// Runs `count` blocks that do not wait for one another, in the lanes of vectors. at[d][i] is the coordinate of block
  /// i along dimension d.
  void (*lanes)(void *context, const uint32_t *const *at, uint32_t count) = nullptr;
};

struct BlockLaunch {
  const BlockGraph &graph;
  BlockPolicy policy;
  uint32_t threads; ///< of a block
  /// Runs all threads of a block. Any thread of the host may call it, several at a time.
  void (*run)(void *context, uint64_t node);
  void *context;
  const char *name; ///< of the kernel; null: unknown
  BlockForms forms = {};

  // For GPUs. All are null: there is only `run`.
  /// Runs one thread of a block.
  void (*thread)(void *arguments, uint32_t node, uint32_t thread) = nullptr;
  /// Runs a block of one thread.
  void (*node)(uint64_t node, void *arguments) = nullptr;
  /// Runs one thread of a block, which the place names (cilk2gpu/abi/BlockRecords.h).
  void (*placed)(const void *place, void *arguments) = nullptr;
  void *arguments = nullptr;         ///< of `thread`, `node` or `placed`
  const void *kernel = nullptr;      ///< address of the kernel
  dim3 grid = {}, block = {};        ///< extents
  BlockObserver *observer = nullptr; ///< sees the blocks; `run` tells it

  /// Runs the blocks `begin` to `end` - 1, one after another.
  void runRange(uint64_t begin, uint64_t end) const {
    if (!forms.row || grid.x < 2) {
      for (; begin < end; ++begin)
        run(context, begin);
      return;
    }
    dim3 first;
    wf::detail::setIndex(first, uint32_t(begin), grid);
    while (begin < end) {
      const uint32_t count = uint32_t(end - begin < grid.x - first.x ? end - begin : grid.x - first.x);
      forms.row(context, first, count);
      begin += count;
      first.x = 0;
      if (++first.y == grid.y) {
        first.y = 0;
        ++first.z;
      }
    }
  }

  /// Returns how many threads of a GPU's workgroup run a block.
  uint32_t groupThreads() const { return thread || placed ? threads : 1; }
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKLAUNCH_H
