// Placement of the points in a kernel at which its frame is taken and given back.
#ifndef CILK2GPU_DIALECT_ANALYSIS_FRAMEPLACEMENT_H
#define CILK2GPU_DIALECT_ANALYSIS_FRAMEPLACEMENT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Moves the kernel's `channel.talloc` of a frame to the latest possible point: outside loops, before every use of the
/// frame and every spawn. So tasks that end early take no frame.
///
/// Then gives the frame back at each return that the task itself reaches with the frame, but not after publishing it to
/// a post-sync stack. Existing `channel.tfree` operations of the frame are replaced. `frame` is the result of the
/// talloc. In a post-sync kernel, it is the result of the deq, and only the tfrees are placed. A return after a
/// hand-over of the frame has the unit attribute `kHandsOverAttr`.
void placeFrame(mlir::LLVM::LLVMFuncOp kernel, mlir::Value frame, mlir::SymbolRefAttr frameNode);

/// Attribute of an llvm.return: the frame now belongs to a post-sync or restart channel.
inline constexpr llvm::StringLiteral kHandsOverAttr = "channel.hands_over";

} // namespace cilk2gpu

#endif // CILK2GPU_DIALECT_ANALYSIS_FRAMEPLACEMENT_H
