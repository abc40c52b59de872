// Accesses to local arrays that are laid out by lane (PrivateArrays.h). If all lanes have the same index, which may be
// tested at run time, a row is loaded or stored. Otherwise, elements are gathered and scattered.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_PRIVATEEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_PRIVATEEMITTER_H

#include "LaneMemoryEmitter.h"
#include "Vectorise/Analysis/PrivateArrays.h"

namespace cilk2gpu {

/// Address of byte `offset` of a local array, for each lane. The offset is one i64 for all lanes, or a vector. If the
/// array is null, there is no lane address.
struct LaneAddress {
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

  /// Each of these emits an operation on such an array, or returns false if the operation is on other memory.
  bool emitPrivateAlloca(mlir::LLVM::AllocaOp op);
  bool emitPrivateAddress(mlir::LLVM::GEPOp op);
  bool emitPrivateCopy(mlir::LLVM::MemcpyOp op);
  bool emitPrivateFill(mlir::LLVM::MemsetOp op);

  LaneAddress laneAddressOf(Value pointer) const { return addresses.lookup(pointer); }
  Value loadPrivate(Location loc, Type type, const LaneAddress &address);
  void storePrivate(Location loc, Value value, const LaneAddress &address);

private:
  using Yields = llvm::SmallVector<Value>;

  LaneAddress advanced(Location loc, const LaneAddress &address, int64_t bytes);
  LaneAddress advancedBy(Location loc, const LaneAddress &address, Value bytes);
  Value rowAddress(Location loc, const LaneAddress &address, Value at);
  Value elementAddress(Location loc, const LaneAddress &address, Value at, Value number);
  Value elementAddresses(Location loc, const LaneAddress &address);
  Value combine(Location loc, Type type, llvm::ArrayRef<Value> pieces, uint64_t granule);
  llvm::SmallVector<Value> pieces(Location loc, Value value, uint64_t granule);
  void assumeInside(Location loc, const LaneAddress &address, uint64_t size);
  Value loadRows(Location loc, Type type, const LaneAddress &address);
  Value loadElements(Location loc, Type type, const LaneAddress &address);
  void storeRows(Location loc, Value value, const LaneAddress &address);
  void storeElements(Location loc, Value value, const LaneAddress &address);
  Yields whereShared(Location loc, const LaneAddress &address, mlir::TypeRange results,
                     llvm::function_ref<Yields(const LaneAddress &)> shared, llvm::function_ref<Yields()> apart);
  void repeat(Location loc, uint64_t bytes, uint64_t step, llvm::function_ref<void(Value)> body);
  void copyPerLane(Location loc, const LaneAddress &address, Value memory, uint64_t bytes, bool toMemory);

  UnmaskedEmitter &unmasked;
  LaneMemoryEmitter &laneMemory;
  PrivateArrays arrays;
  llvm::DenseMap<Value, LaneAddress> addresses;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_PRIVATEEMITTER_H
