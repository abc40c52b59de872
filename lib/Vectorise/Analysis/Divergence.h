// Which values of a structured lane function differ from lane to lane.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_DIVERGENCE_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_DIVERGENCE_H

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2gpu {

/// Divergence of the values of a function that liftToStructured has rewritten. A value is *uniform* if all lanes that
/// compute it compute the same; everything else *varies*. Poison takes the value that suits: on paths that leave a loop
/// early, lifting makes poison of what is not needed there, and such a path must not make a counter varying.
class Divergence {
public:
  /// `agreed`: fields of the element that are taken to be the same in all lanes. `varyingArguments`: of the function; a
  /// kernel has none.
  explicit Divergence(mlir::LLVM::LLVMFuncOp func, llvm::ArrayRef<lane::DeqOp> agreed = {},
                      llvm::ArrayRef<bool> varyingArguments = {});

  bool varies(mlir::Value value) const { return varying.contains(value); }

  /// Whether the value is poison wherever it comes from.
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
