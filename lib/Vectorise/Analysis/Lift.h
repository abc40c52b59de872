// Lifts a lane function's control-flow graph to structured control flow (scf.if, scf.index_switch, scf.while), for
// which masks can be computed.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LIFT_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LIFT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Rewrites the body of `func`, which returns nothing, into one block of structured control flow. A loop is an
/// scf.while whose `before` region is the body and whose `after` region passes the values on. Unreachable code ends in
/// a return, so that every path has an end. Fails, with the function in an undefined state, for control flow without
/// structure (computed branches, endless loops).
mlir::LogicalResult liftToStructured(mlir::LLVM::LLVMFuncOp func);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LIFT_H
