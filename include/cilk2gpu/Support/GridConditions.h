// Conditions on the coordinates of a block, as mapping functions of thread blocks have them in front of their parents.
//
//   if (blockIdx.x > 0) AddDependency({blockIdx.x - 1, blockIdx.y});    the condition holds wherever the parent exists
//
// Coordinates are seen as integers: a block's coordinate x is from 0 to G - 1, where G is the extent of the grid. G is
// less than 2^31. A parent at x + c is inside of the grid if 0 <= x + c < G. If x + c is negative, its 32 bits are an
// unsigned number of 2^31 or more, so that parent is outside of the grid, too.
#ifndef CILK2GPU_SUPPORT_GRIDCONDITIONS_H
#define CILK2GPU_SUPPORT_GRIDCONDITIONS_H

#include "llvm/IR/InstrTypes.h"

#include <array>
#include <optional>

namespace cilk2gpu {

/// A number in a mapping function: `constant` plus a coordinate of the block, an extent of the grid, or nothing.
struct GridNumber {
  enum Base { None, BlockId, GridDim } base = None;
  unsigned dimension = 0; ///< of the base: 0 for x, 1 for y, 2 for z
  int64_t constant = 0;
  /// The bits of the number. Where a number of 32 bits has become one of 64 bits, the sum has the bits of `Zext` or
  /// `Sext`: it wraps around at 32 bits.
  enum Width { Bits32, Bits64, Zext, Sext } width = Bits32;

  bool is64() const { return width != Bits32; }
};

/// Returns `left` + `right`, or `left` - `right`, of the same number of bits; nothing if the sum has another form.
std::optional<GridNumber> sumOf(GridNumber left, GridNumber right, bool isDifference);

/// Returns a number of 32 bits as one of 64 bits, or a number of 64 bits as one of 32 bits.
std::optional<GridNumber> extended(GridNumber number, bool isSigned);
std::optional<GridNumber> truncated(GridNumber number);

/// The distance of a parent, along x, y and z.
using BlockOffset = std::array<int64_t, 3>;

/// Returns true if the parent has a smaller block ID than the block: the last number that is not 0 is negative.
bool leadsToSmallerID(const BlockOffset &offset);

/// An interval of integers.
struct Interval {
  int64_t least, most;
};

/// What is known about the blocks whose parent at one offset is inside of the grid.
class InsideParent {
public:
  explicit InsideParent(const BlockOffset &offset) : offset(offset) {}

  /// Returns the result of a comparison for all these blocks. Returns nothing if it is not known, or differs.
  std::optional<bool> compare(llvm::CmpInst::Predicate predicate, const GridNumber &left,
                              const GridNumber &right) const;

  /// Returns the result of `left | right`, or of `left & right`.
  static std::optional<bool> combine(bool isOr, std::optional<bool> left, std::optional<bool> right);

private:
  Interval rangeOf(const GridNumber &number) const;
  Interval differenceOf(const GridNumber &left, const GridNumber &right) const;

  BlockOffset offset;
};

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_GRIDCONDITIONS_H
