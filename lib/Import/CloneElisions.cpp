// Creates the serial elisions of two kinds of Cilk functions from the functions as Clang made them, without the
// markers:
// - functions in which an exception that passes runs a destructor or a handler;
// - functions with variables of variable size on their stack.
// The split copy of such a function has no code for unwinding, because no exception leaves a task, and its variables of
// variable size belong to the task. The elision is ordinary code, and exceptions pass through it. The elisions of all
// other functions are made from the split copy (cilk-create-elisions), where they call each other directly.
#include "Extract.h"
#include "ImportPasses.h"
#include "SerialLoop.h"

#include "cilk2gpu/Support/DoacrossPlan.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

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
    if (CallInst *end = findLoopEnd(*begin))
      makeSerialLoop(begin, end);
  for (const char *name : {kSpawnBeginMarker, kSpawnCalleeMarker, kSpawnEndMarker, kSyncMarker, kReturnSyncMarker,
                           kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker})
    for (CallInst *marker : markersIn(*elision, name))
      marker->eraseFromParent();
  for (CallInst *add : markersIn(*elision, kDependAdd))
    add->setCalledFunction(
        function.getParent()->getOrInsertFunction(kDependAddInElision, add->getFunctionType(), add->getAttributes()));
  for (const DoacrossResult &result : kDoacrossInElisions)
    for (CallInst *call : markersIn(*elision, result.function)) {
      call->replaceAllUsesWith(result.operand < 0 ? ConstantInt::get(call->getType(), result.constant)
                                                  : call->getArgOperand(unsigned(result.operand)));
      call->eraseFromParent();
    }
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
