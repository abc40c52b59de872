// Accesses in which neighbouring lanes have neighbouring memory (lib/Vectorise/Analysis/LaneStrides.h).
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_ROWEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_ROWEMITTER_H

#include "LaneMemoryEmitter.h"
#include "Vectorise/Analysis/LaneStrides.h"

namespace cilk2gpu {

class RowEmitter : public BranchEmitter {
public:
  RowEmitter(EmitState &state, LaneMemoryEmitter &laneMemory)
      : BranchEmitter(state), laneMemory(laneMemory), strides(state.lane, *state.divergence, state.dataLayout) {}

  /// Emits a load or a store of a row. Returns false if lanes are not neighbours in memory.
  bool emitLoad(mlir::LLVM::LoadOp op);
  bool emitStore(mlir::LLVM::StoreOp op);

  /// Emits a comparison of a value that grows by 1 from lane to lane with a uniform number: the lanes for which it
  /// holds follow one another. Returns false if vectors are better.
  bool emitCompare(mlir::LLVM::ICmpOp op);

  /// Returns true if the value of a loop that varies grows evenly. Then the value of lane 0 also goes around the loop,
  /// as a scalar.
  bool growsEvenly(Value value) const { return strides.strideOf(value).has_value(); }
  void noteFirst(Value value, Value first) { firsts[value] = first; }
  Value firstOf(Location loc, Value value) { return valueAt(loc, value, constant(loc, builder.getI64Type(), 0)); }

private:
  /// A vector in memory.
  struct Row {
    Value address;     ///< of the element with the lowest address
    Value isRow;       ///< true if the lanes are neighbours; null: they always are
    bool isDescending; ///< lane 0 has the last element
  };

  std::optional<Row> rowAt(Location loc, Value address, uint64_t size);
  Value haveEvenValues(Location loc, llvm::ArrayRef<Value> conversions, Value first, Value last);
  std::pair<Value, Value> outerLanes(Location loc);
  Value valueAt(Location loc, Value value, Value lane);
  Value advanced(Location loc, Value first, int64_t stride, Value lane);
  bool canMask(Type element) const;
  Value isFull(Location loc);
  Value lanesBefore(Location loc, Value number);
  Value lanesOfInterval(Location loc, Value first, Value count);
  Value reversed(Location loc, Value vector);

  LaneMemoryEmitter &laneMemory;
  LaneStrides strides;
  llvm::DenseMap<Value, Value> firsts; ///< arguments and results of loops -> value of lane 0
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_ROWEMITTER_H
