// See AccumulatorEmitter.h.
#include "AccumulatorEmitter.h"

#include "cilk2gpu/Support/Folds.h"
#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "cilk2gpu/abi/Records.h"
#include "llvm/Support/raw_ostream.h"

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

/// Emits *pointer = *pointer o `sums` of all lanes, unless the pointer is null.
void AccumulatorEmitter::flush(Location loc, Kind kind, Value pointer, Value sums) {
  Value null = LLVM::ZeroOp::create(builder, loc, pointer.getType());
  Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointer, null);
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()));
  Block *update = builder.createBlock(join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, isNull, join, update);
  builder.setInsertionPointToEnd(update);
  updateMemory(loc, kind, pointer, sums, Value());
  LLVM::BrOp::create(builder, loc, ValueRange(), join);
  builder.setInsertionPointToEnd(join);
}

void AccumulatorEmitter::flushAll(Location loc) {
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  for (const Accumulator &accumulator : accumulators)
    flush(loc, accumulator.kind, LLVM::LoadOp::create(builder, loc, pointerType, accumulator.pointer),
          LLVM::LoadOp::create(builder, loc, accumulator.type, accumulator.sums));
}

//===-- Lanes with another accumulator ----------------------------------------------------------------------------===//

/// Returns what `spilled`, a vector of Pointers, has for the first of `lanes`.
Value AccumulatorEmitter::ofFirst(Location loc, const Pointers &pointers, Value spilled, Value lanes) {
  Value first = LLVM::CountTrailingZerosOp::create(builder, loc, builder.getIntegerType(length), bitsOf(loc, lanes),
                                                   /*is_zero_poison=*/true);
  if (length < 64)
    first = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), first);
  return laneOf(loc, spilled, cast<VectorType>(pointers.vector.getType()).getElementType(), first);
}

/// Returns the pointer for what a vector of Pointers has for one lane.
Value AccumulatorEmitter::pointerFor(Location loc, const Pointers &pointers, Value element) {
  return pointers.window ? placeInFrames(builder, loc, pointers.window.getType(), pointers.window, element) : element;
}

/// Emits a loop in which the lanes `others` update memory, together if they share an accumulator.
void AccumulatorEmitter::updateOthers(Location loc, Kind kind, Value values, const Pointers &pointers, Value spilled,
                                      Value others) {
  Block *from = builder.getInsertionBlock();
  Block *head = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {others.getType()}, {loc});
  Block *join = builder.createBlock(&func.getBody(), std::next(head->getIterator()));
  Block *body = builder.createBlock(join);
  builder.setInsertionPointToEnd(from);
  LLVM::BrOp::create(builder, loc, ValueRange(others), head);
  builder.setInsertionPointToEnd(head);
  Value left = head->getArgument(0);
  LLVM::CondBrOp::create(builder, loc, any(loc, left), body, join);
  builder.setInsertionPointToEnd(body);
  Value first = ofFirst(loc, pointers, spilled, left);
  Value same = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointers.vector, splat(loc, first));
  updateMemory(loc, kind, pointerFor(loc, pointers, first), values, maskAnd(loc, left, same));
  LLVM::BrOp::create(builder, loc, ValueRange(maskAndNot(loc, left, same)), head);
  builder.setInsertionPointToEnd(join);
}

/// Emits the code of a function (sums, current pointer, values, bits of the mask, pointers) -> (pointer, bits of the
/// lanes that have it). The pointers are a vector of pointers, or offsets in the frames' window and the window. The old
/// sums go to memory, and the first lane's accumulator becomes the current one. Lanes with still other accumulators
/// update memory themselves.
void AccumulatorEmitter::fillChangeFunction(Kind kind) {
  Location loc = func.getLoc();
  Block *entry = func.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Value sums = entry->getArgument(0), old = entry->getArgument(1), values = entry->getArgument(2);
  mask = LLVM::BitcastOp::create(builder, loc, vectorOf(builder.getI1Type()), entry->getArgument(3));
  Pointers pointers{entry->getArgument(4), entry->getNumArguments() == 6 ? entry->getArgument(5) : Value()};
  flush(loc, kind, old, sums);
  Value spilled = spill(loc, pointers.vector);
  Value first = ofFirst(loc, pointers, spilled, mask);
  Value same = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointers.vector, splat(loc, first));
  updateOthers(loc, kind, values, pointers, spilled, maskAndNot(loc, mask, same));
  Value result = poison(loc, func.getFunctionType().getReturnType());
  result = LLVM::InsertValueOp::create(builder, loc, result, pointerFor(loc, pointers, first), ArrayRef<int64_t>{0});
  result =
      LLVM::InsertValueOp::create(builder, loc, result, bitsOf(loc, maskAnd(loc, mask, same)), ArrayRef<int64_t>{1});
  LLVM::ReturnOp::create(builder, loc, ValueRange(result));
}

/// Returns the function that changes the pointer of an accumulator. All kernels of the module that have such vectors
/// call it, because the change is rare and much code.
LLVM::LLVMFuncOp AccumulatorEmitter::changeFunction(const Accumulator &accumulator, const Pointers &pointers) {
  Type element = accumulator.type.getElementType(), bits = builder.getIntegerType(length);
  std::string name;
  llvm::raw_string_ostream(name) << "cilk2gpu.accumulate." << LLVM::stringifyAtomicBinOp(accumulator.kind) << "."
                                 << element << ".x" << length << "." << vectorIsa.name;
  if (pointers.window)
    name += ".frames";
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  MLIRContext *context = builder.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  EmitState state(lane, *divergence, length, vectorIsa);
  state.builder.setInsertionPointToStart(module.getBody());
  SmallVector<Type> arguments{accumulator.type, pointer, accumulator.type, bits, pointers.vector.getType()};
  if (pointers.window)
    arguments.push_back(pointer);
  state.func = LLVM::LLVMFuncOp::create(
      state.builder, module.getLoc(), name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMStructType::getLiteral(context, {pointer, bits}), arguments));
  addFunctionAttribute(state.func, lane::kCloneAttr, vectorIsa.name);
  if (StringRef origin = functionAttribute(lane, kOriginAttr); !origin.empty())
    addFunctionAttribute(state.func, kOriginAttr, origin);
  AccumulatorEmitter(state).fillChangeFunction(accumulator.kind);
  return state.func;
}

/// Handles lanes with another accumulator. Returns the lanes that have the current one afterwards.
Value AccumulatorEmitter::changePointer(Location loc, const Accumulator &accumulator, Value value,
                                        const Pointers &pointers) {
  Value sums = LLVM::LoadOp::create(builder, loc, accumulator.type, accumulator.sums);
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value old = LLVM::LoadOp::create(builder, loc, pointerType, accumulator.pointer);
  SmallVector<Value> operands{sums, old, value, bitsOf(loc, mask), pointers.vector};
  if (pointers.window)
    operands.push_back(pointers.window);
  auto call = LLVM::CallOp::create(builder, loc, changeFunction(accumulator, pointers), operands);
  call.setNoUnwind(true);
  LLVM::StoreOp::create(builder, loc,
                        LLVM::ExtractValueOp::create(builder, loc, call.getResult(), ArrayRef<int64_t>{0}),
                        accumulator.pointer);
  LLVM::StoreOp::create(builder, loc, identity(loc, accumulator.kind, accumulator.type.getElementType()),
                        accumulator.sums);
  Value bits = LLVM::ExtractValueOp::create(builder, loc, call.getResult(), ArrayRef<int64_t>{1});
  return LLVM::BitcastOp::create(builder, loc, mask.getType(), bits);
}

//===-- Accumulation ----------------------------------------------------------------------------------------------===//

/// Returns the accumulator of an operation. Operations of one kind on one pointer share it.
const AccumulatorEmitter::Accumulator &AccumulatorEmitter::accumulatorOf(lane::AccumulateOp op, VectorType type) {
  Kind kind = lane::atomicOf(op.getKind());
  for (const Accumulator &known : accumulators)
    if (known.original == op.getPointer() && known.kind == kind && known.type == type)
      return known;
  Location loc = op.getLoc();
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  accumulators.push_back(
      {op.getPointer(), kind, createAlloca(loc, pointerType, 1, 8), createAlloca(loc, type, 1, 64), type});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(prologueEnd);
  LLVM::StoreOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, pointerType), accumulators.back().pointer);
  LLVM::StoreOp::create(builder, loc, identity(loc, kind, type.getElementType()), accumulators.back().sums);
  return accumulators.back();
}

/// Returns the lanes' pointers.
AccumulatorEmitter::Pointers AccumulatorEmitter::pointersOf(lane::AccumulateOp op) {
  auto place = op.getPointer().getDefiningOp<lane::DestinationOp>();
  if (!place)
    return {vector(op.getPointer()), Value()};
  return {vector(place.getOffset()), framesWindow()};
}

/// Returns whether an active lane has another pointer than `current`. With offsets in the frames' window, lanes compare
/// them with the offset of `current`, if it has one: window + unit * offset == current.
Value AccumulatorEmitter::hasOther(Location loc, const Pointers &pointers, Value current) {
  if (!pointers.window) {
    Value same = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointers.vector, splat(loc, current));
    return any(loc, maskAndNot(loc, mask, same));
  }
  Type i64 = builder.getI64Type();
  Value shift = constant(loc, i64, llvm::Log2_64(abi::kFrameUnit));
  Value distance = LLVM::SubOp::create(builder, loc, LLVM::PtrToIntOp::create(builder, loc, i64, current),
                                       LLVM::PtrToIntOp::create(builder, loc, i64, pointers.window));
  Value frame = narrowed(loc, LLVM::LShrOp::create(builder, loc, distance, shift), builder.getI32Type());
  Value back = LLVM::ShlOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, i64, frame), shift);
  Value hasOffset = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, back, distance);
  Value same = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointers.vector, splat(loc, frame));
  Value others = select(loc, hasOffset, bitsOf(loc, maskAndNot(loc, mask, same)), bitsOf(loc, mask));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, others,
                              constant(loc, builder.getIntegerType(length), 0));
}

void AccumulatorEmitter::emitAccumulate(lane::AccumulateOp op) {
  Location loc = op.getLoc();
  Value value = vector(op.getValue());
  Pointers pointers = pointersOf(op);
  auto type = cast<VectorType>(value.getType());
  const Accumulator &accumulator = accumulatorOf(op, type);
  Value current =
      LLVM::LoadOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), accumulator.pointer);
  Value foreign = hasOther(loc, pointers, current);
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {mask.getType()}, {loc});
  Block *change = builder.createBlock(join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, foreign, change, ValueRange(), join, ValueRange(mask), std::make_pair(1, 2000));
  builder.setInsertionPointToEnd(change);
  LLVM::BrOp::create(builder, loc, ValueRange(changePointer(loc, accumulator, value, pointers)), join);
  builder.setInsertionPointToEnd(join);
  Value mine = join->getArgument(0);
  Value sums = LLVM::LoadOp::create(builder, loc, type, accumulator.sums);
  Value nothing = identity(loc, accumulator.kind, type.getElementType());
  sums = createFold(builder, loc, accumulator.kind, sums, select(loc, mine, value, nothing));
  LLVM::StoreOp::create(builder, loc, sums, accumulator.sums);
}
