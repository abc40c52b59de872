// Ready blocks that run together, in the lanes of vectors.
//
//   BlockVector(launch, count, [&](uint32_t i) { return ... ID of block i ...; }).run();
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKVECTOR_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKVECTOR_H

#include "blocks/BlockLaunch.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

class BlockVector {
public:
  static constexpr uint32_t kMost = tunables::kBlocksOfVector;

  /// `launch` has a form whose lanes are blocks.
  template <class IdOf>
  BlockVector(const BlockLaunch &launch, uint32_t count, IdOf idOf) : launch(launch), count(count) {
    for (uint32_t i = 0; i < count; ++i) {
      dim3 block;
      wf::detail::setIndex(block, uint32_t(idOf(i)), launch.grid);
      x[i] = block.x;
      y[i] = block.y;
      z[i] = block.z;
    }
  }

  void run() const {
    const uint32_t *at[3] = {x, y, z};
    launch.forms.lanes(launch.context, at, count);
  }

private:
  const BlockLaunch &launch;
  const uint32_t count;
  uint32_t x[kMost], y[kMost], z[kMost];
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_BLOCKVECTOR_H
