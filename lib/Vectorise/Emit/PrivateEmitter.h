// Accesses of local arrays that are laid out by lane (PrivateArrays.h). Where all lanes have the same index, known or
// found out at run time, a row is loaded or stored. Elsewhere elements are gathered and scattered.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_PRIVATEEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_PRIVATEEMITTER_H

#include "LaneMemoryEmitter.h"
#include "Vectorise/Analysis/PrivateArrays.h"

namespace cilk2gpu {

/// Byte `offset` of a local array of each lane: one i64, or a vector of them. Null array: no such place.
struct ArrayPlace {
  mlir::Value rows;
  uint64_t granule = 0, size = 0;
  mlir::Value offset;
  explicit operator bool() const { return bool(rows); }
  bool varies() const { return mlir::isa<mlir::VectorType>(offset.getType()); }
};

class PrivateEmitter : public BranchEmitter {
public:
  PrivateEmitter(EmitState &state, UnmaskedEmitter &unmasked, LaneMemoryEmitter &laneMemory)
      : BranchEmitter(state), unmasked(unmasked), laneMemory(laneMemory), arrays(lane, dataLayout) {}

  /// Each emits an operation on such an array; false if it is on other memory.
  bool emitPrivateAlloca(mlir::LLVM::AllocaOp op);
  bool emitPrivateAddress(mlir::LLVM::GEPOp op);
  bool emitPrivateCopy(mlir::LLVM::MemcpyOp op);
  bool emitPrivateFill(mlir::LLVM::MemsetOp op);

  ArrayPlace placeOf(Value pointer) const { return places.lookup(pointer); }
  Value loadPrivate(Location loc, Type type, const ArrayPlace &place);
  void storePrivate(Location loc, Value value, const ArrayPlace &place);

private:
  using Yields = llvm::SmallVector<Value>;

  ArrayPlace advanced(Location loc, const ArrayPlace &place, int64_t bytes);
  ArrayPlace advancedBy(Location loc, const ArrayPlace &place, Value bytes);
  Value rowAddress(Location loc, const ArrayPlace &place, Value at);
  Value elementAddress(Location loc, const ArrayPlace &place, Value at, Value number);
  Value elementAddresses(Location loc, const ArrayPlace &place);
  Value combine(Location loc, Type type, llvm::ArrayRef<Value> pieces, uint64_t granule);
  llvm::SmallVector<Value> pieces(Location loc, Value value, uint64_t granule);
  void assumeInside(Location loc, const ArrayPlace &place, uint64_t size);
  Value loadRows(Location loc, Type type, const ArrayPlace &place);
  Value loadElements(Location loc, Type type, const ArrayPlace &place);
  void storeRows(Location loc, Value value, const ArrayPlace &place);
  void storeElements(Location loc, Value value, const ArrayPlace &place);
  Yields whereShared(Location loc, const ArrayPlace &place, mlir::TypeRange results,
                     llvm::function_ref<Yields(const ArrayPlace &)> shared, llvm::function_ref<Yields()> apart);
  void repeat(Location loc, uint64_t bytes, uint64_t step, llvm::function_ref<void(Value)> body);
  void copyPerLane(Location loc, const ArrayPlace &place, Value memory, uint64_t bytes, bool toMemory);

  UnmaskedEmitter &unmasked;
  LaneMemoryEmitter &laneMemory;
  PrivateArrays arrays;
  llvm::DenseMap<Value, ArrayPlace> places;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_PRIVATEEMITTER_H
