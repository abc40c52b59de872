// The fold of a task's children's results into its own result: the analysis behind cilk-combine-results.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_RESULTFOLD_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_RESULTFOLD_H

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2gpu {
class Points;
}

namespace cilk2gpu::cilk {

/// Spawned results that a task only folds, and the variable, or the array of variables, that receives them. A variable
/// may also hold values of the task's own. It is a term of the fold together with them.
struct FoldedSlot {
  mlir::LLVM::AllocaOp variable;
  llvm::SmallVector<SpawnOp> spawns;           ///< spawns whose results are folded exactly once, also spawns of updates
  llvm::SmallVector<mlir::LLVM::LoadOp> loads; ///< for an array: terms of the fold that load only these results
  llvm::SmallVector<mlir::LLVM::StoreOp> stores; ///< for an array: values of the task's own that join the fold
  mlir::LLVM::MemsetOp clear;                    ///< for an array: what clears it before; or null
  mlir::Block *sumHeader = nullptr; ///< header of the loop that folds an array and has no other effect; or null

  bool isArray() const { return !loads.empty(); }
};

/// A task's result as a fold t1 o t2 o ... of terms, with one associative, commutative operation on numbers. On every
/// path through the task, each evaluated term joins the fold exactly once, where it is used.
class ResultFold {
public:
  using Kind = mlir::LLVM::AtomicBinOp;

  /// What writes an element of an array: a spawn or a store, and the index.
  struct Write {
    mlir::Operation *op;
    mlir::Value index;
  };

  /// Returns true if there are accumulators for results of this type.
  static bool canFold(mlir::Type type);

  /// Analyses a task with a result. Returns nothing if the result is not a fold. Several kinds may fit: for example, a
  /// sum may be one term of a maximum. Then a kind that takes all children's results is preferred.
  static std::optional<ResultFold> analyse(mlir::LLVM::LLVMFuncOp task, mlir::SymbolTable &symbols);

  /// Analyses a task as a fold of the given kind. The fold may consist of one term, such as the result of another task.
  static std::optional<ResultFold> analyse(mlir::LLVM::LLVMFuncOp task, Kind kind, mlir::SymbolTable &symbols);

  /// Returns true if the task's result is computed by an operation that folds, whatever it folds.
  static bool hasFold(mlir::LLVM::LLVMFuncOp task, mlir::SymbolTable &symbols);

  Kind getKind() const { return kind; }
  mlir::Type getType() const { return type; }

  /// Returns the identity: x o identity = x.
  mlir::TypedAttr getIdentity() const;

  /// Returns true if the value is the identity, a constant that changes nothing in the fold. Needs no code of the fold.
  bool isIdentity(mlir::Value value) const;

  /// Returns the uses by which terms join the fold: operands of a folding operation, of a branch, or of the return.
  llvm::ArrayRef<mlir::OpOperand *> getTerms() const { return terms; }

  /// Returns the values that hold part of the fold: results of folding operations, and block arguments.
  const llvm::SetVector<mlir::Value> &getPartials() const { return partials; }

  /// Returns true if `spawn` is the spawn of an update `x += f(...)` of this kind, and x has the type of the result.
  bool updates(SpawnOp spawn) const;

  /// Returns the slots of spawned results among the terms. Takes only spawns that satisfy `isCombined`.
  llvm::SmallVector<FoldedSlot> findSlots(llvm::function_ref<bool(SpawnOp)> isCombined) const;

  /// Returns true if there are slots, and every child's result goes to one of them.
  bool takesAllResults(llvm::ArrayRef<FoldedSlot> slots) const;

private:
  ResultFold(mlir::LLVM::LLVMFuncOp task, Kind kind, mlir::SymbolTable &symbols);
  void collect();
  bool foldsChildren() const;
  llvm::SmallVector<mlir::OpOperand *> operandsOf(mlir::Value partial) const;
  void visit(mlir::OpOperand &use);
  bool isPartial(mlir::Value value) const;
  bool isFoldingUse(mlir::OpOperand &use) const;
  mlir::OpOperand &resultOf(mlir::LLVM::ReturnOp op) const;
  bool isUsedOnce(mlir::Value value) const;
  bool isTerm(mlir::LLVM::LoadOp load) const;
  std::optional<FoldedSlot> scalarSlot(mlir::LLVM::AllocaOp variable) const;
  std::optional<FoldedSlot> arraySlot(mlir::LLVM::AllocaOp variable) const;
  std::optional<FoldedSlot> findArray(mlir::LLVM::AllocaOp variable, llvm::SmallVectorImpl<Write> &writes,
                                      llvm::SmallVectorImpl<mlir::Value> &loadIndices) const;
  bool isClearedToIdentity(mlir::LLVM::MemsetOp clear) const;
  bool spawnsBehindSync(const FoldedSlot &slot, const Points &loop) const;

  mutable mlir::LLVM::LLVMFuncOp task; ///< mutable because queries of the handle are not const
  Kind kind;
  mlir::Type type;
  mlir::SymbolTable *symbols;
  llvm::SetVector<mlir::Value> partials;
  llvm::DenseSet<mlir::Value> excluded; ///< values that look like partials but are not used exactly once
  llvm::SmallVector<mlir::OpOperand *> terms;
  bool ignoresSignOfZero = false; ///< +0.0 is an identity, too; still known when the operations have changed
};

/// Returns the operands of `value`'s defining operation if it folds them by `kind`, else nothing. It folds them if it
/// is the operation of `kind`, or if it selects the larger or smaller operand.
llvm::SmallVector<mlir::OpOperand *> foldedOperands(mlir::Value value, ResultFold::Kind kind);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_RESULTFOLD_H
