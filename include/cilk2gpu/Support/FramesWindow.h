// The window of addresses that contains all frames (abi::kFrameUnit), and the 32-bit offsets in it that kernels use.
#ifndef CILK2GPU_SUPPORT_FRAMESWINDOW_H
#define CILK2GPU_SUPPORT_FRAMESWINDOW_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace cilk2gpu {

/// Loads the start of the window. It never changes while kernels run.
mlir::Value loadFramesWindow(mlir::OpBuilder &builder, mlir::Location loc, mlir::ModuleOp module);

/// Returns the address for `offset`. The types are i32 and !llvm.ptr, or vectors of them; `pointer` is the result's
/// type.
mlir::Value placeInFrames(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type pointer, mlir::Value window,
                          mlir::Value offset);

/// Returns the 32-bit offset for `address`.
mlir::Value offsetInFrames(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_FRAMESWINDOW_H
