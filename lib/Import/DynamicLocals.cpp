// Moves variable-length arrays and alloca in tasks from the stack to storage of the task. A kernel's stack ends at a
// sync, but children hold addresses of their parent's locals. The storage is a stack of its own that begins in the
// task's frame (abi::TaskLocals), and is itself a local of the task.
//
//   alloca T, n      ->  top, and top += n * sizeof(T), if that is below end;
//                        else __cilk2gpu_local(&locals, n * sizeof(T), align)
//   stacksave        ->  top
//   stackrestore m   ->  top = m, or, if there are chunks beside the frame's, __cilk2gpu_release(&locals, m):
//                        a block ends; as with any local of it, no child may use it now
//   ret              ->  sync; if there are chunks, __cilk2gpu_release(&locals, null); ret
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/abi/Records.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;
using abi::TaskLocals;

/// Alignment of storage that kernels take without a call.
static constexpr uint64_t kUsualAlign = 16;

static SmallVector<AllocaInst *> dynamicAllocas(Function &function) {
  SmallVector<AllocaInst *> found;
  for (Instruction &inst : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->isStaticAlloca())
      found.push_back(alloca);
  return found;
}

bool cilk2gpu::hasDynamicLocals(Function &function) { return !dynamicAllocas(function).empty(); }

static Value *member(IRBuilder<> &builder, Value *locals, uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), locals, offset);
}

static Value *loadMember(IRBuilder<> &builder, Value *locals, uint64_t offset) {
  return builder.CreateLoad(builder.getPtrTy(), member(builder, locals, offset));
}

/// Creates an empty stack at the start of the function.
static AllocaInst *createLocals(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *locals = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), sizeof(TaskLocals)));
  locals->setAlignment(Align(alignof(TaskLocals)));
  Value *first = member(builder, locals, offsetof(TaskLocals, first));
  builder.CreateStore(first, member(builder, locals, offsetof(TaskLocals, top)));
  Value *end = member(builder, locals, offsetof(TaskLocals, first) + abi::kFrameLocals);
  builder.CreateStore(end, member(builder, locals, offsetof(TaskLocals, end)));
  Value *none = ConstantPointerNull::get(builder.getPtrTy());
  builder.CreateStore(none, member(builder, locals, offsetof(TaskLocals, newest)));
  return locals;
}

static Value *callLocal(IRBuilder<> &builder, Value *locals, Value *bytes, uint64_t align) {
  Type *pointer = builder.getPtrTy(), *i64 = builder.getInt64Ty();
  FunctionCallee local = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      "__cilk2gpu_local", FunctionType::get(pointer, {pointer, i64, i64}, false));
  return builder.CreateCall(local, {locals, bytes, builder.getInt64(align)});
}

/// Takes `bytes` bytes before `where` if they fit below the end, as rt::takeLocal does; else asks the runtime.
static Value *takeLocal(Instruction *where, Value *locals, Value *bytes) {
  IRBuilder<> builder(where);
  Value *top = loadMember(builder, locals, offsetof(TaskLocals, top));
  Value *end = loadMember(builder, locals, offsetof(TaskLocals, end));
  Type *i64 = builder.getInt64Ty();
  Value *room = builder.CreateSub(builder.CreatePtrToInt(end, i64), builder.CreatePtrToInt(top, i64));
  Instruction *fits, *full;
  SplitBlockAndInsertIfThenElse(builder.CreateICmpULT(bytes, room), where, &fits, &full,
                                MDBuilder(where->getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(fits);
  Value *rounded = builder.CreateAnd(builder.CreateAdd(bytes, builder.getInt64(kUsualAlign - 1)),
                                     builder.getInt64(~(kUsualAlign - 1)));
  builder.CreateStore(builder.CreateInBoundsGEP(builder.getInt8Ty(), top, rounded),
                      member(builder, locals, offsetof(TaskLocals, top)));
  builder.SetInsertPoint(full);
  Value *other = callLocal(builder, locals, bytes, kUsualAlign);
  builder.SetInsertPoint(where);
  PHINode *block = builder.CreatePHI(builder.getPtrTy(), 2);
  block->addIncoming(top, fits->getParent());
  block->addIncoming(other, full->getParent());
  return block;
}

static void replaceAlloca(AllocaInst *alloca, AllocaInst *locals) {
  IRBuilder<> builder(alloca);
  Value *count = builder.CreateZExtOrTrunc(alloca->getArraySize(), builder.getInt64Ty());
  uint64_t size = alloca->getDataLayout().getTypeAllocSize(alloca->getAllocatedType());
  Value *bytes = builder.CreateMul(count, builder.getInt64(size));
  uint64_t align = alloca->getAlign().value();
  alloca->replaceAllUsesWith(align <= kUsualAlign ? takeLocal(alloca, locals, bytes)
                                                  : callLocal(builder, locals, bytes, align));
  alloca->eraseFromParent();
}

/// Frees the storage taken since `mark` was the top. If `mark` is null, frees everything, because the task ends with
/// its frame.
static void release(Instruction *before, AllocaInst *locals, Value *mark) {
  IRBuilder<> builder(before);
  Value *hasChunks = builder.CreateIsNotNull(loadMember(builder, locals, offsetof(TaskLocals, newest)));
  Instruction *chunks, *none;
  SplitBlockAndInsertIfThenElse(hasChunks, before, &chunks, &none,
                                MDBuilder(before->getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(chunks);
  Type *pointer = builder.getPtrTy();
  FunctionCallee callee = before->getModule()->getOrInsertFunction(
      "__cilk2gpu_release", FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false));
  builder.CreateCall(callee, {locals, mark});
  if (isa<ConstantPointerNull>(mark))
    return;
  builder.SetInsertPoint(none);
  builder.CreateStore(mark, member(builder, locals, offsetof(TaskLocals, top)));
}

static bool isIntrinsic(const Instruction &inst, Intrinsic::ID id) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  return intrinsic && intrinsic->getIntrinsicID() == id;
}

/// Drops saves of the stack in functions without variables of variable size. LLVM's inliner makes them for an alloca
/// that it later finds unreachable. A sync between save and restore would give one kernel's stack to another kernel.
static void dropSaves(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isIntrinsic(inst, Intrinsic::stacksave) && !isIntrinsic(inst, Intrinsic::stackrestore))
      continue;
    if (!inst.getType()->isVoidTy())
      inst.replaceAllUsesWith(PoisonValue::get(inst.getType()));
    inst.eraseFromParent();
  }
}

/// Moves variables of fixed size to the start of the function. Taking storage splits the first block, and variables
/// behind the split would no longer be in the first block.
static void hoistFixed(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  for (Instruction &inst : make_early_inc_range(entry))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && alloca->isStaticAlloca())
      alloca->moveBefore(entry, entry.getFirstInsertionPt());
}

static void replaceDynamicLocals(Function &function) {
  SmallVector<AllocaInst *> dynamic = dynamicAllocas(function);
  if (dynamic.empty())
    return dropSaves(function);
  hoistFixed(function);
  AllocaInst *locals = createLocals(function);
  for (AllocaInst *alloca : dynamic)
    replaceAlloca(alloca, locals);
  SmallVector<Instruction *> ends; // blocks are split there
  for (Instruction &inst : instructions(function))
    if (isa<ReturnInst>(inst) || isIntrinsic(inst, Intrinsic::stacksave) || isIntrinsic(inst, Intrinsic::stackrestore))
      ends.push_back(&inst);
  for (Instruction *inst : ends) {
    if (isa<ReturnInst>(inst)) {
      createSync(inst);
      release(inst, locals, ConstantPointerNull::get(PointerType::getUnqual(inst->getContext())));
      continue;
    }
    IRBuilder<> builder(inst);
    if (isIntrinsic(*inst, Intrinsic::stacksave))
      inst->replaceAllUsesWith(loadMember(builder, locals, offsetof(TaskLocals, top)));
    else
      release(inst, locals, inst->getOperand(0));
    inst->eraseFromParent();
  }
}

/// Handles all Cilk functions except for main, which is not split and keeps its stack across syncs.
bool ReplaceDynamicLocalsPass::runOn(Module &module, Module &) {
  for (Function &function : module)
    if (function.hasFnAttribute(kTaskFunctionAttr) && function.getName() != "main")
      replaceDynamicLocals(function);
  return true;
}
