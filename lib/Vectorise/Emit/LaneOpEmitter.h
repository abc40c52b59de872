// Operations of the `lane` dialect for a vector of lanes. Elements are read and appended contiguously, field by field.
#ifndef CILK2GPU_LIB_VECTORISE_EMIT_LANEOPEMITTER_H
#define CILK2GPU_LIB_VECTORISE_EMIT_LANEOPEMITTER_H

#include "AccumulatorEmitter.h"
#include "FrameEmitter.h"
#include "RefusalEmitter.h"

namespace cilk2gpu {

class LaneOpEmitter : public BranchEmitter {
public:
  LaneOpEmitter(EmitState &state, UnmaskedEmitter &unmasked, LaneMemoryEmitter &laneMemory, FrameEmitter &frames,
                RefusalEmitter &refusals, AccumulatorEmitter &accumulators)
      : BranchEmitter(state), unmasked(unmasked), laneMemory(laneMemory), frames(frames), refusals(refusals),
        accumulators(accumulators) {}

  void emitLaneOp(Operation *op);
  Value loadField(Location loc, Type type, unsigned field);

private:
  void emitDeq(lane::DeqOp op);
  void emitAddressOf(lane::AddressOp op);
  void emitSpawn(lane::SpawnOp op);
  void emitFrame(lane::FrameOp op);
  void emitFree(lane::FreeOp op);
  void emitPublish(lane::PublishOp op);
  void emitYield(lane::YieldOp op);
  void emitResult(lane::ResultOp op);
  void emitDestination(lane::DestinationOp op);
  void emitThread(lane::ThreadOp op);
  void emitBarrier(lane::BarrierOp op);

  Value wavePointer(llvm::MapVector<unsigned, Value> &cache, Value table, uint64_t offset, unsigned index);
  Value fieldAddress(Location loc, Type type, unsigned field);
  void fetchNext(Location loc, unsigned field, llvm::ArrayRef<int64_t> distances);
  Value grantedLanes(Location loc, Value cursor, unsigned target);
  void append(Location loc, Value vector, Value column, Value next, Value lanes, Value roomy, bool isUniform = false);
  void appendCopies(Location loc, Value pointers, Type type, Value column, Value next, Value lanes);
  Value hasRoom(Location loc, Value cursor, Value next);
  void advance(Location loc, Value cursor, uint64_t offset, Value count);
  Value compress(Location loc, Value piece, Value lanes);

  UnmaskedEmitter &unmasked;
  LaneMemoryEmitter &laneMemory;
  FrameEmitter &frames;
  RefusalEmitter &refusals;
  AccumulatorEmitter &accumulators;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_EMIT_LANEOPEMITTER_H
