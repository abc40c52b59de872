// Accumulation. As long as the lanes' accumulator is the same one, and it mostly is, values are folded lane by lane in
// a vector. Memory is updated once, when the wavefront ends or a lane has another accumulator.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_ACCUMULATOREMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_ACCUMULATOREMITTER_H

#include "BranchEmitter.h"

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"

namespace cilk2gpu {

class AccumulatorEmitter : public BranchEmitter {
public:
  using BranchEmitter::BranchEmitter;

  void emitAccumulate(lane::AccumulateOp op);

  /// Updates memory with what all accumulators hold, at the end of the wavefront.
  void flushAll(Location loc);

private:
  /// The sums of what each lane has contributed to `*pointer` so far. Both are variables of the wavefront function.
  struct Accumulator {
    mlir::LLVM::AtomicBinOp kind;
    Value pointer, sums;
    mlir::VectorType type;
  };

  void changePointer(Location loc, const Accumulator &accumulator, Value value, Value pointers);
  void flush(Location loc, const Accumulator &accumulator);
  void updateMemory(Location loc, mlir::LLVM::AtomicBinOp kind, Value pointer, Value values, Value lanes);
  Value identity(Location loc, mlir::LLVM::AtomicBinOp kind, Type element);
  Value reduce(Location loc, mlir::LLVM::AtomicBinOp kind, Value vector);

  llvm::SmallVector<Accumulator> accumulators;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_ACCUMULATOREMITTER_H
