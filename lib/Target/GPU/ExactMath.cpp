// See ExactMath.h.
#include "ExactMath.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the C library's function for an intrinsic that GPUs lack or do not compute exactly.
static StringRef mathFunction(Intrinsic::ID id, Type *result) {
  switch (id) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::lround:
    return result->isIntegerTy(64) ? "lround" : "";
  case Intrinsic::lrint:
    return result->isIntegerTy(64) ? "lrint" : "";
  case Intrinsic::llround:
    return "llround";
  case Intrinsic::llrint:
    return "llrint";
  default:
    return "";
  }
}

static bool isReal(const Type *type) { return type->isDoubleTy() || type->isFloatTy(); }

/// Returns true if a number has fewer digits than a float. The host computes such numbers as floats and rounds the
/// result.
static bool isShort(const Type *type) { return type->isHalfTy() || type->isBFloatTy(); }

static Value *callMath(IRBuilder<> &builder, StringRef name, Type *result, ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  std::string full = (name + (types[0]->isFloatTy() ? "f" : "")).str();
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(full, FunctionType::get(result, types, false)), arguments);
}

/// Splits a number into a whole part and a rest. Both have the number's sign; the rest of an infinity is zero.
static Value *splitReal(IRBuilder<> &builder, Value *number) {
  Type *type = number->getType();
  Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, number);
  Value *isInfinite =
      builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::fabs, number), ConstantFP::getInfinity(type));
  Value *rest = builder.CreateSelect(isInfinite, ConstantFP::getZero(type), builder.CreateFSub(number, whole));
  rest = builder.CreateBinaryIntrinsic(Intrinsic::copysign, rest, number);
  Value *both = builder.CreateInsertValue(PoisonValue::get(StructType::get(type, type)), rest, 0);
  return builder.CreateInsertValue(both, whole, 1);
}

static Value *sineAndCosine(IRBuilder<> &builder, Value *angle) {
  Type *type = angle->getType();
  Value *sine = callMath(builder, "sin", type, angle), *cosine = callMath(builder, "cos", type, angle);
  return builder.CreateInsertValue(builder.CreateInsertValue(PoisonValue::get(StructType::get(type, type)), sine, 0),
                                   cosine, 1);
}

/// Returns true if a conversion is from or to an integer of more than 64 bits. Not all back ends have these.
static bool convertsWide(const CastInst &cast) {
  if (!isa<FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst>(cast))
    return false;
  bool toInteger = isa<FPToSIInst, FPToUIInst>(cast);
  unsigned bits = (toInteger ? cast.getDestTy() : cast.getSrcTy())->getScalarSizeInBits();
  return bits > 64 && bits <= 128;
}

/// Replaces a conversion of convertsWide by a call of the compiler's library.
static Value *convertWide(CastInst &cast) {
  bool toInteger = isa<FPToSIInst, FPToUIInst>(cast), isSigned = isa<FPToSIInst, SIToFPInst>(cast);
  Type *number = toInteger ? cast.getSrcTy() : cast.getDestTy(),
       *integer = toInteger ? cast.getDestTy() : cast.getSrcTy();
  IRBuilder<> builder(&cast);
  Type *wide = builder.getInt128Ty();
  StringRef kind = number->isFloatTy() ? "sf" : "df";
  std::string name = toInteger ? ("__fix" + Twine(isSigned ? "" : "uns") + kind + "ti").str()
                               : ("__float" + Twine(isSigned ? "" : "un") + "ti" + kind).str();
  FunctionCallee function = cast.getModule()->getOrInsertFunction(
      name, FunctionType::get(toInteger ? wide : number, {toInteger ? number : wide}, false));
  if (toInteger)
    return builder.CreateTrunc(builder.CreateCall(function, cast.getOperand(0)), integer);
  return builder.CreateCall(function, builder.CreateIntCast(cast.getOperand(0), wide, isSigned));
}

/// Returns the C name of an intrinsic that only a host has and that the verifier or a back end would refuse, else "".
static StringRef hostBuiltin(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::thread_pointer:
    return "__builtin_thread_pointer";
  case Intrinsic::frameaddress:
    return "__builtin_frame_address";
  case Intrinsic::stackaddress:
    return "__builtin_stack_address";
  case Intrinsic::clear_cache:
    return "__builtin___clear_cache";
  default:
    return "";
  }
}

//===-- Vectors and short numbers ---------------------------------------------------------------------------------===//

/// Returns true if GPUs lack an exact instruction, or any instruction, for this operation on numbers of some type.
static bool lacksInstruction(const Instruction &inst) {
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return convertsWide(*cast);
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call || call->arg_empty())
    return inst.getOpcode() == Instruction::FRem;
  switch (call->getIntrinsicID()) {
  case Intrinsic::modf:
  case Intrinsic::sincos:
    return true;
  case Intrinsic::powi:
    return !isa<ConstantInt>(call->getArgOperand(1)); // otherwise it becomes multiplications
  case Intrinsic::sqrt:                               // AMD's instruction for halves may be off by a digit
  case Intrinsic::canonicalize:
    return isShort(call->getType()->getScalarType());
  default:
    return !mathFunction(call->getIntrinsicID(), call->getType()->getScalarType()).empty();
  }
}

static SmallVector<Value *> operandsOf(Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call ? SmallVector<Value *>(call->args()) : SmallVector<Value *>(inst.operands());
}

/// Applies `map` to the type of the result, or to each member's type if there are several results.
static Type *mapTypes(Type *type, function_ref<Type *(Type *)> map) {
  auto *record = dyn_cast<StructType>(type);
  return record ? StructType::get(type->getContext(), map_to_vector(record->elements(), map)) : map(type);
}

static Value *expandMath(Instruction &inst);

/// Copies an instruction with other operands and another result type, and expands the copy if it lacks an instruction.
static Value *expandAs(IRBuilder<> &builder, Instruction &inst, Type *result, ArrayRef<Value *> operands) {
  Value *same = nullptr;
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    same = builder.CreateIntrinsic(result, call->getIntrinsicID(), operands);
  else if (auto *cast = dyn_cast<CastInst>(&inst))
    same = builder.CreateCast(cast->getOpcode(), operands[0], result);
  else
    same = builder.CreateFRem(operands[0], operands[1]);
  auto *created = dyn_cast<Instruction>(same); // constant operands may give a constant
  Value *value = created ? expandMath(*created) : nullptr;
  if (!value)
    return same;
  created->eraseFromParent();
  return value;
}

/// Inserts `element` into `whole` as element `i`; with several results, into each result.
static Value *insertElement(IRBuilder<> &builder, Value *whole, Value *element, unsigned i) {
  auto *record = dyn_cast<StructType>(whole->getType());
  if (!record)
    return builder.CreateInsertElement(whole, element, i);
  for (unsigned member = 0; member < record->getNumElements(); ++member) {
    Value *vector = builder.CreateInsertElement(builder.CreateExtractValue(whole, member),
                                                builder.CreateExtractValue(element, member), i);
    whole = builder.CreateInsertValue(whole, vector, member);
  }
  return whole;
}

static Value *expandElements(Instruction &inst, unsigned count) {
  IRBuilder<> builder(&inst);
  Type *scalar = mapTypes(inst.getType(), [](Type *type) { return type->getScalarType(); });
  Value *whole = PoisonValue::get(inst.getType());
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Value *> operands = map_to_vector(operandsOf(inst), [&](Value *operand) {
      return operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, i) : operand;
    });
    whole = insertElement(builder, whole, expandAs(builder, inst, scalar, operands), i);
  }
  return whole;
}

/// Computes an operation on halves with floats. The result is exact, because a float has more than twice a half's
/// digits.
static Value *expandAsFloats(Instruction &inst) {
  IRBuilder<> builder(&inst);
  Type *real = builder.getFloatTy();
  SmallVector<Value *> operands = map_to_vector(operandsOf(inst), [&](Value *operand) {
    return isShort(operand->getType()) ? builder.CreateFPExt(operand, real) : operand;
  });
  Type *wide = mapTypes(inst.getType(), [&](Type *type) { return isShort(type) ? real : type; });
  Value *value = expandAs(builder, inst, wide, operands);
  if (wide == inst.getType())
    return value;
  auto *record = dyn_cast<StructType>(wide);
  if (!record)
    return builder.CreateFPTrunc(value, inst.getType());
  Value *result = PoisonValue::get(inst.getType());
  for (unsigned i = 0; i < record->getNumElements(); ++i)
    result = builder.CreateInsertValue(
        result, builder.CreateFPTrunc(builder.CreateExtractValue(value, i), inst.getType()->getStructElementType(i)),
        i);
  return result;
}

//===-- Instructions ----------------------------------------------------------------------------------------------===//

/// Expands an operation on one float or double.
static Value *expandReal(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  Value *first = call.getArgOperand(0);
  switch (call.getIntrinsicID()) {
  case Intrinsic::modf:
    return splitReal(builder, first);
  case Intrinsic::sincos:
    return sineAndCosine(builder, first);
  case Intrinsic::powi:
    return builder.CreateCall(call.getModule()->getOrInsertFunction(
                                  first->getType()->isFloatTy() ? "__powisf2" : "__powidf2", call.getFunctionType()),
                              {first, call.getArgOperand(1)});
  default:
    return callMath(builder, mathFunction(call.getIntrinsicID(), call.getType()), call.getType(), operandsOf(call));
  }
}

/// Builds an instruction's value if GPUs have no exact instruction for it. Returns null for other instructions.
static Value *expandMath(Instruction &inst) {
  IRBuilder<> builder(&inst);
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  // DeviceCheck refuses this call and reports its line.
  if (StringRef name = call ? hostBuiltin(call->getIntrinsicID()) : ""; !name.empty())
    return builder.CreateCall(call->getModule()->getOrInsertFunction(name, call->getFunctionType()), operandsOf(*call));
  if (!lacksInstruction(inst))
    return nullptr;
  Type *source = inst.getOperand(0)->getType(), *number = source->isFPOrFPVectorTy() ? source : inst.getType();
  if (auto *vector = dyn_cast<FixedVectorType>(source))
    return expandElements(inst, vector->getNumElements());
  if (isShort(number))
    return expandAsFloats(inst);
  if (!isReal(number)) // long double is refused
    return nullptr;
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return convertWide(*cast);
  return call ? expandReal(*call) : callMath(builder, "fmod", number, operandsOf(inst));
}

void cilk2gpu::callMathFunctions(Module &device) {
  for (Function &function : device)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (Value *value = expandMath(inst)) {
        inst.replaceAllUsesWith(value);
        inst.eraseFromParent();
      }
}
