// Ready blocks that run together, in the lanes of vectors.
//
//   BlockVector(launch, count, [&](uint32_t i) { return ... ID of block i ...; }).run();
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_BLOCKVECTOR_H
#define CILK2GPU_RUNTIME_BLOCKS_BLOCKVECTOR_H

#include "blocks/BlockLaunch.h"
#include "blocks/GridWaves.h"
#include "core/Tunables.h"

namespace cilk2gpu::rt {

/// Divides numbers of 32 bits by an extent without a division, which takes longer than an empty block.
class ByExtent {
public:
  explicit ByExtent(uint32_t extent) : extent(extent), inverse(1.0 / extent) {}

  /// Returns the quotient, and the remainder in `rest`. The product with the inverse may be too small by 2^-20, so that
  /// a multiple of the extent comes out one too low. It is never too large by the distance to the next integer.
  uint32_t divide(uint32_t number, uint32_t &rest) const {
    const auto quotient = uint32_t(double(number) * inverse);
    rest = number - quotient * extent;
    if (rest != extent)
      return quotient;
    rest = 0;
    return quotient + 1;
  }

private:
  uint32_t extent;
  double inverse;
};

class BlockVector {
public:
  static constexpr uint32_t kMost = tunables::kBlocksOfVector;

  /// `launch` has a form whose lanes are blocks.
  template <class IdOf>
  BlockVector(const BlockLaunch &launch, uint32_t count, IdOf idOf) : launch(launch), count(count) {
    const ByExtent byX(launch.grid.x), byY(launch.grid.y);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t row = byX.divide(uint32_t(idOf(i)), x[i]);
      z[i] = launch.grid.z == 1 ? 0 : byY.divide(row, y[i]);
      if (launch.grid.z == 1)
        y[i] = row;
    }
  }

  /// The blocks of a line.
  BlockVector(const BlockLaunch &launch, const BlockLine &line) : launch(launch), count(line.count) {
    for (uint32_t i = 0; i < count; ++i) {
      x[i] = line.xOf(i);
      y[i] = line.yOf(i);
      z[i] = line.z;
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
