// See BlockPieces.h.
#include "blocks/BlockPieces.h"
#include "blocks/OffsetGraph.h"

#include <algorithm>

namespace cilk2gpu::rt {

/// Builds the graph of pieces. A parent `x` blocks away is `x / width` pieces away, rounded down, for the first blocks
/// of a piece, and may be one piece further for the others.
static BlockGraph graphOfPieces(BlockMemory &memory, const GridOffsets &offsets, uint32_t width) {
  dim3 grid = offsets.grid;
  grid.x = (grid.x - 1) / width + 1;
  auto *distances = memory.array<int32_t>(uint64_t(6) * offsets.count, "offsets of pieces");
  uint32_t count = 0;
  auto add = [&](int64_t x, const GridOffset &offset) {
    if (!x && !offset.y && !offset.z)
      return; // the piece itself
    const int32_t distance[3] = {int32_t(x), offset.y, offset.z};
    std::copy(distance, distance + 3, distances + 3 * count++);
  };
  for (uint32_t i = 0; i < offsets.count; ++i) {
    const GridOffset &offset = offsets.offsets[i];
    int64_t remainder = offset.x % int64_t(width), x = offset.x / int64_t(width);
    if (remainder < 0)
      --x;
    add(x, offset);
    if (remainder)
      add(x + 1, offset);
  }
  BlockGraph graph = buildFromOffsets(memory, grid, distances, count);
  memory.release(distances);
  countParents(memory, graph);
  return graph;
}

uint64_t BlockPieces::boundOfGraph(const GridOffsets &offsets) {
  uint64_t count = uint64_t(2) * offsets.count;
  return BlockMemory::boundOf<int32_t>(3 * count) + BlockMemory::boundOf<GridOffset>(count) +
         BlockMemory::boundOf<GridOffsets>(1);
}

BlockPieces::BlockPieces(BlockMemory &memory, const BlockLaunch &launch, uint32_t width)
    : blocks(launch), row(launch.graph.offsets->grid.x), width(width), piecesOfRow((row - 1) / width + 1),
      graph(graphOfPieces(memory, *launch.graph.offsets, width)),
      ofPieces{.graph = graph,
               .policy = launch.policy,
               .threads = launch.threads,
               .run = width == 1 ? launch.run : runPiece,
               .context = width == 1 ? launch.context : this,
               .name = launch.name} {
  graph.names = launch.graph.names; // messages name blocks
}

void BlockPieces::runPiece(void *context, uint64_t piece) {
  const BlockPieces &pieces = *static_cast<const BlockPieces *>(context);
  const BlockLaunch &launch = pieces.blocks;
  uint64_t rowBegin = piece / pieces.piecesOfRow * pieces.row;
  uint64_t begin = rowBegin + piece % pieces.piecesOfRow * pieces.width;
  uint64_t end = std::min(begin + pieces.width, rowBegin + pieces.row);
  launch.runRange(begin, end);
}

} // namespace cilk2gpu::rt
