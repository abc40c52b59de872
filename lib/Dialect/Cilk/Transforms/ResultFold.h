// How a task folds its children's results into its own: the analysis behind cilk-combine-results.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_RESULTFOLD_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_RESULTFOLD_H

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2gpu::cilk {

/// Spawned results that a task only folds: the variable, or the array of variables, that they go through.
struct FoldedSlot {
  mlir::LLVM::AllocaOp variable;
  llvm::SmallVector<SpawnOp> spawns;             ///< each is folded exactly once
  llvm::SmallVector<mlir::LLVM::LoadOp> loads;   ///< terms of the fold; they read nothing else
  llvm::SmallVector<mlir::LLVM::StoreOp> stores; ///< of the identity
  mlir::Block *sumHeader = nullptr; ///< of the loop that folds an array and does nothing else in it; or null
};

/// A task's result as a fold t1 o t2 o ... of terms, with one associative, commutative operation on numbers. On every
/// path through the task each term that is evaluated joins the fold exactly once, where it is used.
class ResultFold {
public:
  using Kind = mlir::LLVM::AtomicBinOp;

  /// Whether there are accumulators for results of this type.
  static bool canFold(mlir::Type type);

  /// Analyses a task with a result; nothing if the result is no fold. Of the kinds that fit, such as a sum that is one
  /// of a maximum's terms, one that takes all children's results is taken if there is any.
  static std::optional<ResultFold> analyse(mlir::LLVM::LLVMFuncOp task);

  Kind getKind() const { return kind; }
  mlir::Type getType() const { return type; }

  /// x o identity = x.
  mlir::TypedAttr getIdentity() const;

  /// Whether the value is a constant that changes nothing.
  bool isIdentity(mlir::Value value) const;

  /// Uses by which terms join the fold: operands of a folding operation, of a branch, or of the return.
  llvm::ArrayRef<mlir::OpOperand *> getTerms() const { return terms; }

  /// Values that hold part of the fold: results of folding operations, block arguments.
  const llvm::SetVector<mlir::Value> &getPartials() const { return partials; }

  /// The spawned results among the terms whose callee satisfies `isCombined`.
  llvm::SmallVector<FoldedSlot> findSlots(llvm::function_ref<bool(SpawnOp)> isCombined) const;

private:
  ResultFold(mlir::LLVM::LLVMFuncOp task, Kind kind);
  bool collect();
  void visit(mlir::OpOperand &use);
  bool isPartial(mlir::Value value) const;
  bool isFoldingUse(mlir::OpOperand &use) const;
  mlir::OpOperand &resultOf(mlir::LLVM::ReturnOp op) const;
  bool isUsedOnce(mlir::Value value) const;
  bool isTerm(mlir::LLVM::LoadOp load) const;
  std::optional<FoldedSlot> scalarSlot(mlir::LLVM::AllocaOp variable) const;
  std::optional<FoldedSlot> arraySlot(mlir::LLVM::AllocaOp variable) const;

  mutable mlir::LLVM::LLVMFuncOp task; ///< a handle; operations are not const
  Kind kind;
  mlir::Type type;
  llvm::SetVector<mlir::Value> partials;
  llvm::DenseSet<mlir::Value> excluded; ///< values that look like partials but are not used exactly once
  llvm::SmallVector<mlir::OpOperand *> terms;
};

/// Whether there are slots, and no child's result goes elsewhere.
bool takesAllResults(mlir::LLVM::LLVMFuncOp task, llvm::ArrayRef<FoldedSlot> slots);

/// The operands of `value`'s defining operation if that folds them with `kind`, else nothing: an operation of that
/// name, or a selection of the larger or smaller of the two.
llvm::SmallVector<mlir::OpOperand *> foldedOperands(mlir::Value value, ResultFold::Kind kind);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_RESULTFOLD_H
