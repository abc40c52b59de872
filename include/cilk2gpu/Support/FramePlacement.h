// Where in a kernel its frame is taken and given back.
#ifndef CILK2GPU_SUPPORT_FRAMEPLACEMENT_H
#define CILK2GPU_SUPPORT_FRAMEPLACEMENT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Moves the kernel's `channel.talloc` of a frame as late as it can be: to a point that dominates every use of the
/// frame and every spawn, outside loops, so that tasks that end early take none. Then gives the frame back at each
/// return that the task itself reaches with it (not after publishing it to a post-sync stack). Existing `channel.tfree`
/// of the frame are replaced. `frame` is the result of the talloc, or, in a post-sync kernel, of the deq; then only
/// the tfrees are placed. Returns before which the frame is handed over carry the unit attribute `kHandsOverAttr`.
void placeFrame(mlir::LLVM::LLVMFuncOp kernel, mlir::Value frame, mlir::SymbolRefAttr frameNode);

/// On an llvm.return: the frame now belongs to a post-sync or restart channel.
inline constexpr llvm::StringLiteral kHandsOverAttr = "channel.hands_over";

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_FRAMEPLACEMENT_H
