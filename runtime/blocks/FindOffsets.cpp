// See FindOffsets.h.
#include "blocks/FindOffsets.h"

#include <algorithm>

namespace cilk2gpu::rt {

namespace {

struct Comparison {
  const NamedParents &named;
  const ConstantOffsets &offsets;
  bool differs = false; ///< atomic
};

/// An offset in a row of the grid.
struct OffsetInRow {
  uint32_t distance;  ///< of the parent's ID, modulo 2^32
  int64_t begin, end; ///< coordinates of the blocks that have the parent
};

/// The offsets that lead from a row into the grid.
class RowOfGrid {
public:
  RowOfGrid(const dim3 &grid, const ConstantOffsets &offsets, uint32_t y, uint32_t z) : innerEnd(grid.x) {
    for (uint32_t i = 0; i < offsets.count; ++i) {
      const int32_t *offset = offsets.offsets + 3 * i;
      int64_t dx = offset[0], parentY = int64_t(y) + offset[1], parentZ = int64_t(z) + offset[2];
      if (parentY < 0 || parentY >= grid.y || parentZ < 0 || parentZ >= grid.z)
        continue;
      uint32_t distance = uint32_t(dx) + grid.x * (uint32_t(offset[1]) + grid.y * uint32_t(offset[2]));
      OffsetInRow inRow = {distance, std::max<int64_t>(0, -dx), std::min<int64_t>(grid.x, grid.x - dx)};
      innerBegin = std::max(innerBegin, inRow.begin);
      innerEnd = std::min(innerEnd, inRow.end);
      inRows[count++] = inRow;
    }
    innerEnd = std::max(innerBegin, innerEnd);
  }

  /// Compares the blocks from coordinate `x` to `end` - 1. `node` is the first one's ID. Moves `parents` behind theirs.
  /// Returns whether they have these parents.
  bool areParents(int64_t x, int64_t end, uint32_t node, const uint32_t *counts, const uint32_t *&parents,
                  const uint32_t *last) const {
    bool areEqual = true;
    while (areEqual && x < end) {
      if (x < innerBegin || x >= innerEnd) {
        areEqual = isOuter(x++, node++, *counts++, parents, last);
        continue;
      }
      uint64_t blocks = uint64_t(std::min(end, innerEnd) - x);
      if (uint64_t(last - parents) < blocks * count || !areInner(blocks, node, counts, parents))
        return false;
      x += int64_t(blocks);
      node += uint32_t(blocks);
      counts += blocks;
      parents += blocks * count;
    }
    return areEqual;
  }

private:
  /// A block for which some offsets lead out of the row.
  bool isOuter(int64_t x, uint32_t node, uint32_t named, const uint32_t *&parents, const uint32_t *last) const {
    uint32_t found = 0;
    if (named > count || uint64_t(last - parents) < named)
      return false;
    for (uint32_t i = 0; i < count; ++i)
      if (x >= inRows[i].begin && x < inRows[i].end) {
        if (found == named || parents[found] != node + inRows[i].distance)
          return false;
        ++found;
      }
    parents += found;
    return found == named;
  }

  /// Blocks with all parents. The comparison has no branches, so that it is fast with one or two parents.
  bool areInner(uint64_t blocks, uint32_t node, const uint32_t *counts, const uint32_t *parents) const {
    switch (count) {
    case 1:
      return areInner<1>(blocks, node, counts, parents);
    case 2:
      return areInner<2>(blocks, node, counts, parents);
    case 3:
      return areInner<3>(blocks, node, counts, parents);
    default:
      return areInner<0>(blocks, node, counts, parents);
    }
  }

  /// `Count` is the number of offsets; 0: any number.
  template <uint32_t Count>
  bool areInner(uint64_t blocks, uint32_t node, const uint32_t *counts, const uint32_t *parents) const {
    const uint32_t each = Count ? Count : count;
    uint32_t difference = 0;
    for (uint64_t i = 0; i < blocks; ++i) {
      difference |= counts[i] ^ each;
      for (uint32_t j = 0; j < each; ++j)
        difference |= parents[i * each + j] ^ (node + uint32_t(i) + inRows[j].distance);
    }
    return difference == 0;
  }

  uint32_t count = 0;
  int64_t innerBegin = 0, innerEnd; ///< coordinates of the blocks that have all parents
  OffsetInRow inRows[ConstantOffsets::kMost];
};

void comparePart(void *context, uint64_t part) {
  Comparison &comparison = *static_cast<Comparison *>(context);
  const NamedParents &named = comparison.named;
  const dim3 &grid = named.grid;
  const uint32_t *parents = named.parts[part].parents;
  bool areEqual = true;
  for (uint64_t node = named.begin(part), end = named.end(part); areEqual && node < end;) {
    uint64_t x = node % grid.x, row = node / grid.x, rowEnd = std::min<uint64_t>(grid.x, x + end - node);
    areEqual = RowOfGrid(grid, comparison.offsets, uint32_t(row % grid.y), uint32_t(row / grid.y))
                   .areParents(int64_t(x), int64_t(rowEnd), uint32_t(node), named.counts + node, parents,
                               named.parts[part].end);
    node += rowEnd - x;
  }
  if (!areEqual)
    __atomic_store_n(&comparison.differs, true, __ATOMIC_RELAXED); // it is read when all parts are done
}

/// Takes the distances of a block's parents. Returns false if one does not lead to a smaller ID, or one is there twice.
bool takeOffsets(const NamedParents &named, uint64_t node, ConstantOffsets &result) {
  uint64_t part = node / named.blocksOfPart, before = 0;
  for (uint64_t other = named.begin(part); other < node; ++other)
    before += named.counts[other];
  const uint32_t *parents = named.parts[part].parents + before;
  result.count = named.counts[node];
  if (result.count > ConstantOffsets::kMost)
    return false;
  dim3 own, other;
  wf::detail::setIndex(own, uint32_t(node), named.grid);
  for (uint32_t i = 0; i < result.count; ++i) {
    if (parents[i] >= node || std::find(parents, parents + i, parents[i]) != parents + i)
      return false;
    wf::detail::setIndex(other, parents[i], named.grid);
    const int64_t distance[3] = {int64_t(other.x) - own.x, int64_t(other.y) - own.y, int64_t(other.z) - own.z};
    for (uint32_t d = 0; d < 3; ++d) {
      if (distance[d] < INT32_MIN || distance[d] > INT32_MAX)
        return false;
      result.offsets[3 * i + d] = int32_t(distance[d]);
    }
  }
  return true;
}

} // namespace

bool findConstantOffsets(const NamedParents &named, ConstantOffsets &result, RunParts runParts, void *runner) {
  const dim3 &grid = named.grid;
  if (std::max({grid.x, grid.y, grid.z}) > uint32_t(INT32_MAX)) // as buildFromOffsets() asks for
    return false;
  uint64_t middle = grid.x / 2 + uint64_t(grid.x) * (grid.y / 2 + uint64_t(grid.y) * (grid.z / 2));
  if (!takeOffsets(named, middle, result))
    return false;
  Comparison comparison = {.named = named, .offsets = result};
  runParts(runner, comparePart, &comparison, named.numParts());
  return !comparison.differs;
}

} // namespace cilk2gpu::rt
