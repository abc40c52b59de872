// Finds the constant offsets that the links of a block graph add.
//
// Coordinates are seen as integers: that of a block, x, is from 0 to G - 1, where G is the extent of the grid. The
// runtime refuses extents of 2^31 and more. A parent at x + c is inside of the grid if 0 <= x + c < G. If x + c is
// negative, its 32 bits are an unsigned number of 2^31 or more, so that parent is outside of the grid, too.
#ifndef CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_BLOCKOFFSETS_H
#define CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_BLOCKOFFSETS_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"

#include <array>

namespace cilk2gpu::channel {

/// A number of 32 bits in links: `constant` plus a coordinate of the block, an extent of the grid, or nothing.
struct GridNumber {
  enum Base { None, BlockId, GridDim } base = None;
  Dimension dimension = Dimension::X; ///< of the base
  int32_t constant = 0;
};

/// The distance of a parent, along x, y and z.
using BlockOffset = std::array<int64_t, 3>;

/// An interval of integers.
struct Interval {
  int64_t least, most;
};

/// Whether conditions hold for the blocks whose parent at one offset is inside of the grid.
class InsideParent {
public:
  explicit InsideParent(const BlockOffset &offset) : offset(offset) {}

  /// The answer of an i1 for all these blocks; nothing if it is not known, or differs.
  std::optional<bool> evaluate(mlir::Value condition) const;

private:
  Interval rangeOf(const GridNumber &number) const;
  Interval differenceOf(const GridNumber &left, const GridNumber &right) const;
  std::optional<bool> compare(mlir::LLVM::ICmpOp compare) const;

  BlockOffset offset;
};

/// Reads links. After run(), there is either a reason why they stay, or there are offsets, without duplicates.
class BlockOffsets {
public:
  /// `isRow[d]`: all launches have the extent 1 along dimension d.
  explicit BlockOffsets(mlir::LLVM::LLVMFuncOp links, std::array<bool, 3> isRow) : links(links), isRow(isRow) {}

  /// Returns why the links stay a function; empty: they may become offsets().
  std::string run();
  llvm::ArrayRef<BlockOffset> offsets() const { return found; }

private:
  std::string checkOperations();
  std::string add(LinkOp link);
  std::optional<int64_t> distanceAlong(mlir::Value coordinate, Dimension dimension) const;
  bool isReached(LinkOp link, const InsideParent &inside);

  mlir::LLVM::LLVMFuncOp links;
  std::array<bool, 3> isRow;
  llvm::SmallVector<BlockOffset> found;
};

} // namespace cilk2gpu::channel

#endif // CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_BLOCKOFFSETS_H
