// Finds the constant offsets that the links of a block graph add.
// cilk2gpu/Support/GridConditions.h has the reasoning about coordinates.
#ifndef CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_BLOCKOFFSETS_H
#define CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_BLOCKOFFSETS_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Support/GridConditions.h"

namespace cilk2gpu::channel {

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
