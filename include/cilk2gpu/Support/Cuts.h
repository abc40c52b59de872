// What lives across cuts of a function. A *cut* is a block at whose start an activation may be suspended (it waits at
// a sync, or yields) and later entered anew, with nothing but its frame. These are the analyses and rewrites that the
// split at syncs and the making of resumable kernels share; all work on llvm.func bodies of the LLVM dialect.
#ifndef CILK2GPU_SUPPORT_CUTS_H
#define CILK2GPU_SUPPORT_CUTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2gpu {

using BlockSet = llvm::SmallPtrSet<mlir::Block *, 16>;

/// Blocks reachable from `from` along successor edges, `from` included. Edges out of a block in `stops` are not
/// followed.
BlockSet reachableFrom(mlir::Block *from, const BlockSet &stops = {});

/// The static allocas at the start of the function's entry block.
llvm::SmallVector<mlir::LLVM::AllocaOp> staticAllocas(mlir::LLVM::LLVMFuncOp func);

/// Function attribute with a value, on a function that tasks call: the numbers of the pointer parameters that it uses
/// until it returns, and does not keep.
inline constexpr llvm::StringLiteral kBorrowsAttr = "cilk2gpu-borrows";

/// Whether `use` gives an address to a call that does not keep it.
bool isBorrowed(mlir::OpOperand &use);

/// Bytes of a static alloca.
uint64_t storageSize(mlir::LLVM::AllocaOp local);

/// Copies the content of `local`, or of where it is saved. Returns the operation that writes it.
mlir::Operation *copyLocal(mlir::OpBuilder &builder, mlir::Location loc, mlir::LLVM::AllocaOp local, mlir::Value from,
                           mlir::Value to);

/// Makes an alloca of one `type` at the start of `entry`.
mlir::LLVM::AllocaOp createLocal(mlir::Block &entry, mlir::Type type, mlir::Location loc, unsigned align = 0);

/// The operations at the start of the entry block that say what landing pads catch; demoteAcrossCuts makes them. They
/// must dominate everything, because nothing may stand before a landing pad in its block.
llvm::SmallVector<mlir::Operation *> handlerTypes(mlir::LLVM::LLVMFuncOp func);

/// Moves every SSA value that is live into a cut to a local variable (an alloca in the entry block with whole loads
/// and stores), or computes it again at its uses where that is cheap (constants, addresses of locals and of `frame`).
/// Afterwards no SSA value but allocas and handler types is live into a cut. `frame`, if given, is demoted like any
/// value; the local that holds it is returned (null if it is not live into a cut).
mlir::LLVM::AllocaOp demoteAcrossCuts(mlir::LLVM::LLVMFuncOp func, const BlockSet &cuts, mlir::Value frame = {});

/// Classification and liveness of a function's local variables (static allocas) with respect to cuts.
class LocalVariables {
public:
  LocalVariables(mlir::LLVM::LLVMFuncOp func, const BlockSet &cuts);

  /// Locals that nobody else has the address of and that are live into `cut`: to be saved and restored there
  /// (copyLocal).
  const llvm::SetVector<mlir::LLVM::AllocaOp> &savedAt(mlir::Block *cut) const { return saved.find(cut)->second; }

  /// Locals that must stay at one address and are live across a cut: they live in the frame. An escaped local counts as
  /// live from its escape to the end of the function; large ones are not copied around, either.
  llvm::ArrayRef<mlir::LLVM::AllocaOp> residents() const { return resident; }

private:
  static constexpr uint64_t kMostCopied = 256; ///< bytes

  class Reachability;
  struct Uses {
    bool isScalar; ///< only whole loads and stores
    BlockSet blocks, escapes;
  };
  static bool outlivesCut(mlir::Operation *derived, mlir::LLVM::AllocaOp local, const BlockSet &cuts,
                          const Reachability &reaches);
  static Uses usesOf(mlir::LLVM::AllocaOp local, const BlockSet &cuts, const Reachability &reaches);
  void classify(mlir::LLVM::AllocaOp local, const BlockSet &cuts, const Reachability &reaches);
  void solveScalars(mlir::LLVM::LLVMFuncOp func, const BlockSet &cuts);

  llvm::SmallVector<mlir::LLVM::AllocaOp> scalars;
  llvm::SmallVector<mlir::LLVM::AllocaOp> resident;
  llvm::MapVector<mlir::Block *, llvm::SetVector<mlir::LLVM::AllocaOp>> saved;
};

/// On an address in a frame that frameAddress made: its offset (i64).
inline constexpr llvm::StringLiteral kFrameOffsetAttr = "cilk2gpu.frame_offset";

/// Offsets in a frame, in bytes. Fields are laid out in the order in which they are added.
class FrameLayout {
public:
  FrameLayout(const mlir::DataLayout &dataLayout, uint64_t size = 0, uint64_t align = 1)
      : dataLayout(dataLayout), size(size), align(align) {}

  /// Adds a field with room for `local` and returns its offset.
  uint64_t addField(mlir::LLVM::AllocaOp local);

  /// Offset of the field that holds `local`, added if it is new. `local` must outlive the layout.
  uint64_t offsetOf(mlir::LLVM::AllocaOp local);
  uint64_t getSize() const { return size; }
  uint64_t getAlign() const { return align; }

  /// Offset and size of each field that was added, in turn.
  llvm::ArrayRef<int64_t> getFields() const { return fields; }

private:
  const mlir::DataLayout &dataLayout;
  uint64_t size, align;
  llvm::SmallVector<int64_t> fields;
  llvm::DenseMap<mlir::Operation *, uint64_t> offsets;
};

/// The address of byte `offset` of `frame`.
mlir::Value frameAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value frame, uint64_t offset);

/// On what placeInColumn returns: the field's words.
inline constexpr llvm::StringLiteral kFrameWordsAttr = "cilk2gpu.frame_words";

/// For a field of `words` words of a frame in columns (abi::kFrameGroup): the address from which its distance is as far
/// as from the frame's address to the field's first column. That of the frame itself, if it has one word.
mlir::Value placeInColumn(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value frame, uint64_t words);

/// Replaces each use of `local` by the frame's address at `offset`, computed right before the use, and erases it.
/// `words`: of the field, if the frame is in columns.
void moveToFrame(mlir::LLVM::AllocaOp local, mlir::Value frame, uint64_t offset, uint64_t words = 1);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_CUTS_H
