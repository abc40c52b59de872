// A condition that passes check before they move a load.
#ifndef CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_MEMORYKEPT_H
#define CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_MEMORYKEPT_H

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cilk2gpu::channel {

/// Returns true if `from` stands before `to` in the same block, and nothing between them can change the program's
/// memory.
inline bool isMemoryKept(mlir::Operation *from, mlir::Operation *to) {
  if (from->getBlock() != to->getBlock())
    return false;
  for (mlir::Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
    if (!mlir::isa<TallocOp, mlir::LLVM::LoadOp>(op) && !mlir::isMemoryEffectFree(op))
      return false;
  return true;
}

} // namespace cilk2gpu::channel

#endif // CILK2GPU_LIB_DIALECT_CHANNEL_TRANSFORMS_MEMORYKEPT_H
