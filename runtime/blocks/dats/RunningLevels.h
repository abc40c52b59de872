// The levels of the blocks that run, for the level bound: Wireframe, MICRO 2017, section 4.3.
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_DATS_RUNNINGLEVELS_H
#define CILK2GPU_RUNTIME_BLOCKS_DATS_RUNNINGLEVELS_H

#include "blocks/dats/DatsArray.h"

namespace cilk2gpu::rt {

class RunningLevels {
public:
  explicit RunningLevels(uint64_t numLevels) : running(numLevels) {}

  /// Returns the difference of the highest and the lowest level that run, if a block of `level` runs, too.
  uint64_t rangeWith(uint64_t level) const {
    if (!blocks)
      return 0;
    return (level > highest ? level : highest) - (level < lowest ? level : lowest);
  }
  /// The largest difference so far.
  uint64_t mostRange() const { return most; }

  void add(uint64_t level) {
    uint64_t range = rangeWith(level);
    if (range > most)
      most = range;
    lowest = blocks && lowest < level ? lowest : level;
    highest = blocks && highest > level ? highest : level;
    ++running[level];
    ++blocks;
  }

  void remove(uint64_t level) {
    --running[level];
    if (--blocks == 0)
      return;
    while (!running[lowest])
      ++lowest;
    while (!running[highest])
      --highest;
  }

private:
  DatsArray<uint32_t> running; ///< blocks of each level
  uint64_t blocks = 0, lowest = 0, highest = 0, most = 0;
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_DATS_RUNNINGLEVELS_H
