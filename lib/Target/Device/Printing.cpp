// printf and fprintf in tasks: the device runtime's version takes its values in words of 8 bytes, since a GPU has no
// variable arguments. What cannot be put into words is left, and refused as a call of a variadic function.
#include "Retarget.h"

#include "abi/Requests.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cilk2gpu;

/// Whether the host can have the value: a string in a lane's own memory it cannot read.
static bool isPrintable(const Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return !isa<AllocaInst>(getUnderlyingObject(value));
  return type->isDoubleTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

static Value *toWord(IRBuilder<> &builder, Value *value) {
  Type *word = builder.getInt64Ty();
  if (value->getType()->isPointerTy())
    return builder.CreatePtrToInt(value, word);
  if (value->getType()->isDoubleTy())
    return builder.CreateBitCast(value, word);
  return builder.CreateSExt(value, word);
}

static void lowerCall(CallInst &call, unsigned formatIndex) {
  unsigned first = formatIndex + 1, count = call.arg_size() - first;
  if (count + 2 > abi::kRequestArguments || !all_of(drop_begin(call.args(), first), isPrintable))
    return;
  Module &program = *call.getModule();
  LLVMContext &context = program.getContext();
  Type *pointer = PointerType::get(context, 0), *word = Type::getInt64Ty(context), *i32 = Type::getInt32Ty(context);
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  IRBuilder<> top(&entry, entry.getFirstInsertionPt()), builder(&call);
  Type *array = ArrayType::get(word, count);
  Value *values = top.CreateAddrSpaceCast(top.CreateAlloca(array), pointer);
  for (unsigned i = 0; i < count; ++i)
    builder.CreateStore(toWord(builder, call.getArgOperand(first + i)), builder.CreateConstGEP1_32(word, values, i));
  Value *stream = formatIndex ? call.getArgOperand(0) : ConstantPointerNull::get(cast<PointerType>(pointer));
  FunctionCallee print = program.getOrInsertFunction("__cilk2gpu_device_print", i32, pointer, pointer, pointer, i32);
  Value *result = builder.CreateCall(print, {stream, call.getArgOperand(formatIndex), values, builder.getInt32(count)});
  if (call.getType() == i32)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void cilk2gpu::lowerPrinting(Module &program) {
  for (auto [name, formatIndex] : {std::pair("printf", 0u), std::pair("fprintf", 1u)})
    if (Function *function = program.getFunction(name); function && function->isDeclaration())
      for (User *user : make_early_inc_range(function->users()))
        if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == function && call->arg_size() > formatIndex)
          lowerCall(*call, formatIndex);
}
