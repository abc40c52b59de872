// See ExactMath.h.
#include "ExactMath.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

/// The C library's function that an intrinsic stands for, where GPUs have none, or none that is exact.
static StringRef mathFunction(Intrinsic::ID id, Type *result) {
  switch (id) {
  case Intrinsic::sin: return "sin";
  case Intrinsic::cos: return "cos";
  case Intrinsic::tan: return "tan";
  case Intrinsic::asin: return "asin";
  case Intrinsic::acos: return "acos";
  case Intrinsic::atan: return "atan";
  case Intrinsic::atan2: return "atan2";
  case Intrinsic::sinh: return "sinh";
  case Intrinsic::cosh: return "cosh";
  case Intrinsic::tanh: return "tanh";
  case Intrinsic::exp: return "exp";
  case Intrinsic::exp2: return "exp2";
  case Intrinsic::exp10: return "exp10";
  case Intrinsic::log: return "log";
  case Intrinsic::log2: return "log2";
  case Intrinsic::log10: return "log10";
  case Intrinsic::pow: return "pow";
  case Intrinsic::lround: return result->isIntegerTy(64) ? "lround" : "";
  case Intrinsic::lrint: return result->isIntegerTy(64) ? "lrint" : "";
  case Intrinsic::llround: return "llround";
  case Intrinsic::llrint: return "llrint";
  default: return "";
  }
}

static bool isReal(const Type *type) { return type->isDoubleTy() || type->isFloatTy(); }

static Value *callMath(IRBuilder<> &builder, StringRef name, Type *result, ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  std::string full = (name + (types[0]->isFloatTy() ? "f" : "")).str();
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(full, FunctionType::get(result, types, false)), arguments);
}

/// Both parts have the number's sign; what is left of an infinity is zero.
static Value *splitReal(IRBuilder<> &builder, Value *number) {
  Type *type = number->getType();
  Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, number);
  Value *isInfinite = builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::fabs, number), ConstantFP::getInfinity(type));
  Value *rest = builder.CreateSelect(isInfinite, ConstantFP::getZero(type), builder.CreateFSub(number, whole));
  rest = builder.CreateBinaryIntrinsic(Intrinsic::copysign, rest, number);
  Value *both = builder.CreateInsertValue(PoisonValue::get(StructType::get(type, type)), rest, 0);
  return builder.CreateInsertValue(both, whole, 1);
}

static Value *sineAndCosine(IRBuilder<> &builder, Value *angle) {
  Type *type = angle->getType();
  Value *sine = callMath(builder, "sin", type, angle), *cosine = callMath(builder, "cos", type, angle);
  return builder.CreateInsertValue(builder.CreateInsertValue(PoisonValue::get(StructType::get(type, type)), sine, 0), cosine, 1);
}

/// What the compiler's library has for a conversion from or to an integer of more than 64 bits, which not all back ends
/// have; null for others.
static Value *convertWide(CastInst &cast) {
  bool toInteger = isa<FPToSIInst, FPToUIInst>(cast), isSigned = isa<FPToSIInst, SIToFPInst>(cast);
  if (!toInteger && !isa<SIToFPInst, UIToFPInst>(cast))
    return nullptr;
  Type *number = toInteger ? cast.getSrcTy() : cast.getDestTy();
  auto *integer = dyn_cast<IntegerType>(toInteger ? cast.getDestTy() : cast.getSrcTy());
  if (!integer || integer->getBitWidth() <= 64 || integer->getBitWidth() > 128 ||
      !(isReal(number) || number->isHalfTy()))
    return nullptr;
  IRBuilder<> builder(&cast);
  Type *wide = builder.getInt128Ty(), *called = number->isHalfTy() ? builder.getDoubleTy() : number;
  StringRef kind = called->isFloatTy() ? "sf" : "df";
  std::string name = toInteger ? ("__fix" + Twine(isSigned ? "" : "uns") + kind + "ti").str()
                               : ("__float" + Twine(isSigned ? "" : "un") + "ti" + kind).str();
  FunctionCallee function = cast.getModule()->getOrInsertFunction(
      name, FunctionType::get(toInteger ? wide : called, {toInteger ? called : wide}, false));
  // Halves that a double does not have are infinite, too.
  if (toInteger)
    return builder.CreateTrunc(builder.CreateCall(function, builder.CreateFPExt(cast.getOperand(0), called)), integer);
  return builder.CreateFPTrunc(builder.CreateCall(function, builder.CreateIntCast(cast.getOperand(0), wide, isSigned)),
                               number);
}

/// The name in C of what only a host has, and what the verifier or a back end would not take; empty for others.
static StringRef hostBuiltin(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::thread_pointer:
    return "__builtin_thread_pointer";
  case Intrinsic::frameaddress:
    return "__builtin_frame_address";
  case Intrinsic::clear_cache:
    return "__builtin___clear_cache";
  default:
    return "";
  }
}

/// What an instruction's value is made of where GPUs have no exact instructions for it; null for others.
static Value *expandMath(Instruction &inst) {
  IRBuilder<> builder(&inst);
  if (inst.getOpcode() == Instruction::FRem && isReal(inst.getType()))
    return callMath(builder, "fmod", inst.getType(), {inst.getOperand(0), inst.getOperand(1)});
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return convertWide(*cast);
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  // A call that DeviceCheck refuses at its line.
  if (StringRef name = call ? hostBuiltin(call->getIntrinsicID()) : ""; !name.empty())
    return builder.CreateCall(call->getModule()->getOrInsertFunction(name, call->getFunctionType()),
                              SmallVector<Value *>(call->args()));
  if (!call || call->arg_empty() || !isReal(call->getArgOperand(0)->getType()))
    return nullptr;
  Value *first = call->getArgOperand(0);
  switch (call->getIntrinsicID()) {
  case Intrinsic::modf: return splitReal(builder, first);
  case Intrinsic::sincos: return sineAndCosine(builder, first);
  case Intrinsic::powi:
    if (isa<ConstantInt>(call->getArgOperand(1))) // multiplications
      return nullptr;
    return builder.CreateCall(call->getModule()->getOrInsertFunction(first->getType()->isFloatTy() ? "__powisf2" : "__powidf2",
                                                                     call->getFunctionType()),
                              {first, call->getArgOperand(1)});
  default: break;
  }
  StringRef name = mathFunction(call->getIntrinsicID(), call->getType());
  return name.empty() ? nullptr : callMath(builder, name, call->getType(), SmallVector<Value *>(call->args()));
}

void cilk2gpu::callMathFunctions(Module &device) {
  for (Function &function : device)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (Value *value = expandMath(inst)) {
        inst.replaceAllUsesWith(value);
        inst.eraseFromParent();
      }
}
