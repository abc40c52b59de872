// See AccumulatorEmitter.h.
#include "AccumulatorEmitter.h"

#include "cilk2gpu/Support/Folds.h"

using namespace mlir;
using namespace cilk2gpu;

using Kind = LLVM::AtomicBinOp;

Value AccumulatorEmitter::identity(Location loc, Kind kind, Type element) {
  auto type = cast<VectorType>(vectorOf(element));
  return LLVM::ConstantOp::create(builder, loc, type, SplatElementsAttr::get(type, foldIdentity(kind, element)));
}

Value AccumulatorEmitter::reduce(Location loc, Kind kind, Value vector) {
  Type type = cast<VectorType>(vector.getType()).getElementType();
  switch (kind) {
  case Kind::_and:
    return LLVM::vector_reduce_and::create(builder, loc, type, vector);
  case Kind::_or:
    return LLVM::vector_reduce_or::create(builder, loc, type, vector);
  case Kind::_xor:
    return LLVM::vector_reduce_xor::create(builder, loc, type, vector);
  case Kind::max:
    return LLVM::vector_reduce_smax::create(builder, loc, type, vector);
  case Kind::min:
    return LLVM::vector_reduce_smin::create(builder, loc, type, vector);
  case Kind::umax:
    return LLVM::vector_reduce_umax::create(builder, loc, type, vector);
  case Kind::umin:
    return LLVM::vector_reduce_umin::create(builder, loc, type, vector);
  case Kind::fadd:
    return LLVM::vector_reduce_fadd::create(
        builder, loc, type, LLVM::ConstantOp::create(builder, loc, foldIdentity(kind, type)), vector, kReassociable);
  default:
    return LLVM::vector_reduce_add::create(builder, loc, type, vector);
  }
}

/// Emits *pointer = *pointer o the values of `lanes` (all lanes if null).
void AccumulatorEmitter::updateMemory(Location loc, Kind kind, Value pointer, Value values, Value lanes) {
  Type element = cast<VectorType>(values.getType()).getElementType();
  Value active = lanes ? select(loc, lanes, values, identity(loc, kind, element)) : values;
  LLVM::AtomicRMWOp::create(builder, loc, kind, pointer, reduce(loc, kind, active), LLVM::AtomicOrdering::monotonic);
}

void AccumulatorEmitter::flush(Location loc, const Accumulator &accumulator) {
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value pointer = LLVM::LoadOp::create(builder, loc, pointerType, accumulator.pointer);
  Value null = LLVM::ZeroOp::create(builder, loc, pointerType);
  Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointer, null);
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  Block *update = builder.createBlock(join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, isNull, join, update);
  builder.setInsertionPointToEnd(update);
  Value sums = LLVM::LoadOp::create(builder, loc, accumulator.type, accumulator.sums);
  updateMemory(loc, accumulator.kind, pointer, sums, Value());
  LLVM::BrOp::create(builder, loc, join);
  builder.setInsertionPointToEnd(join);
}

void AccumulatorEmitter::flushAll(Location loc) {
  for (const Accumulator &accumulator : accumulators)
    flush(loc, accumulator);
}

/// Handles lanes with another accumulator. The old sums go to memory, and the first lane's accumulator becomes the
/// current one. Lanes with still other accumulators update memory themselves, together if they share one.
void AccumulatorEmitter::changePointer(Location loc, const Accumulator &accumulator, Value value, Value pointers) {
  flush(loc, accumulator);
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Type bitsType = builder.getIntegerType(length);
  Value spilled = spill(loc, pointers);
  auto pointerOfFirst = [&](Value lanes) {
    Value first =
        LLVM::CountTrailingZerosOp::create(builder, loc, bitsType, bitsOf(loc, lanes), /*is_zero_poison=*/true);
    if (length < 64)
      first = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), first);
    return laneOf(loc, spilled, pointerType, first);
  };
  auto equal = [&](Value pointer) -> Value {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointers, splat(loc, pointer));
  };
  Value current = pointerOfFirst(mask);
  Value nothing = identity(loc, accumulator.kind, accumulator.type.getElementType());
  LLVM::StoreOp::create(builder, loc, current, accumulator.pointer);
  LLVM::StoreOp::create(builder, loc, nothing, accumulator.sums);
  Value others = maskAndNot(loc, mask, equal(current));
  Block *from = builder.getInsertionBlock();
  Block *head = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {mask.getType()}, {loc});
  Block *join = builder.createBlock(&func.getBody(), std::next(head->getIterator()));
  Block *body = builder.createBlock(join);
  builder.setInsertionPointToEnd(from);
  LLVM::BrOp::create(builder, loc, ValueRange(others), head);
  builder.setInsertionPointToEnd(head);
  Value left = head->getArgument(0);
  LLVM::CondBrOp::create(builder, loc, any(loc, left), body, join);
  builder.setInsertionPointToEnd(body);
  Value pointer = pointerOfFirst(left);
  Value same = equal(pointer);
  updateMemory(loc, accumulator.kind, pointer, value, maskAnd(loc, left, same));
  LLVM::BrOp::create(builder, loc, ValueRange(maskAndNot(loc, left, same)), head);
  builder.setInsertionPointToEnd(join);
}

void AccumulatorEmitter::emitAccumulate(lane::AccumulateOp op) {
  Location loc = op.getLoc();
  Kind kind = lane::atomicOf(op.getKind());
  Value value = vector(op.getValue()), pointers = vector(op.getPointer());
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = cast<VectorType>(value.getType());
  Accumulator accumulator = {kind, createAlloca(loc, pointerType, 1, 8), createAlloca(loc, type, 1, 64), type};
  accumulators.push_back(accumulator);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(prologueEnd);
    LLVM::StoreOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, pointerType), accumulator.pointer);
    LLVM::StoreOp::create(builder, loc, identity(loc, kind, type.getElementType()), accumulator.sums);
  }
  auto isCurrent = [&]() -> Value {
    Value current = LLVM::LoadOp::create(builder, loc, pointerType, accumulator.pointer);
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointers, splat(loc, current));
  };
  Value foreign = any(loc, maskAndNot(loc, mask, isCurrent()));
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {mask.getType()}, {loc});
  Block *change = builder.createBlock(join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, foreign, change, ValueRange(), join, ValueRange(mask), std::make_pair(1, 2000));
  builder.setInsertionPointToEnd(change);
  changePointer(loc, accumulator, value, pointers);
  LLVM::BrOp::create(builder, loc, ValueRange(maskAnd(loc, mask, isCurrent())), join);
  builder.setInsertionPointToEnd(join);
  Value mine = join->getArgument(0);
  Value sums = LLVM::LoadOp::create(builder, loc, type, accumulator.sums);
  sums = createFold(builder, loc, kind, sums, select(loc, mine, value, identity(loc, kind, type.getElementType())));
  LLVM::StoreOp::create(builder, loc, sums, accumulator.sums);
}
