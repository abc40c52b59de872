// Variable-length arrays and alloca in tasks. A kernel's stack ends at a sync, and children hold addresses of their
// parent's locals, so such storage comes from the runtime and belongs to the task: a list in the task's frame.
//
//   alloca T, n      ->  __cilk2gpu_local(&list, n * sizeof(T), align)
//   stacksave        ->  __cilk2gpu_mark(&list)
//   stackrestore m   ->  __cilk2gpu_release(&list, m)      a block ends: as with any local of it, no child may use it now
//   ret              ->  sync; __cilk2gpu_release(&list, null); ret
#include "Extract.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

static SmallVector<AllocaInst *> dynamicAllocas(Function &function) {
  SmallVector<AllocaInst *> found;
  for (Instruction &inst : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->isStaticAlloca())
      found.push_back(alloca);
  return found;
}

bool cilk2gpu::hasDynamicLocals(Function &function) { return !dynamicAllocas(function).empty(); }

static void replaceAlloca(AllocaInst *alloca, AllocaInst *list) {
  IRBuilder<> builder(alloca);
  Type *i64 = builder.getInt64Ty();
  Value *count = builder.CreateZExtOrTrunc(alloca->getArraySize(), i64);
  uint64_t size = alloca->getDataLayout().getTypeAllocSize(alloca->getAllocatedType());
  Value *bytes = builder.CreateMul(count, builder.getInt64(size));
  FunctionCallee local = alloca->getModule()->getOrInsertFunction(
      "__cilk2gpu_local", FunctionType::get(builder.getPtrTy(), {builder.getPtrTy(), i64, i64}, false));
  Value *block = builder.CreateCall(local, {list, bytes, builder.getInt64(alloca->getAlign().value())});
  alloca->replaceAllUsesWith(block);
  alloca->eraseFromParent();
}

static void release(Instruction *before, AllocaInst *list, Value *mark) {
  IRBuilder<> builder(before);
  FunctionCallee callee = before->getModule()->getOrInsertFunction(
      "__cilk2gpu_release", FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), builder.getPtrTy()}, false));
  builder.CreateCall(callee, {list, mark});
}

static bool isIntrinsic(const Instruction &inst, Intrinsic::ID id) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  return intrinsic && intrinsic->getIntrinsicID() == id;
}

/// Without storage of variable size the stack is saved for nothing: LLVM's inliner does so for an alloca that it then finds
/// unreachable. A sync between the two would give one kernel's stack to another.
static void dropSaves(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isIntrinsic(inst, Intrinsic::stacksave) && !isIntrinsic(inst, Intrinsic::stackrestore))
      continue;
    if (!inst.getType()->isVoidTy())
      inst.replaceAllUsesWith(PoisonValue::get(inst.getType()));
    inst.eraseFromParent();
  }
}

void cilk2gpu::replaceDynamicLocals(Function &function) {
  SmallVector<AllocaInst *> dynamic = dynamicAllocas(function);
  if (dynamic.empty())
    return dropSaves(function);
  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  Value *none = ConstantPointerNull::get(entry.getPtrTy());
  AllocaInst *list = entry.CreateAlloca(entry.getPtrTy());
  entry.CreateStore(none, list);
  for (AllocaInst *alloca : dynamic)
    replaceAlloca(alloca, list);
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (isa<ReturnInst>(inst)) {
      createSync(&inst);
      release(&inst, list, none);
    } else if (isIntrinsic(inst, Intrinsic::stacksave)) {
      IRBuilder<> builder(&inst);
      Type *pointer = builder.getPtrTy();
      FunctionCallee mark =
          inst.getModule()->getOrInsertFunction("__cilk2gpu_mark", FunctionType::get(pointer, {pointer}, false));
      inst.replaceAllUsesWith(builder.CreateCall(mark, {list}));
      inst.eraseFromParent();
    } else if (isIntrinsic(inst, Intrinsic::stackrestore)) {
      release(&inst, list, inst.getOperand(0));
      inst.eraseFromParent();
    }
  }
}
