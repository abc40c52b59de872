// Calls, and other operations that run lane after lane.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_CALLEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_CALLEMITTER_H

#include "BranchEmitter.h"
#include "VectorClones.h"

namespace cilk2gpu {

class CallEmitter : public BranchEmitter {
public:
  /// `clones` are the clones of functions that lanes may call together.
  CallEmitter(EmitState &state, VectorClones &clones) : BranchEmitter(state), clones(clones) {}

  bool emitVectorMath(mlir::LLVM::CallOp call);
  bool emitCloneCall(mlir::LLVM::CallOp call);
  void emitPerLane(Operation *op);

private:
  VectorClones &clones;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_CALLEMITTER_H
