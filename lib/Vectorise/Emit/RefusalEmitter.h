// Emits code for lanes that are refused space: they save their live values and yield. Refusals are rare, so the code is
// made small rather than fast: a loop over the refused lanes, in which each lane runs as a scalar. In vectors, each
// saved value would need a scatter.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_REFUSALEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_REFUSALEMITTER_H

#include "FrameEmitter.h"
#include "PrivateEmitter.h"
#include "mlir/IR/IRMapping.h"

namespace cilk2gpu {

class RefusalEmitter : public BranchEmitter {
public:
  RefusalEmitter(EmitState &state, PrivateEmitter &privates, FrameEmitter &frames)
      : BranchEmitter(state), privates(privates), frames(frames) {}

  llvm::SmallVector<Operation *> findRefusal(Block &block);

  /// `emitOp` emits the block's other operations.
  void emitRefusal(Block &block, llvm::ArrayRef<Operation *> refusal, llvm::function_ref<void(Operation *)> emitOp);

  void yieldLane(Location loc, Value frame, Value site);

private:
  void emitForLane(Operation *op, mlir::IRMapping &mapping);
  Value spillShared(Location loc, Value vector, unsigned number);
  Value takeFrame(Location loc);

  PrivateEmitter &privates;
  FrameEmitter &frames;
  llvm::DenseMap<Type, llvm::SmallVector<Value>> refusalSlots;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_REFUSALEMITTER_H
