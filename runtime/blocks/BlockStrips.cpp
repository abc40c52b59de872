// See BlockStrips.h. The lane of row i runs the block x = t - skew * i in step t.
#include "blocks/BlockStrips.h"

#include <algorithm>
#include <stdlib.h>

namespace cilk2gpu::rt {

/// Divides and rounds down.
static int64_t divided(int64_t number, int64_t by) { return number / by - (number % by < 0); }

BlockStrips::Shape BlockStrips::shapeOf(const GridOffsets &offsets) {
  constexpr int64_t kFarthest = 1 << 20; // so that no distance of pieces overflows
  int64_t skew = 0;
  for (uint32_t i = 0; i < offsets.count; ++i) {
    const auto [x, y, z] = offsets.offsets[i];
    if (llabs(x) > kFarthest || llabs(y) > kFarthest)
      return {};
    if (z == 0 && y < 0 && y > -int32_t(kRows)) // x + skew * y < 0: the parent's step is an earlier one
      skew = std::max(skew, divided(x, -int64_t(y)) + 1);
  }
  if (skew > tunables::kMostSkew)
    return {};
  uint32_t lanes = std::min(offsets.grid.y, kRows);
  if (skew)
    lanes = uint32_t(std::min<uint64_t>(lanes, (offsets.grid.x - 1) / uint64_t(skew) + 1));
  return {.skew = uint32_t(skew), .lanes = lanes};
}

namespace {

/// Collects the distances of pieces for one distance of blocks after another.
class PieceDistances {
public:
  PieceDistances(int32_t *distances, uint32_t skew) : distances(distances), skew(skew) {}

  /// A parent in the row y above is in the strip y / rows above, rounded down, for the first rows of a strip, and may
  /// be one strip further for the others. The same holds for its step and its piece.
  void add(const GridOffset &offset) {
    constexpr int64_t rows = BlockStrips::kRows, steps = BlockStrips::kSteps;
    const int64_t strip = divided(offset.y, rows);
    for (int64_t k = strip; k <= strip + (strip * rows != offset.y); ++k) {
      int64_t step = offset.x + skew * (offset.y - rows * k), piece = divided(step, steps);
      for (int64_t p = piece; p <= piece + (piece * steps != step); ++p)
        put(p, k, offset.z);
    }
  }

  uint32_t count = 0;

private:
  void put(int64_t piece, int64_t strip, int32_t plane) {
    if (!piece && !strip && !plane)
      return; // the piece itself
    const int32_t distance[3] = {int32_t(piece), int32_t(strip), plane};
    std::copy(distance, distance + 3, distances + 3 * count++);
  }

  int32_t *const distances;
  const int64_t skew;
};

} // namespace

/// Builds the graph of pieces.
static BlockGraph graphOfPieces(BlockMemory &memory, const GridOffsets &offsets, uint32_t skew, dim3 grid) {
  auto *distances = memory.array<int32_t>(uint64_t(12) * offsets.count, "offsets of pieces");
  PieceDistances pieces(distances, skew);
  for (uint32_t i = 0; i < offsets.count; ++i)
    pieces.add(offsets.offsets[i]);
  BlockGraph graph = buildFromOffsets(memory, grid, distances, pieces.count);
  memory.release(distances);
  return graph;
}

uint64_t BlockStrips::boundOfGraph(const GridOffsets &offsets) {
  uint64_t count = uint64_t(4) * offsets.count;
  return BlockMemory::boundOf<int32_t>(3 * count) + BlockMemory::boundOf<GridOffset>(count) +
         BlockMemory::boundOf<GridOffsets>(1);
}

BlockStrips::BlockStrips(BlockMemory &memory, const BlockLaunch &launch, const Shape &shape, uint64_t ended)
    : blocks(launch), grid(launch.graph.offsets->grid), shape(shape),
      numPieces((grid.x - 1 + uint64_t(shape.skew) * (kRows - 1)) / kSteps + 1),
      stripsOfPlane((grid.y - 1) / kRows + 1),
      graph(graphOfPieces(memory, *launch.graph.offsets, shape.skew,
                          dim3(unsigned(numPieces), unsigned(stripsOfPlane), grid.z))),
      ofPieces{.graph = graph,
               .policy = launch.policy,
               .threads = launch.threads,
               .run = runPiece,
               .context = this,
               .name = launch.name} {
  graph.names = launch.graph.names; // messages name blocks
  restart(ended);
}

uint64_t BlockStrips::blockBehind(uint64_t strip) const {
  uint64_t plane = strip / stripsOfPlane, row = std::min<uint64_t>((strip % stripsOfPlane + 1) * kRows, grid.y);
  return (plane * grid.y + row) * grid.x;
}

BlockStrips::Rows BlockStrips::rowsOf(uint64_t strip) const {
  Rows rows = {.y = uint32_t(strip % stripsOfPlane * kRows), .z = uint32_t(strip / stripsOfPlane)};
  rows.end = std::min(kRows, grid.y - rows.y);
  if (rows.z == firstBlock.z && rows.y <= firstBlock.y && firstBlock.y < rows.y + kRows) {
    rows.begin = firstBlock.y - rows.y;
    rows.ended = firstBlock.x;
  }
  return rows;
}

void BlockStrips::restart(uint64_t ended) {
  wf::detail::setIndex(firstBlock, uint32_t(ended), grid);
  first = (firstBlock.z * stripsOfPlane + firstBlock.y / kRows) * numPieces;
}

/// Coordinates of the blocks of a step.
struct BlockStrips::Step {
  uint32_t x[kRows], y[kRows], z[kRows];
};

void BlockStrips::runStep(const Step &step, uint32_t begin, uint32_t end, bool inLanes) const {
  if (inLanes) {
    const uint32_t *at[3] = {step.x + begin, step.y + begin, step.z + begin};
    return blocks.forms.lanes(blocks.context, at, end - begin);
  }
  for (uint32_t i = begin; i < end; ++i)
    blocks.run(blocks.context, step.x[i] + uint64_t(grid.x) * (step.y[i] + uint64_t(grid.y) * step.z[i]));
}

uint64_t BlockStrips::runSteps(uint64_t piece, uint32_t beginStep, uint32_t count, bool inLanes) const {
  const Rows rows = rowsOf(piece / numPieces);
  const uint64_t skew = shape.skew, firstStep = piece % numPieces * kSteps + beginStep;
  uint64_t blocksRun = 0;
  Step step;
  for (uint32_t i = 0; i < kRows; ++i) {
    step.y[i] = rows.y + i;
    step.z[i] = rows.z;
  }
  for (uint64_t t = firstStep; t < firstStep + count; ++t) {
    // The blocks 0 to grid.x - 1 of each row; of the first row only blocks that have not ended.
    uint32_t begin = rows.begin, end = rows.end;
    if (skew)
      end = uint32_t(std::min<uint64_t>(end, t / skew + 1));
    if (t >= grid.x)
      begin = skew ? uint32_t(std::max<uint64_t>(begin, (t - grid.x) / skew + 1)) : end;
    if (begin == rows.begin && begin < end && t - skew * begin < rows.ended)
      ++begin;
    if (begin >= end)
      continue;
    for (uint32_t i = 0; i < kRows; ++i)
      step.x[i] = uint32_t(t) - uint32_t(skew) * i;
    runStep(step, begin, end, inLanes);
    blocksRun += end - begin;
  }
  return blocksRun;
}

void BlockStrips::runPiece(void *context, uint64_t piece) {
  static_cast<const BlockStrips *>(context)->runSteps(piece, 0, kSteps, /*inLanes=*/true);
}

} // namespace cilk2gpu::rt
