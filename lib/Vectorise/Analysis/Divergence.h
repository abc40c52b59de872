// Analysis of the values of a structured lane function that differ from lane to lane.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_DIVERGENCE_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_DIVERGENCE_H

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2gpu {

/// Divergence of the values of a function that liftToStructured has rewritten. A value is *uniform* if all lanes that
/// compute it compute the same value; all other values *vary*. Poison counts as equal to any value. On paths that leave
/// a loop early, lifting yields poison for values that are not needed there, and such a path must not make a counter
/// varying.
class Divergence {
public:
  /// `agreed` are fields of the element that are assumed to be the same in all lanes. `varyingArguments` has an entry
  /// for each argument of the function that says if it varies; a kernel has no arguments.
  explicit Divergence(mlir::LLVM::LLVMFuncOp func, llvm::ArrayRef<lane::DeqOp> agreed = {},
                      llvm::ArrayRef<bool> varyingArguments = {});

  bool varies(mlir::Value value) const { return varying.contains(value); }

  /// Returns true if the value is poison on every path that leads to it.
  bool isPoison(mlir::Value value) const;

private:
  void findPoison(mlir::LLVM::LLVMFuncOp func);
  void visit(mlir::Operation *op);
  void visitBranch(mlir::Operation *op, mlir::Value condition);
  void visitLoop(mlir::Operation *op);
  bool visitSource(mlir::Operation *op);
  void mark(mlir::Value value);

  llvm::SmallPtrSet<mlir::Operation *, 8> agreed;
  llvm::DenseSet<mlir::Value> varying, poison;
  bool changed = false;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_DIVERGENCE_H
