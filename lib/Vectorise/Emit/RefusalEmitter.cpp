// See RefusalEmitter.h.
#include "RefusalEmitter.h"

#include "Vectorise/Analysis/Elementwise.h"
#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/abi/Records.h"

using namespace mlir;
using namespace cilk2gpu;

/// Returns true if the operation can be emitted for a single lane.
static bool isForOneLane(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return !store.getVolatile_() && store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  return isa<lane::FrameOp, lane::PlaceOp, lane::DestinationOp, lane::YieldOp, LLVM::MemcpyOp>(op) || isElementwise(op);
}

/// Returns the operations of a block that are emitted lane by lane. There are none unless lanes yield in the block and
/// no operation behind the block needs their results. Operations on uniform values are not included.
SmallVector<Operation *> RefusalEmitter::findRefusal(Block &block) {
  SmallVector<Operation *> found;
  SmallPtrSet<Operation *, 16> isFound;
  bool yields = false;
  for (Operation &op : block.without_terminator()) {
    auto isInside = [&](Value operand) { return isFound.contains(operand.getDefiningOp()); };
    if (isElementwise(&op) && !varies(op.getResult(0)) && llvm::none_of(op.getOperands(), isInside))
      continue;
    bool usesLaneAddress =
        llvm::any_of(op.getOperands(), [&](Value operand) { return bool(privates.laneAddressOf(operand)); });
    if (!isForOneLane(&op) || usesLaneAddress || op.isUsedOutsideOfBlock(&block) ||
        llvm::any_of(op.getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); }))
      return {};
    yields |= isa<lane::YieldOp>(op);
    found.push_back(&op);
    isFound.insert(&op);
  }
  return yields ? found : SmallVector<Operation *>();
}

/// Spills a vector to a variable that all places with yields share. `number` distinguishes variables of one type.
Value RefusalEmitter::spillShared(Location loc, Value vector, unsigned number) {
  auto &slots = refusalSlots[vector.getType()];
  while (slots.size() <= number)
    slots.push_back(createAlloca(loc, vector.getType(), 1, 64));
  LLVM::StoreOp::create(builder, loc, vector, slots[number]);
  return slots[number];
}

// frame = free[--count]
Value RefusalEmitter::takeFrame(Location loc) {
  Type i64 = builder.getI64Type(), pointer = wave.frames.getType();
  Value count = loadAt(loc, i64, wave.frames, offsetof(abi::FrameStore, count));
  Value left = LLVM::SubOp::create(builder, loc, count, constant(loc, i64, 1));
  storeAt(loc, left, wave.frames, offsetof(abi::FrameStore, count));
  Value free = loadAt(loc, pointer, wave.frames, offsetof(abi::FrameStore, free));
  return LLVM::LoadOp::create(builder, loc, pointer, offset(loc, free, left, 8));
}

/// Appends one lane's frame and site to the channel of restarts.
void RefusalEmitter::yieldLane(Location loc, Value frame, Value site) {
  Value columns = loadAt(loc, wave.restarts.getType(), wave.restarts, offsetof(abi::Cursor, columns));
  Value next = loadAt(loc, builder.getI64Type(), wave.restarts, offsetof(abi::Cursor, next));
  auto store = [&](Value value, unsigned field) {
    Value column = loadAt(loc, columns.getType(), columns, field * 8);
    LLVM::StoreOp::create(builder, loc, value, offset(loc, column, next, storeSize(dataLayout, value.getType())));
  };
  store(frame, 0);
  store(site, 1);
  storeAt(loc, LLVM::AddOp::create(builder, loc, next, constant(loc, builder.getI64Type(), 1)), wave.restarts,
          offsetof(abi::Cursor, next));
}

void RefusalEmitter::emitForLane(Operation *op, IRMapping &mapping) {
  Location loc = op->getLoc();
  if (auto frame = dyn_cast<lane::FrameOp>(op))
    mapping.map(frame, takeFrame(loc));
  else if (auto place = dyn_cast<lane::PlaceOp>(op))
    mapping.map(place, frames.placeInColumn(loc, mapping.lookup(place.getFrame()), place.getWords()));
  else if (auto destination = dyn_cast<lane::DestinationOp>(op))
    mapping.map(destination, placeInFrames(builder, loc, destination.getType(), framesWindow(),
                                           mapping.lookup(destination.getOffset())));
  else if (auto yield = dyn_cast<lane::YieldOp>(op))
    yieldLane(loc, mapping.lookup(yield.getFrame()), mapping.lookup(yield.getSite()));
  else
    builder.clone(*op, mapping);
}

void RefusalEmitter::emitRefusal(Block &block, ArrayRef<Operation *> refusal,
                                 llvm::function_ref<void(Operation *)> emitOp) {
  for (Operation &op : block.without_terminator())
    if (!llvm::is_contained(refusal, &op))
      emitOp(&op);
  Location loc = refusal.front()->getLoc();
  IRMapping shared;
  llvm::MapVector<Value, Value> spilled;
  llvm::DenseMap<Type, unsigned> used;
  llvm::SetVector<Operation *> destinations; // each lane makes them from offsets, which take half the registers
  for (Operation *op : refusal)
    for (Value operand : op->getOperands()) {
      if (llvm::is_contained(refusal, operand.getDefiningOp()))
        continue;
      if (auto destination = operand.getDefiningOp<lane::DestinationOp>()) {
        destinations.insert(destination);
        operand = destination.getOffset();
      }
      if (spilled.count(operand))
        continue;
      if (!varies(operand)) {
        shared.map(operand, scalar(operand));
        continue;
      }
      Value stored = widened(loc, scalar(operand));
      spilled[operand] = spillShared(loc, stored, used[stored.getType()]++);
    }
  forEachLane(loc, mask, [&](Value number) {
    IRMapping mapping = shared;
    for (auto [operand, memory] : spilled) {
      Value stored = laneOf(loc, memory, storedType(operand.getType()), number);
      mapping.map(operand, narrowed(loc, stored, operand.getType()));
    }
    for (Operation *op : destinations)
      emitForLane(op, mapping);
    for (Operation *op : refusal)
      emitForLane(op, mapping);
  });
}
