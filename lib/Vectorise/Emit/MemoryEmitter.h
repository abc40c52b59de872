// Loads, stores and local variables, for every kind of memory.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_MEMORYEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_MEMORYEMITTER_H

#include "FrameEmitter.h"
#include "PrivateEmitter.h"
#include "RowEmitter.h"

namespace cilk2gpu {

class MemoryEmitter : public BranchEmitter {
public:
  MemoryEmitter(EmitState &state, LaneMemoryEmitter &laneMemory, PrivateEmitter &privates, FrameEmitter &frames,
                RowEmitter &rows)
      : BranchEmitter(state), laneMemory(laneMemory), privates(privates), frames(frames), rows(rows) {}

  void emitAlloca(mlir::LLVM::AllocaOp op);
  void emitLoad(mlir::LLVM::LoadOp op);
  void emitStore(mlir::LLVM::StoreOp op);

private:
  mlir::LLVM::StoreOp nextWord(mlir::LLVM::StoreOp op) const;
  bool storeJoined(mlir::LLVM::StoreOp op);

  LaneMemoryEmitter &laneMemory;
  PrivateEmitter &privates;
  FrameEmitter &frames;
  RowEmitter &rows;
  llvm::SmallVector<mlir::LLVM::StoreOp> joined; ///< stores that are emitted with the store of the next word
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_MEMORYEMITTER_H
