// See Folds.h.
#include "cilk2gpu/Support/Folds.h"

using namespace mlir;

using Kind = LLVM::AtomicBinOp;

static llvm::APInt integerIdentity(Kind kind, unsigned width) {
  switch (kind) {
  case Kind::_and:
  case Kind::umin:
    return llvm::APInt::getAllOnes(width);
  case Kind::max:
    return llvm::APInt::getSignedMinValue(width);
  case Kind::min:
    return llvm::APInt::getSignedMaxValue(width);
  default:
    return llvm::APInt(width, 0);
  }
}

TypedAttr cilk2gpu::foldIdentity(Kind kind, Type type) {
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(real, llvm::APFloat::getZero(real.getFloatSemantics(), /*Negative=*/true));
  return IntegerAttr::get(type, integerIdentity(kind, type.getIntOrFloatBitWidth()));
}

Value cilk2gpu::createFold(OpBuilder &builder, Location loc, Kind kind, Value a, Value b) {
  switch (kind) {
  case Kind::_and:
    return LLVM::AndOp::create(builder, loc, a, b);
  case Kind::_or:
    return LLVM::OrOp::create(builder, loc, a, b);
  case Kind::_xor:
    return LLVM::XOrOp::create(builder, loc, a, b);
  case Kind::max:
    return LLVM::SMaxOp::create(builder, loc, a, b);
  case Kind::min:
    return LLVM::SMinOp::create(builder, loc, a, b);
  case Kind::umax:
    return LLVM::UMaxOp::create(builder, loc, a, b);
  case Kind::umin:
    return LLVM::UMinOp::create(builder, loc, a, b);
  case Kind::fadd:
    return LLVM::FAddOp::create(builder, loc, a, b, kReassociable);
  default:
    return LLVM::AddOp::create(builder, loc, a, b);
  }
}
