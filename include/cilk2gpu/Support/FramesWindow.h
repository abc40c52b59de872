// The window of addresses that frames stand in (abi::kFrameUnit), as kernels find it.
#ifndef CILK2GPU_SUPPORT_FRAMESWINDOW_H
#define CILK2GPU_SUPPORT_FRAMESWINDOW_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace cilk2gpu {

/// The window's start: the same whenever a kernel runs.
mlir::Value loadFramesWindow(mlir::OpBuilder &builder, mlir::Location loc, mlir::ModuleOp module);

/// The address of the place that `offset` names, of the type that `pointer` is: i32 and !llvm.ptr, or vectors of them.
mlir::Value placeInFrames(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type pointer, mlir::Value window,
                          mlir::Value offset);

/// What names the place that `address` points to.
mlir::Value offsetInFrames(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_FRAMESWINDOW_H
