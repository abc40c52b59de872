// See GridWaves.h.
#include "blocks/GridWaves.h"
#include "blocks/OffsetGraph.h"

#include <algorithm>

namespace cilk2gpu::rt {

std::optional<GridWaves> GridWaves::of(const BlockGraph &graph, uint64_t begin) {
  if (!graph.offsets)
    return std::nullopt;
  const LevelSteps steps = findLevelSteps(*graph.offsets);
  if (!steps.isKnown || !(steps.step[0] || steps.step[1]))
    return std::nullopt;
  bool counts[3];
  for (unsigned d = 0; d < 3; ++d) {
    if (steps.step[d] > 1)
      return std::nullopt;
    counts[d] = steps.step[d] != 0;
  }
  return GridWaves(graph.offsets->grid, counts, begin);
}

/// Returns the blocks of a plane whose coordinates along x and y add up to `level`.
BlockLine GridWaves::lineAt(uint64_t level) const {
  const uint64_t lastX = grid.x - 1, lastY = grid.y - 1;
  if (!counts[1]) // a column
    return level > lastX ? BlockLine() : BlockLine{.x = uint32_t(level), .count = grid.y, .stepY = 1};
  if (!counts[0]) // a row
    return level > lastY ? BlockLine() : BlockLine{.y = uint32_t(level), .count = grid.x, .stepX = 1};
  if (level > lastX + lastY)
    return {};
  const uint64_t low = level > lastX ? level - lastX : 0, high = std::min(level, lastY);
  return {.x = uint32_t(level - low),
          .y = uint32_t(low),
          .count = uint32_t(high - low + 1),
          .stepX = UINT32_MAX,
          .stepY = 1};
}

/// Removes the blocks of the line that are left out. They are its first ones, because IDs ascend along a line.
void GridWaves::leaveOut() {
  auto idOf = [&](uint32_t i) { return line.xOf(i) + uint64_t(grid.x) * (line.yOf(i) + uint64_t(grid.y) * line.z); };
  uint32_t low = 0, high = line.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    idOf(middle) < begin ? low = middle + 1 : high = middle;
  }
  line.x = line.xOf(low);
  line.y = line.yOf(low);
  line.count -= low;
}

BlockLine GridWaves::take(uint32_t most) {
  while (!line.count) {
    if (nextZ == grid.z || (counts[2] && nextZ > level)) {
      ++level;
      nextZ = 0;
    }
    line = lineAt(counts[2] ? level - nextZ : level);
    line.z = nextZ++;
    if (begin)
      leaveOut();
  }
  BlockLine taken = line;
  taken.count = std::min(most, line.count);
  line.x = line.xOf(taken.count);
  line.y = line.yOf(taken.count);
  line.count -= taken.count;
  return taken;
}

} // namespace cilk2gpu::rt
