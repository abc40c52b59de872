// See ElementwiseEmitter.h.
#include "ElementwiseEmitter.h"

#include "Vectorise/Analysis/Elementwise.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// The difference x - y of narrow integers. They are widened first, so that the difference does not wrap.
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

/// Emits a comparison of the difference of bytes (or 16-bit words) with a uniform number, in lanes as narrow as the
/// bytes:
///   x - y == u, without wrapping  <=>  x - y == u modulo 256, and x > y if u > 0, x < y if u < 0, and |u| < 256
bool ElementwiseEmitter::emitNarrowCompare(LLVM::ICmpOp op) {
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

/// Emits a division of integers by a variable as a division of floating-point numbers, because no processor divides
/// vectors of integers. The quotient is exact under each rounding mode. For numbers of n bits and a divisor b, the true
/// quotient is at least 1 / b away from the next integer that it is not equal to. The error of the quotient is at most
/// 2^n / b times the precision, which is 2^-52 for n <= 32, and 2^-23 for n <= 16.
bool ElementwiseEmitter::emitDivision(Operation *op) {
  auto type = dyn_cast<IntegerType>(op->getResult(0).getType());
  if (!type || type.getWidth() > 32 || op->getOperand(1).getDefiningOp<LLVM::ConstantOp>())
    return false;
  Location loc = op->getLoc();
  bool isSigned = isa<LLVM::SDivOp, LLVM::SRemOp>(op);
  Type integers = vectorOf(type);
  Type numbers = vectorOf(type.getWidth() > 16 ? Type(builder.getF64Type()) : Type(builder.getF32Type()));
  auto convert = [&](Value value) -> Value {
    if (isSigned)
      return LLVM::SIToFPOp::create(builder, loc, numbers, value);
    return LLVM::UIToFPOp::create(builder, loc, numbers, value);
  };
  // Inactive lanes must not divide by zero.
  Value dividend = vector(op->getOperand(0));
  Value divisor = select(loc, mask, vector(op->getOperand(1)), splatConstant(loc, type, 1));
  Value ratio = LLVM::FDivOp::create(builder, loc, convert(dividend), convert(divisor));
  Value quotient = isSigned ? LLVM::FPToSIOp::create(builder, loc, integers, ratio).getResult()
                            : LLVM::FPToUIOp::create(builder, loc, integers, ratio).getResult();
  if (isa<LLVM::SRemOp, LLVM::URemOp>(op))
    quotient = LLVM::SubOp::create(builder, loc, dividend, LLVM::MulOp::create(builder, loc, quotient, divisor));
  define(op->getResult(0), quotient);
  return true;
}

void ElementwiseEmitter::emitElementwise(Operation *op) {
  if (isDivision(op) && varies(op->getResult(0)) && emitDivision(op))
    return;
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op); compare && emitNarrowCompare(compare))
    return;
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  bool vectorised = varies(result);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, vectorised && !isa<LLVM::GEPOp>(op) ? vector(operand) : scalar(operand));
  if (vectorised && isDivision(op)) {
    // Inactive lanes must not divide by zero.
    Value divisor = op->getOperand(1);
    mapping.map(divisor, select(loc, mask, mapping.lookup(divisor), splatConstant(loc, divisor.getType(), 1)));
  }
  Operation *copy = builder.clone(*op, mapping);
  if (vectorised)
    copy->getResult(0).setType(vectorOf(result.getType()));
  define(result, copy->getResult(0));
}
