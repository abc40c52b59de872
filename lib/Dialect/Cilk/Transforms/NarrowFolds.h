// Narrows folds of results whose type is narrower than the types in which C computes.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_NARROWFOLDS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_NARROWFOLDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu::cilk {

/// Moves computations with the results of a task's children to the type of the task's own result, if the result stays
/// the same. C widens `char`, `short` and `bool` to `int`, computes, and narrows the result:
///
///   trunc (add (sext %x : i16 to i32), (sext %y : i16 to i32)) : i32 to i16  ->  add %x, %y : i16
///
/// A `bool` is computed as the byte that holds it, and becomes an i1 only at the return.
void narrowFolds(mlir::LLVM::LLVMFuncOp task);

/// Erases operations without effects that nothing uses.
void eraseDead(mlir::LLVM::LLVMFuncOp func);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_NARROWFOLDS_H
