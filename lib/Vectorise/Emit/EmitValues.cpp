// Scalars, vectors and masks, and operations that work lane by lane without
// effects.
#include "Emitter.h"

using namespace mlir;
using namespace cilk2gpu;

//===-- Types and constants
//-------------------------------------------------------------------------------------===//

Type Emitter::vectorOf(Type type) const { return VectorType::get({int64_t(length)}, type); }

Type Emitter::typeOf(Value value) const { return varies(value) ? vectorOf(value.getType()) : value.getType(); }

Value Emitter::constant(Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

Value Emitter::splatConstant(Location loc, Type element, int64_t value) {
  auto type = cast<VectorType>(vectorOf(element));
  unsigned width = element.getIntOrFloatBitWidth();
  auto attr = SplatElementsAttr::get(type, APInt(width, uint64_t(value),
                                                 /*isSigned=*/false,
                                                 /*implicitTrunc=*/true));
  return LLVM::ConstantOp::create(builder, loc, type, attr);
}

Value Emitter::poison(Location loc, Type type) { return LLVM::PoisonOp::create(builder, loc, type); }

/// 0, 1, 2, ... count - 1.
Value Emitter::laneNumbers(Location loc, Type element, unsigned count) {
  auto type = VectorType::get({int64_t(count)}, element);
  SmallVector<APInt> numbers;
  for (unsigned i = 0; i < count; ++i)
    numbers.push_back(APInt(element.getIntOrFloatBitWidth(), i));
  return LLVM::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, numbers));
}

Value Emitter::splat(Location loc, Value scalar, unsigned count) {
  Type type = VectorType::get({int64_t(count)}, scalar.getType());
  Value zero = constant(loc, builder.getI32Type(), 0);
  Value one = LLVM::InsertElementOp::create(builder, loc, poison(loc, type), scalar, zero);
  return LLVM::ShuffleVectorOp::create(builder, loc, one, one, SmallVector<int32_t>(count, 0));
}

/// The vector that stands for `value`, made by a splat if it is uniform.
Value Emitter::vector(Value value) {
  Value emitted = values.lookup(value);
  return varies(value) ? emitted : splat(value.getLoc(), emitted);
}

/// base + index * size; a vector of addresses if either is a vector.
Value Emitter::offset(Location loc, Value base, Value index, uint64_t size) {
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

Value Emitter::loadAt(Location loc, Type type, Value base, uint64_t offset) {
  return LLVM::LoadOp::create(builder, loc, type, addressAt(builder, loc, base, offset));
}

void Emitter::storeAt(Location loc, Value value, Value base, uint64_t offset) {
  LLVM::StoreOp::create(builder, loc, value, addressAt(builder, loc, base, offset));
}

//===-- Masks
//---------------------------------------------------------------------------------------------------===//

Value Emitter::select(Location loc, Value condition, Value yes, Value no) {
  return LLVM::SelectOp::create(builder, loc, condition, yes, no);
}

Value Emitter::maskAnd(Location loc, Value outer, Value condition) {
  return select(loc, outer, condition, splatConstant(loc, builder.getI1Type(), 0));
}

Value Emitter::maskAndNot(Location loc, Value outer, Value condition) {
  Value inverse = LLVM::XOrOp::create(builder, loc, condition, splatConstant(loc, builder.getI1Type(), 1));
  return maskAnd(loc, outer, inverse);
}

/// A mask as an integer: lane i is bit i.
Value Emitter::bitsOf(Location loc, Value lanes) {
  return LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(length), lanes);
}

Value Emitter::any(Location loc, Value lanes) {
  Value zero = constant(loc, builder.getIntegerType(length), 0);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bitsOf(loc, lanes), zero);
}

/// Number of set bits, as i64.
Value Emitter::countOf(Location loc, Value bits) {
  Value count = LLVM::CtPopOp::create(builder, loc, bits.getType(), bits);
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  return width == 64 ? count : LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), count).getResult();
}

//===-- Elementwise operations
//----------------------------------------------------------------------------------===//

namespace {

/// x - y of narrow integers that are widened first, so that the difference does not wrap.
struct Difference {
  Value x, y;
  bool isSigned;

  explicit operator bool() const { return bool(x); }
};

} // namespace

static Difference differenceOf(Value value) {
  auto sub = value.getDefiningOp<LLVM::SubOp>();
  Operation *left = sub ? sub.getLhs().getDefiningOp() : nullptr, *right = sub ? sub.getRhs().getDefiningOp() : nullptr;
  if (!left || !right || left->getName() != right->getName() || !isa<LLVM::SExtOp, LLVM::ZExtOp>(left) ||
      left->getOperand(0).getType() != right->getOperand(0).getType())
    return {};
  return {left->getOperand(0), right->getOperand(0), isa<LLVM::SExtOp>(left)};
}

/// Whether the difference of bytes (or 16-bit words) is some uniform number, in lanes as narrow as they are:
///   x - y == u, without wrapping  <=>  x - y == u modulo 256, and x > y if u > 0, x < y if u < 0, and |u| < 256
bool Emitter::emitNarrowCompare(LLVM::ICmpOp op) {
  bool isEqual = op.getPredicate() == LLVM::ICmpPredicate::eq;
  Value wide = op.getLhs(), uniform = op.getRhs();
  if (varies(uniform))
    std::swap(wide, uniform);
  Difference narrow = differenceOf(wide);
  if (!narrow || varies(uniform) || !varies(wide) || (!isEqual && op.getPredicate() != LLVM::ICmpPredicate::ne))
    return false;
  Location loc = op.getLoc();
  Type element = narrow.x.getType(), whole = uniform.getType();
  if (!element.isInteger(8) && !element.isInteger(16))
    return false;
  using Predicate = LLVM::ICmpPredicate;
  Value u = scalar(uniform), zero = constant(loc, whole, 0), x = vector(narrow.x), y = vector(narrow.y);
  auto compare = [&](Predicate predicate, Value a, Value b) -> Value {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  };
  Value low = splat(loc, LLVM::TruncOp::create(builder, loc, element, u));
  Value equal = compare(Predicate::eq, LLVM::SubOp::create(builder, loc, x, y), low);
  Value above = compare(narrow.isSigned ? Predicate::sgt : Predicate::ugt, x, y);
  Value below = compare(narrow.isSigned ? Predicate::slt : Predicate::ult, x, y);
  Value any = splatConstant(loc, builder.getI1Type(), 1), none = splatConstant(loc, builder.getI1Type(), 0);
  Value ordered =
      select(loc, compare(Predicate::sgt, u, zero), above, select(loc, compare(Predicate::slt, u, zero), below, any));
  Value size = LLVM::AbsOp::create(builder, loc, whole, u, /*is_int_min_poison=*/false);
  Value fits = compare(Predicate::ult, size, constant(loc, whole, int64_t(1) << element.getIntOrFloatBitWidth()));
  Value result = select(loc, fits, LLVM::AndOp::create(builder, loc, equal, ordered), none);
  define(op, isEqual ? result : LLVM::XOrOp::create(builder, loc, result, any).getResult());
  return true;
}

void Emitter::emitElementwise(Operation *op) {
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op); compare && emitNarrowCompare(compare))
    return;
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  bool vectorised = varies(result);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, vectorised && !isa<LLVM::GEPOp>(op) ? vector(operand) : scalar(operand));
  if (vectorised && isDivision(op)) {
    // Lanes that are not active must not divide by zero.
    Value divisor = op->getOperand(1);
    mapping.map(divisor, select(loc, mask, mapping.lookup(divisor), splatConstant(loc, divisor.getType(), 1)));
  }
  Operation *copy = builder.clone(*op, mapping);
  if (vectorised)
    copy->getResult(0).setType(vectorOf(result.getType()));
  define(result, copy->getResult(0));
}
