// The form of a kernel for lanes that restart.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RESTARTFORM_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RESTARTFORM_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu {

/// Splits `kernel`: it keeps the code for fresh lanes, and the returned function runs lanes that restart. In that
/// function, local variables stay in the fields where a refused lane saves them. Returns null and keeps `kernel` for
/// both if it has no restarts, or not in the form that channel-make-resumable makes.
mlir::LLVM::LLVMFuncOp splitRestarts(mlir::LLVM::LLVMFuncOp kernel, mlir::OpBuilder &builder);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RESTARTFORM_H
