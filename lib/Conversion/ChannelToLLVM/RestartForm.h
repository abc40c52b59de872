// The form of a kernel for lanes that restart.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RESTARTFORM_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RESTARTFORM_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu {

/// Makes `kernel` what a fresh lane does, and returns another function for lanes that restart, whose local variables
/// are where a lane that is refused would save them. Null if nothing in the kernel restarts, or not in the form that
/// channel-make-resumable gives it: then `kernel` stays what both do.
mlir::LLVM::LLVMFuncOp splitRestarts(mlir::LLVM::LLVMFuncOp kernel, mlir::OpBuilder &builder);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_RESTARTFORM_H
