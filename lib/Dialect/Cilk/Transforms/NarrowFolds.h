// Folds of results that are narrower than the types C computes with.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_NARROWFOLDS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_NARROWFOLDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu::cilk {

/// C widens `char`, `short` and `bool` to `int`, computes, and narrows the result. Moves computations with the results
/// of a task's children to the type of the task's own result, where that makes no difference:
///
///   trunc (add (sext %x : i16 to i32), (sext %y : i16 to i32)) : i32 to i16  ->  add %x, %y : i16
///
/// A `bool` is computed as the byte that holds it, and becomes an i1 where it is returned.
void narrowFolds(mlir::LLVM::LLVMFuncOp task);

/// Erases operations without effects that nothing uses.
void eraseDead(mlir::LLVM::LLVMFuncOp func);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_NARROWFOLDS_H
