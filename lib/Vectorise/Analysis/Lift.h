// Lifts a lane function's control flow graph to structured control flow (scf.if, scf.index_switch, scf.while), which is
// what masks can follow.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LIFT_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LIFT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Rewrites the body of `func`, which returns nothing, into one block of structured control flow. A loop is an
/// scf.while whose `before` region is the body and whose `after` region hands the values on. Code that cannot be
/// reached ends in a return, so that no path is left over. Fails, with the function in an undefined state, on control
/// flow that has no structure (computed branches, endless loops).
mlir::LogicalResult liftToStructured(mlir::LLVM::LLVMFuncOp func);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LIFT_H
