// Creates the serial elisions of Cilk functions from the functions as Clang made them, without the markers. So LLVM
// sees the code of the serial program. Exceptions pass through an elision, and its variables of variable size are on
// the stack. Later passes make functions for loops and spawns, whose elisions come from cilk-create-elisions.
#include "Extract.h"
#include "ImportPasses.h"
#include "ReplaceableFunctions.h"
#include "SerialLoop.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/DoacrossPlan.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace cilk2gpu;

/// Makes `x += cilk_spawn f()` a plain update if x is a variable of the elision. Its children have then ended, so
/// nothing else updates x.
static void updateInPlace(Function &elision) {
  for (CallInst *begin : markersIn(elision, kSpawnBeginMarker)) {
    auto *variable = dyn_cast<AllocaInst>(begin->getArgOperand(1)->stripPointerCasts());
    SmallVector<AtomicRMWInst *> updates;
    visitSpawn(begin, [&](Instruction &inst) {
      if (auto *update = dyn_cast<AtomicRMWInst>(&inst); update && variable && update->getPointerOperand() == variable)
        updates.push_back(update);
    });
    for (AtomicRMWInst *update : updates)
      lowerAtomicRMWInst(update);
  }
}

/// Says how large the object is to which a function returns its result. LLVM's promotion of arguments drops `sret` from
/// local functions at -O3, and then would not know that a call may write its result there, without a copy in between.
static void keepSizeOfResult(Function &function) {
  for (Argument &argument : function.args())
    if (Type *type = argument.getParamStructRetType())
      function.addDereferenceableParamAttr(argument.getArgNo(),
                                           function.getDataLayout().getTypeStoreSize(type).getFixedValue());
}

void cilk2gpu::elideKeywords(Function &elision) {
  updateInPlace(elision);
  for (CallInst *begin : markersIn(elision, kForBeginMarker))
    if (CallInst *end = findLoopEnd(*begin))
      makeSerialLoop(begin, end);
  for (const char *name : {kSpawnBeginMarker, kSpawnCalleeMarker, kSpawnEndMarker, kSyncMarker, kReturnSyncMarker,
                           kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker})
    for (CallInst *marker : markersIn(elision, name))
      marker->eraseFromParent();
  for (CallInst *add : markersIn(elision, kDependAdd))
    add->setCalledFunction(
        elision.getParent()->getOrInsertFunction(kDependAddInElision, add->getFunctionType(), add->getAttributes()));
  for (const DoacrossResult &result : kDoacrossInElisions)
    for (CallInst *call : markersIn(elision, result.function)) {
      call->replaceAllUsesWith(result.operand < 0 ? ConstantInt::get(call->getType(), result.constant)
                                                  : call->getArgOperand(unsigned(result.operand)));
      call->eraseFromParent();
    }
}

/// Returns the elision of a function that returns updates of reducers, or null.
static Function *takeUpdatingElision(Function &function) {
  StringRef name = function.getFnAttribute(kUpdatingElisionAttr).getValueAsString();
  Function *elision = name.empty() ? nullptr : function.getParent()->getFunction(name);
  function.removeFnAttr(kUpdatingElisionAttr);
  return elision && elision->getFunctionType() == function.getFunctionType() ? elision : nullptr;
}

static Function *createElision(Function &function) {
  ValueToValueMapTy mapping;
  Function *elision = takeUpdatingElision(function);
  if (!elision)
    elision = CloneFunction(&function, mapping);
  elision->setName(function.getName() + ".serial");
  elision->setLinkage(GlobalValue::InternalLinkage);
  elision->setVisibility(GlobalValue::DefaultVisibility);
  elision->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  elision->setComdat(nullptr);
  elision->setDSOLocal(true);
  for (const char *attribute : {kTaskFunctionAttr, kPointedAtAttr})
    elision->removeFnAttr(attribute);
  keepSizeOfResult(*elision);
  elideKeywords(*elision);
  return elision;
}

/// Returns the functions from which direct calls lead to a recursion of Cilk functions.
static SmallPtrSet<Function *, 16> findRecursive(Module &module, ArrayRef<Function *> cilkFunctions) {
  SmallPtrSet<Function *, 16> tasks(cilkFunctions.begin(), cilkFunctions.end()), recursive;
  CallGraph graph(module);
  for (auto group = scc_begin(&graph); !group.isAtEnd(); ++group) {
    auto isRecursive = [&](const auto &call) { return recursive.contains(call.second->getFunction()); };
    auto leads = [&](CallGraphNode *node) { return any_of(*node, isRecursive); };
    auto isTask = [&](CallGraphNode *node) { return tasks.contains(node->getFunction()); };
    if ((group.hasCycle() && any_of(*group, isTask)) || any_of(*group, leads))
      for (CallGraphNode *node : *group)
        recursive.insert(node->getFunction());
  }
  recursive.erase(nullptr);
  return recursive;
}

bool CloneElisionsPass::runOn(Module &module, Module &) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  SmallPtrSet<Function *, 16> recursive = findRecursive(module, functions), elisions;
  for (Function *function : functions) {
    Function *elision = createElision(*function);
    if (recursive.contains(function))
      elision->addFnAttr(kRecursiveElisionAttr);
    function->addFnAttr(kElisionFunctionAttr, elision->getName());
    elisions.insert(elision);
  }
  for (Function *function : functions)
    for (User *user : make_early_inc_range(function->users()))
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledOperand() == function && elisions.contains(call->getFunction()))
        call->setCalledFunction(module.getFunction(function->getFnAttribute(kElisionFunctionAttr).getValueAsString()));
  for (Function *function : functions)
    if (replaceableOf(*function))
      for (Function *elision : elisions)
        callLinkedBody(*elision, *function,
                       *module.getFunction(function->getFnAttribute(kElisionFunctionAttr).getValueAsString()),
                       [](const CallBase &) { return true; });
  return true;
}

bool ElideKeywordsPass::runOn(Module &module, Module &) {
  for (Function *function : findCilkFunctions(module)) {
    elideKeywords(*function);
    function->removeFnAttr(kTaskFunctionAttr);
  }
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
