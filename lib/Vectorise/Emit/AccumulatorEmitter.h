// Emits accumulation. Lanes usually have the same accumulator. Then each lane folds its values in a vector, and memory
// is updated once, when the wavefront ends or a lane has another accumulator.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_ACCUMULATOREMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_ACCUMULATOREMITTER_H

#include "BranchEmitter.h"

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"

namespace cilk2gpu {

class AccumulatorEmitter : public BranchEmitter {
public:
  using BranchEmitter::BranchEmitter;

  void emitAccumulate(lane::AccumulateOp op);

  /// Emits updates of memory with the contents of all accumulators, at the end of the wavefront.
  void flushAll(Location loc);

private:
  /// The sums of each lane's contributions to `*pointer` so far. Both are variables of the wavefront function.
  struct Accumulator {
    Value original; ///< the lane function's pointer
    mlir::LLVM::AtomicBinOp kind;
    Value pointer, sums;
    mlir::VectorType type;
  };

  /// The lanes' pointers. If they are in the frames' window, `vector` has their offsets of 32 bits, which take half the
  /// registers. Else `vector` has the pointers, and `window` is null.
  struct Pointers {
    Value vector, window;
  };

  const Accumulator &accumulatorOf(lane::AccumulateOp op, mlir::VectorType type);
  Pointers pointersOf(lane::AccumulateOp op);
  Value hasOther(Location loc, const Pointers &pointers, Value current);
  Value changePointer(Location loc, const Accumulator &accumulator, Value value, const Pointers &pointers);
  mlir::LLVM::LLVMFuncOp changeFunction(const Accumulator &accumulator, const Pointers &pointers);
  void fillChangeFunction(mlir::LLVM::AtomicBinOp kind);
  void updateOthers(Location loc, mlir::LLVM::AtomicBinOp kind, Value values, const Pointers &pointers, Value spilled,
                    Value others);
  Value ofFirst(Location loc, const Pointers &pointers, Value spilled, Value lanes);
  Value pointerFor(Location loc, const Pointers &pointers, Value element);
  void flush(Location loc, mlir::LLVM::AtomicBinOp kind, Value pointer, Value sums);
  void updateMemory(Location loc, mlir::LLVM::AtomicBinOp kind, Value pointer, Value values, Value lanes);
  Value identity(Location loc, mlir::LLVM::AtomicBinOp kind, Type element);
  Value reduce(Location loc, mlir::LLVM::AtomicBinOp kind, Value vector);

  llvm::SmallVector<Accumulator> accumulators;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_ACCUMULATOREMITTER_H
