// Placement of the points in a kernel at which its frame is taken and given back.
#ifndef CILK2GPU_DIALECT_ANALYSIS_FRAMEPLACEMENT_H
#define CILK2GPU_DIALECT_ANALYSIS_FRAMEPLACEMENT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Moves the kernel's `channel.talloc` of a frame to the latest possible point: outside loops, before every use of the
/// frame and every spawn. So tasks that end early take no frame.
///
/// Then places a `channel.tfree` at each return that the task itself reaches while it owns the frame. After the frame
/// has been published to a post-sync stack, the task no longer owns it. Existing `channel.tfree` operations of the
/// frame are replaced. `frame` is the result of the talloc. In a post-sync kernel, it is the result of the deq, and
/// only the tfrees are placed. A return after a hand-over of the frame gets the unit attribute `kHandsOverAttr`.
void placeFrame(mlir::LLVM::LLVMFuncOp kernel, mlir::Value frame, mlir::SymbolRefAttr frameNode);

/// Unit attribute of an llvm.return: the frame now belongs to a post-sync or restart channel.
inline constexpr llvm::StringLiteral kHandsOverAttr = "channel.hands_over";

} // namespace cilk2gpu

#endif // CILK2GPU_DIALECT_ANALYSIS_FRAMEPLACEMENT_H
