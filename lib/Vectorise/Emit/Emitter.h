// Emits a wavefront function from a structured lane function: vector code under masks.
//
// The wavefront's lanes are processed in blocks of `length` lanes. The emitted function is a loop over these blocks,
// with the lane function's body in it:
//
// - Uniform values are scalars, and varying values are vectors.
// - A branch on a uniform condition stays a branch. A branch on a varying condition runs both sides, each under its
//   mask. A side is skipped if its mask is empty.
// - A loop runs until no lane is active.
//
// Masks are never combined with `and`, because an inactive lane may hold poison, which only `select` stops.
//
// This class emits control flow. The other parts emit operations; all parts share an EmitState.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_EMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_EMITTER_H

#include "CallEmitter.h"
#include "ElementwiseEmitter.h"
#include "LaneOpEmitter.h"
#include "MemoryEmitter.h"

namespace cilk2gpu {

class Emitter : private BranchEmitter {
public:
  /// `state` belongs to the lane function. The lanes of its vectors are a power of two from 4 to 64. `frameColumns` has
  /// the size of the field in each column of the task's frames, and is empty if frames are not in columns. `clones` are
  /// the clones of functions that lanes may call together.
  Emitter(EmitState &state, llvm::ArrayRef<uint64_t> frameColumns, VectorClones &clones);

  /// Emits the body a second time, for blocks of lanes that agree in the results of `fields`. `agreed` is the
  /// divergence for these blocks.
  void addAgreement(llvm::ArrayRef<lane::DeqOp> fields, const Divergence &agreed);

  /// Creates the wavefront function `name` after the lane function.
  mlir::LLVM::LLVMFuncOp emit(llvm::StringRef name);

  /// Creates the function `name` of a row of threads after the lane function, with the same parameters
  /// (lane::kBlockBodyAttr). If lanes wait for one another, it runs the vector of threads that the place names.
  mlir::LLVM::LLVMFuncOp emitRow(llvm::StringRef name);

  /// Emits the body of `clone`, a declared vector clone of the lane function.
  void emitClone(mlir::LLVM::LLVMFuncOp clone);

private:
  void emitVectorOfRow(Value first, Value threads);
  void emitPrologue(mlir::LLVM::LLVMFuncOp func);
  Value emitBlockMask(Location loc);
  void emitBodies();
  Value emitAgreement(Location loc);
  void emitBlock(Block &block);
  void emitOp(Operation *op);
  void emitIf(Operation *op);
  void emitSwitch(Operation *op);
  void emitUniformSwitch(Operation *op);
  void emitVaryingSides(Operation *op, llvm::ArrayRef<std::pair<Value, mlir::Region *>> sides);
  Value uniformResult(Operation *op, Value yielded, Value joined);
  llvm::SmallVector<Value> emitSide(Operation *op, mlir::Region &region, Value mask);
  void emitLoop(Operation *op);
  llvm::SmallVector<Value> operandsAs(mlir::ValueRange operands, mlir::ValueRange shape);

  UnmaskedEmitter unmasked;
  LaneMemoryEmitter laneMemory;
  PrivateEmitter privates;
  FrameEmitter frames;
  RowEmitter rows;
  MemoryEmitter memory;
  CallEmitter calls;
  ElementwiseEmitter elementwise;
  AccumulatorEmitter accumulators;
  RefusalEmitter refusals;
  LaneOpEmitter laneOps;
  const Divergence *agreedDivergence = nullptr;
  llvm::SmallVector<lane::DeqOp> agreedFields;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_EMITTER_H
