// Creates the serial elisions of two kinds of Cilk functions from the functions as Clang made them, without the
// markers:
// - functions in which an exception that passes runs a destructor or a handler;
// - functions with variables of variable size on their stack.
// The split copy of such a function has no code for unwinding, because no exception leaves a task, and its variables of
// variable size belong to the task. The elision is ordinary code, and exceptions pass through it. The elisions of all
// other functions are made from the split copy (cilk-create-elisions), where they call each other directly.
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

static SmallVector<CallInst *> markersIn(Function &function, StringRef name) {
  SmallVector<CallInst *> found;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
      found.push_back(call);
  return found;
}

/// body -> for (k = 0; k < count; ++k) body
static void makeLoop(CallInst *begin, CallInst *end) {
  Function &function = *begin->getFunction();
  Module *module = function.getParent();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  Type *i64 = builder.getInt64Ty();
  AllocaInst *slot = builder.CreateAlloca(i64);
  builder.SetInsertPoint(begin);
  auto argument = [&](unsigned index) { return begin->getArgOperand(index); };
  Value *count = builder.CreateCall(getTripCount(*module), {argument(1), argument(2), argument(3), argument(4)});
  builder.CreateStore(builder.getInt64(0), slot);
  BasicBlock *body = SplitBlock(begin->getParent(), begin->getIterator());
  BasicBlock *after = SplitBlock(end->getParent(), end->getIterator());
  BasicBlock *head = BasicBlock::Create(function.getContext(), "", &function, body);
  body->getSinglePredecessor()->getTerminator()->setSuccessor(0, head);
  builder.SetInsertPoint(head);
  Value *index = builder.CreateLoad(i64, slot);
  builder.CreateCondBr(builder.CreateICmpULT(index, count), body, after);
  Instruction *last = after->getSinglePredecessor() ? after->getSinglePredecessor()->getTerminator() : nullptr;
  for (BasicBlock *block : SmallVector<BasicBlock *>(predecessors(after)))
    if (block != head)
      last = block->getTerminator();
  builder.SetInsertPoint(last);
  builder.CreateStore(builder.CreateAdd(index, builder.getInt64(1)), slot);
  last->setSuccessor(0, head);
  begin->replaceAllUsesWith(index);
  begin->eraseFromParent();
  end->eraseFromParent();
}

static bool differsWhenSplit(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) { return isa<InvokeInst>(inst); }) ||
         (function.getName() != "main" && hasDynamicLocals(function));
}

static Function *createElision(Function &function) {
  ValueToValueMapTy mapping;
  Function *elision = CloneFunction(&function, mapping);
  elision->setName(function.getName() + ".serial");
  elision->setLinkage(GlobalValue::InternalLinkage);
  elision->setVisibility(GlobalValue::DefaultVisibility);
  elision->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  elision->setComdat(nullptr);
  elision->setDSOLocal(true);
  elision->removeFnAttr(kTaskFunctionAttr);
  for (CallInst *begin : markersIn(*elision, kForBeginMarker))
    for (CallInst *end : markersIn(*elision, kForEndMarker))
      if (end->getArgOperand(0) == begin->getArgOperand(0)) {
        makeLoop(begin, end);
        break;
      }
  for (const char *name : {kSpawnBeginMarker, kSpawnCalleeMarker, kSpawnEndMarker, kSyncMarker, kReturnSyncMarker})
    for (CallInst *marker : markersIn(*elision, name))
      marker->eraseFromParent();
  return elision;
}

bool CloneElisionsPass::runOn(Module &module, Module &) {
  SmallVector<std::pair<Function *, Function *>> elisions;
  for (Function *function : findCilkFunctions(module))
    if (differsWhenSplit(*function)) {
      elisions.emplace_back(function, createElision(*function));
      function->addFnAttr(kElisionFunctionAttr, elisions.back().second->getName());
    }
  for (auto [function, elision] : elisions)
    for (auto [callee, direct] : elisions)
      for (User *user : make_early_inc_range(callee->users()))
        if (auto *call = dyn_cast<CallBase>(user);
            call && call->getFunction() == elision && call->getCalledOperand() == callee)
          call->setCalledFunction(direct);
  return true;
}

void cilk2gpu::callElision(Function &host, Function &elision) {
  LLVMContext &context = host.getContext();
  BasicBlock *start = &host.getEntryBlock();
  BasicBlock *entry = BasicBlock::Create(context, "", &host, start);
  BasicBlock *serial = BasicBlock::Create(context, "", &host);
  IRBuilder<> builder(entry);
  if (DISubprogram *program = host.getSubprogram()) // a call that may be inlined needs a line
    builder.SetCurrentDebugLocation(DILocation::get(context, program->getScopeLine(), 0, program));
  for (Instruction &inst : make_early_inc_range(*start))
    if (isa<AllocaInst>(inst))
      inst.moveBefore(*entry, entry->end());
  FunctionCallee isSerial =
      host.getParent()->getOrInsertFunction("__cilk2gpu_serial", FunctionType::get(builder.getInt32Ty(), false));
  builder.CreateCondBr(builder.CreateIsNotNull(builder.CreateCall(isSerial)), serial, start);
  builder.SetInsertPoint(serial);
  SmallVector<Value *> args;
  for (Argument &argument : host.args())
    args.push_back(&argument);
  CallInst *result = builder.CreateCall(&elision, args);
  host.getReturnType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(result);
}
