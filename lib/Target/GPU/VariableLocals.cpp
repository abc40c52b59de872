// See VariableLocals.h.
#include "VariableLocals.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Corrects the locals of one function.
class VariableLocals {
public:
  VariableLocals(Function &function, unsigned waveSize)
      : function(function), waveSize(waveSize), number(Type::getInt32Ty(function.getContext())) {}

  void mendScaled();
  void mendUnscaled();

private:
  template <class Instruction> SmallVector<Instruction *> all(function_ref<bool(Instruction &)> isWanted);
  SmallVector<AllocaInst *> locals() {
    return all<AllocaInst>([](AllocaInst &local) { return !local.isStaticAlloca(); });
  }
  SmallVector<IntrinsicInst *> calls(Intrinsic::ID id) {
    return all<IntrinsicInst>([=](IntrinsicInst &call) { return call.getIntrinsicID() == id; });
  }
  void locate(AllocaInst &local);
  void shrink(AllocaInst &local);
  static CallInst *assemble(IRBuilder<> &builder, StringRef text, StringRef operands, Type *result,
                            ArrayRef<Value *> arguments);
  void save(IntrinsicInst &call);
  void restore(IntrinsicInst &call);

  Function &function;
  unsigned waveSize;
  IntegerType *number;
};

} // namespace

template <class Instruction>
SmallVector<Instruction *> VariableLocals::all(function_ref<bool(Instruction &)> isWanted) {
  SmallVector<Instruction *> result;
  for (auto &inst : instructions(function))
    if (auto *wanted = dyn_cast<Instruction>(&inst); wanted && isWanted(*wanted))
      result.push_back(wanted);
  return result;
}

/// Divides the address of each local by the number of lanes, because LLVM uses the undivided stack pointer as the
/// address.
void VariableLocals::locate(AllocaInst &local) {
  for (User *user : make_early_inc_range(local.users()))
    if (auto *mark = dyn_cast<LifetimeIntrinsic>(user))
      mark->eraseFromParent(); // these calls need the alloca's own address
  IRBuilder<> builder(local.getNextNode());
  auto *pointer = cast<Instruction>(builder.CreatePtrToInt(&local, number));
  Value *own = builder.CreateIntToPtr(builder.CreateLShr(pointer, Log2_32(waveSize)), local.getType());
  local.replaceUsesWithIf(own, [&](Use &use) { return use.getUser() != pointer; });
}

/// Divides the size of a local by the number of lanes, because LLVM multiplies it on each lane's stack.
void VariableLocals::shrink(AllocaInst &local) {
  IRBuilder<> builder(&local);
  uint64_t each = function.getDataLayout().getTypeAllocSize(local.getAllocatedType());
  Value *bytes = builder.CreateMul(builder.CreateZExtOrTrunc(local.getArraySize(), number), builder.getInt32(each));
  Value *rounded = builder.CreateAdd(bytes, builder.getInt32(waveSize - 1));
  Align alignment = local.getAlign(); // before the type changes
  local.setAllocatedType(builder.getInt8Ty());
  local.setAlignment(alignment);
  local.setOperand(0, builder.CreateLShr(rounded, Log2_32(waveSize)));
}

/// Moves the stack pointer, s32 in functions and kernels, with assembly. LLVM would divide it by the number of lanes,
/// but it is not a multiple of that number. Assembly does not tell LLVM that it uses s32, so no instruction may move
/// past it.
CallInst *VariableLocals::assemble(IRBuilder<> &builder, StringRef text, StringRef operands, Type *result,
                                   ArrayRef<Value *> arguments) {
  SmallVector<Type *> types(map_range(arguments, [](Value *each) { return each->getType(); }));
  auto *type = FunctionType::get(result, types, /*isVarArg=*/false);
  Value *everything = builder.getInt32(0);
  builder.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {}, {everything});
  CallInst *call = builder.CreateCall(InlineAsm::get(type, text, operands, /*hasSideEffects=*/true), arguments);
  builder.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {}, {everything});
  return call;
}

void VariableLocals::save(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  Value *pointer = assemble(builder, "s_mov_b32 $0, s32", "=s,~{memory}", number, {});
  call.replaceAllUsesWith(builder.CreateIntToPtr(pointer, call.getType()));
  call.eraseFromParent();
}

void VariableLocals::restore(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  Value *pointer = builder.CreatePtrToInt(call.getArgOperand(0), number);
  pointer = builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {number}, {pointer});
  assemble(builder, "s_mov_b32 s32, $0", "s,~{memory}", builder.getVoidTy(), {pointer});
  call.eraseFromParent();
}

void VariableLocals::mendScaled() {
  for (AllocaInst *local : locals())
    locate(*local);
}

void VariableLocals::mendUnscaled() {
  for (AllocaInst *local : locals())
    shrink(*local);
  for (IntrinsicInst *call : calls(Intrinsic::stacksave))
    save(*call);
  for (IntrinsicInst *call : calls(Intrinsic::stackrestore))
    restore(*call);
}

void cilk2gpu::mendVariableLocals(Module &program, const target_info::AmdTraits &processor) {
  for (Function &function : program) {
    VariableLocals locals(function, processor.wave);
    if (processor.stack == target_info::StackUnit::AllLanes)
      locals.mendScaled();
    else
      locals.mendUnscaled();
  }
}
