// Blocks of a grid in the order of their levels, and of IDs within a level, without an array. The level of a block is
// the sum of some of its coordinates. With x + y, a level has one line for each z:
//
//   level 0   (0,0)
//   level 1   (1,0) (0,1)
//   level 2   (2,0) (1,1) (0,2)
//
//   for (GridWaves waves = ...; ...;)
//     BlockLine line = waves.take(64);   // at most 64 blocks of one level
//
// Thread-safety: none.
#ifndef CILK2GPU_RUNTIME_BLOCKS_GRIDWAVES_H
#define CILK2GPU_RUNTIME_BLOCKS_GRIDWAVES_H

#include "blocks/BlockGraph.h"

#include <optional>

namespace cilk2gpu::rt {

/// Blocks (x, y, z), (x + stepX, y + stepY, z) and so on.
struct BlockLine {
  uint32_t x = 0, y = 0, z = 0, count = 0;
  uint32_t stepX = 0, stepY = 0; ///< modulo 2^32: -1 is the largest number

  uint32_t xOf(uint32_t i) const { return x + i * stepX; }
  uint32_t yOf(uint32_t i) const { return y + i * stepY; }
};

class GridWaves {
public:
  /// Returns the waves of a graph, or nothing if its levels are no sums of coordinates. Blocks whose IDs are less than
  /// `begin` are left out.
  static std::optional<GridWaves> of(const BlockGraph &graph, uint64_t begin = 0);

  /// Returns the next blocks: `most` of a level, or fewer. There are blocks left.
  BlockLine take(uint32_t most);

private:
  GridWaves(dim3 grid, const bool (&counts)[3], uint64_t begin)
      : grid(grid), counts{counts[0], counts[1], counts[2]}, begin(begin) {}

  BlockLine lineAt(uint64_t level) const;
  void leaveOut();

  dim3 grid;
  bool counts[3]; ///< the level counts this coordinate, along x or y at least
  uint64_t begin; ///< blocks of smaller IDs are left out
  uint64_t level = 0;
  uint32_t nextZ = 0; ///< of the level
  BlockLine line;     ///< what is left of it
};

} // namespace cilk2gpu::rt

#endif // CILK2GPU_RUNTIME_BLOCKS_GRIDWAVES_H
