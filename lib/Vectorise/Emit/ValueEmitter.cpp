// See ValueEmitter.h.
#include "ValueEmitter.h"

#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/TypeSizes.h"

using namespace mlir;
using namespace cilk2gpu;

Type ValueEmitter::vectorOf(Type type) const { return VectorType::get({int64_t(length)}, type); }

Type ValueEmitter::typeOf(Value value) const { return varies(value) ? vectorOf(value.getType()) : value.getType(); }

Value ValueEmitter::constant(Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

Value ValueEmitter::splatConstant(Location loc, Type element, int64_t value) {
  auto type = cast<VectorType>(vectorOf(element));
  unsigned width = element.getIntOrFloatBitWidth();
  auto attr = SplatElementsAttr::get(type, APInt(width, uint64_t(value),
                                                 /*isSigned=*/false,
                                                 /*implicitTrunc=*/true));
  return LLVM::ConstantOp::create(builder, loc, type, attr);
}

Value ValueEmitter::poison(Location loc, Type type) { return LLVM::PoisonOp::create(builder, loc, type); }

/// Returns the vector 0, 1, 2, ... count - 1.
Value ValueEmitter::laneNumbers(Location loc, Type element, unsigned count) {
  auto type = VectorType::get({int64_t(count)}, element);
  SmallVector<APInt> numbers;
  for (unsigned i = 0; i < count; ++i)
    numbers.push_back(APInt(element.getIntOrFloatBitWidth(), i));
  return LLVM::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, numbers));
}

Value ValueEmitter::splat(Location loc, Value scalar, unsigned count) {
  Type type = VectorType::get({int64_t(count)}, scalar.getType());
  Value zero = constant(loc, builder.getI32Type(), 0);
  Value one = LLVM::InsertElementOp::create(builder, loc, poison(loc, type), scalar, zero);
  return LLVM::ShuffleVectorOp::create(builder, loc, one, one, SmallVector<int32_t>(count, 0));
}

/// Returns the emitted vector for `value`, by a splat if the value is uniform.
Value ValueEmitter::vector(Value value) {
  Value emitted = values.lookup(value);
  return varies(value) ? emitted : splat(value.getLoc(), emitted);
}

/// Returns base + index * size, as a vector of addresses if either is a vector.
Value ValueEmitter::offset(Location loc, Value base, Value index, uint64_t size) {
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), size);
  Type type = base.getType();
  if (isa<VectorType>(index.getType()) && !isa<VectorType>(type))
    type = vectorOf(type);
  return LLVM::GEPOp::create(builder, loc, type, bytes, base, ArrayRef<LLVM::GEPArg>{index});
}

static Value addressAt(OpBuilder &builder, Location loc, Value base, uint64_t offset) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

Value ValueEmitter::loadAt(Location loc, Type type, Value base, uint64_t offset) {
  return LLVM::LoadOp::create(builder, loc, type, addressAt(builder, loc, base, offset));
}

void ValueEmitter::storeAt(Location loc, Value value, Value base, uint64_t offset) {
  LLVM::StoreOp::create(builder, loc, value, addressAt(builder, loc, base, offset));
}

Value ValueEmitter::select(Location loc, Value condition, Value yes, Value no) {
  return LLVM::SelectOp::create(builder, loc, condition, yes, no);
}

Value ValueEmitter::maskAnd(Location loc, Value outer, Value condition) {
  return select(loc, outer, condition, splatConstant(loc, builder.getI1Type(), 0));
}

Value ValueEmitter::maskAndNot(Location loc, Value outer, Value condition) {
  Value inverse = LLVM::XOrOp::create(builder, loc, condition, splatConstant(loc, builder.getI1Type(), 1));
  return maskAnd(loc, outer, inverse);
}

/// Returns a mask as an integer, in which bit i is lane i.
Value ValueEmitter::bitsOf(Location loc, Value lanes) {
  return LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(length), lanes);
}

Value ValueEmitter::any(Location loc, Value lanes) {
  Value zero = constant(loc, builder.getIntegerType(length), 0);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bitsOf(loc, lanes), zero);
}

/// Returns the number of set bits, as i64.
Value ValueEmitter::countOf(Location loc, Value bits) {
  Value count = LLVM::CtPopOp::create(builder, loc, bits.getType(), bits);
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  return width == 64 ? count : LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), count).getResult();
}

/// Creates an alloca in the function's entry block.
Value ValueEmitter::createAlloca(Location loc, Type type, uint64_t count, unsigned align) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&func.getBody().front());
  Value number = constant(loc, builder.getI64Type(), int64_t(count));
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, number, align);
}

/// Stores a vector's elements to memory, one after the other, for access by a lane's number. Returns the memory's
/// address.
Value ValueEmitter::spill(Location loc, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Value memory = createAlloca(loc, type, 1, 64);
  LLVM::StoreOp::create(builder, loc, vector, memory);
  return memory;
}

Value ValueEmitter::laneOf(Location loc, Value spilled, Type element, Value lane) {
  uint64_t size = storeSize(dataLayout, element);
  return LLVM::LoadOp::create(builder, loc, element, offset(loc, spilled, lane, size));
}

/// Returns `count` lanes of a vector, from lane `first` on. Lanes that the vector does not have are undefined.
Value ValueEmitter::lanesOf(Location loc, Value vector, int64_t first, int64_t count) {
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  if (size == count)
    return vector;
  SmallVector<int32_t> indices;
  for (int64_t lane = first; lane < first + count; ++lane)
    indices.push_back(lane < size ? int32_t(lane) : -1);
  return LLVM::ShuffleVectorOp::create(builder, loc, vector, vector, indices);
}

/// Returns the mask of lanes 0 .. count - 1 of `lanes` lanes, for an instruction set with mask registers. `count` is an
/// i64, and at most `lanes`. An integer in one register takes the place of a comparison of all lanes' numbers.
Value ValueEmitter::firstLanes(Location loc, Value count, unsigned lanes) {
  Type i64 = builder.getI64Type();
  Value ones = constant(loc, i64, -1);
  Value others = LLVM::ShlOp::create(builder, loc, ones, count);
  if (lanes == 64) { // no shift is as wide as the integer
    Value isFull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, count, constant(loc, i64, lanes));
    others = select(loc, isFull, constant(loc, i64, 0), others);
  }
  Value bits = LLVM::XOrOp::create(builder, loc, others, ones);
  bits = narrowed(loc, bits, builder.getIntegerType(lanes));
  return LLVM::BitcastOp::create(builder, loc, VectorType::get({int64_t(lanes)}, builder.getI1Type()), bits);
}

/// Returns the type in which a value lies in memory lane by lane, and in columns. The bytes of integers are a power of
/// two.
Type ValueEmitter::storedType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(storedType(vector.getElementType()));
  bool isNarrow = type.isInteger() && type.getIntOrFloatBitWidth() <= 64;
  return isNarrow ? builder.getIntegerType(8 * columnSize(dataLayout, type)) : type;
}

Value ValueEmitter::widened(Location loc, Value value) {
  Type stored = storedType(value.getType());
  return stored == value.getType() ? value : LLVM::ZExtOp::create(builder, loc, stored, value).getResult();
}

Value ValueEmitter::narrowed(Location loc, Value value, Type type) {
  return value.getType() == type ? value : LLVM::TruncOp::create(builder, loc, type, value).getResult();
}

/// Returns a vector's elements as integers of their size.
Value ValueEmitter::integers(Location loc, Value value) {
  Type element = cast<VectorType>(value.getType()).getElementType();
  if (element.isInteger())
    return value;
  Type type = builder.getIntegerType(dataLayout.getTypeSizeInBits(element).getFixedValue());
  if (isa<LLVM::LLVMPointerType>(element))
    return LLVM::PtrToIntOp::create(builder, loc, vectorOf(type), value);
  return LLVM::BitcastOp::create(builder, loc, vectorOf(type), value);
}

Value ValueEmitter::ofType(Location loc, Value value, Type type) {
  if (type.isInteger())
    return value;
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(builder, loc, vectorOf(type), value);
  return LLVM::BitcastOp::create(builder, loc, vectorOf(type), value);
}

/// Returns the start of the window of frames, which is loaded at the start of the function.
Value ValueEmitter::framesWindow() {
  if (!wave.window) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(prologueEnd);
    wave.window = loadFramesWindow(builder, lane.getLoc(), module);
  }
  return wave.window;
}

/// Calls a function of the runtime that has no result.
void ValueEmitter::callRuntime(Location loc, StringRef name, ValueRange operands) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    Type none = LLVM::LLVMVoidType::get(builder.getContext());
    function = LLVM::LLVMFuncOp::create(top, module.getLoc(), name,
                                        LLVM::LLVMFunctionType::get(none, llvm::to_vector(operands.getTypes())));
    function.setNoUnwind(true);
  }
  LLVM::CallOp::create(builder, loc, function, operands);
}
