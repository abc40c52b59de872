// Moves updates of an accumulator to where they wait for nothing.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_MOVEUPDATES_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_MOVEUPDATES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu::cilk {

/// Moves the update in front of the syncs from which every path leads to it, together with the code without effects
/// that computes its operand. Nobody reads the accumulator before the task and its children have finished, so the
/// update may take place earlier. Where nothing else is behind a sync, no continuation has to wait for it.
void moveAboveSyncs(mlir::LLVM::AtomicRMWOp update);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_MOVEUPDATES_H
