// Values and variables that live across cuts of a function. A *cut* is a block at whose start an activation may be
// suspended: it waits at a sync, or yields. It resumes there later, with nothing but its frame. The split at syncs and
// the making of resumable kernels share these analyses and rewrites. All work on llvm.func bodies of the LLVM dialect.
#ifndef CILK2GPU_DIALECT_ANALYSIS_CUTS_H
#define CILK2GPU_DIALECT_ANALYSIS_CUTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2gpu {

using BlockSet = llvm::SmallPtrSet<mlir::Block *, 16>;

/// Returns the blocks that are reachable from `from` along successor edges, `from` included. Edges out of a block in
/// `stops` are not followed.
BlockSet reachableFrom(mlir::Block *from, const BlockSet &stops = {});

/// Returns the static allocas of the function's entry block.
llvm::SmallVector<mlir::LLVM::AllocaOp> staticAllocas(mlir::LLVM::LLVMFuncOp func);

/// Returns true if `use` passes an address to a call that does not keep it.
bool isBorrowed(mlir::OpOperand &use);

/// Returns the number of bytes of a static alloca.
uint64_t storageSize(mlir::LLVM::AllocaOp local);

/// Copies a value of the type and size of `local`, to save or restore it. Returns the operation that writes the copy.
mlir::Operation *copyLocal(mlir::OpBuilder &builder, mlir::Location loc, mlir::LLVM::AllocaOp local, mlir::Value from,
                           mlir::Value to);

/// Makes an alloca of one `type` at the start of `entry`.
mlir::LLVM::AllocaOp createLocal(mlir::Block &entry, mlir::Type type, mlir::Location loc, unsigned align = 0);

/// Returns the operations at the start of the entry block that name the types which landing pads catch.
/// demoteAcrossCuts makes these operations. They stand in the entry block because nothing may precede a landing pad in
/// its block.
llvm::SmallVector<mlir::Operation *> handlerTypes(mlir::LLVM::LLVMFuncOp func);

/// Demotes the SSA values that are live into a cut, in one of two ways:
/// - moves a value to a local variable: an alloca in the entry block with whole loads and stores;
/// - computes a cheap value again at its uses: a constant, or the address of a local or of `frame`.
///
/// Afterwards, only allocas and handler types are live into a cut. `frame`, if given, is demoted like any value.
/// Returns the local that holds the frame, or null if the frame is not live into a cut.
mlir::LLVM::AllocaOp demoteAcrossCuts(mlir::LLVM::LLVMFuncOp func, const BlockSet &cuts, mlir::Value frame = {});

/// Classification and liveness of a function's local variables (static allocas) with respect to cuts.
class LocalVariables {
public:
  LocalVariables(mlir::LLVM::LLVMFuncOp func, const BlockSet &cuts);

  /// Returns the locals that are live into `cut` and whose addresses do not escape. They must be saved and restored
  /// there (copyLocal).
  const llvm::SetVector<mlir::LLVM::AllocaOp> &savedAt(mlir::Block *cut) const { return saved.find(cut)->second; }

  /// Returns the locals that are live across a cut and must stay at one address. They live in the frame. An escaped
  /// local counts as live from its escape to the end of the function. Large locals live in the frame, too, because
  /// copying them costs too much.
  llvm::ArrayRef<mlir::LLVM::AllocaOp> residents() const { return resident; }

private:
  static constexpr uint64_t kMostCopied = 256; ///< bytes

  class Reachability;
  struct Uses {
    bool isScalar; ///< accessed only by whole loads and stores
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

/// Attribute (i64) of an address that frameAddress made: its offset in the frame.
inline constexpr llvm::StringLiteral kFrameOffsetAttr = "cilk2gpu.frame_offset";

/// Offsets of fields in a frame, in bytes. Fields are laid out in the order in which they are added.
class FrameLayout {
public:
  FrameLayout(const mlir::DataLayout &dataLayout, uint64_t size = 0, uint64_t align = 1)
      : dataLayout(dataLayout), size(size), align(align) {}

  /// Adds a field with room for `local` and returns its offset.
  uint64_t addField(mlir::LLVM::AllocaOp local);

  /// Returns the offset of the field that holds `local`, and adds the field if it is new. `local` must outlive the
  /// layout.
  uint64_t offsetOf(mlir::LLVM::AllocaOp local);
  uint64_t getSize() const { return size; }
  uint64_t getAlign() const { return align; }

  /// Offset and size of each field, in the order of addition.
  llvm::ArrayRef<int64_t> getFields() const { return fields; }

private:
  const mlir::DataLayout &dataLayout;
  uint64_t size, align;
  llvm::SmallVector<int64_t> fields;
  llvm::DenseMap<mlir::Operation *, uint64_t> offsets;
};

/// Returns the address of byte `offset` of `frame`.
mlir::Value frameAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value frame, uint64_t offset);

/// Attribute of an address that placeInColumn made: the number of words of the field.
inline constexpr llvm::StringLiteral kFrameWordsAttr = "cilk2gpu.frame_words";

/// Returns the base address of a field of `words` words, in a frame that lies in columns (abi::kFrameGroup). The field
/// begins at this address plus the offset of the field's first column. For a field of one word, the base is the address
/// of the frame.
mlir::Value placeInColumn(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value frame, uint64_t words);

/// Replaces each use of `local` by the frame's address at `offset`, computed right before the use, and erases `local`.
/// If the frame is in columns, the field has `words` words.
void moveToFrame(mlir::LLVM::AllocaOp local, mlir::Value frame, uint64_t offset, uint64_t words = 1);

} // namespace cilk2gpu

#endif // CILK2GPU_DIALECT_ANALYSIS_CUTS_H
