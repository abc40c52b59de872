// Handles names and linkage of a translation unit's symbols, as far as tasks depend on them.
#include "Extract.h"
#include "ImportPasses.h"
#include "Variables.h"

#include "cilk2gpu/Support/Annotations.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ModuleParts.h"
#include "cilk2gpu/Support/PedigreeMarks.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

bool KeepOwnSymbolsPass::runOn(Module &module, Module &) {
  if (!module.getSemanticInterposition() || findCilkFunctions(module).empty())
    return true;
  for (Function &function : module) {
    bool isReplaced = GlobalValue::isInterposableLinkage(function.getLinkage());
    if (!function.isDeclarationForLinker() && !isReplaced && (executable || function.getName() == "main"))
      function.setDSOLocal(true);
  }
  return true;
}

/// Returns the function for which an alias stands, or null if the linker may replace it by another function.
static Function *ownAliasee(GlobalAlias &alias) {
  Constant *value = &alias;
  for (auto *next = &alias; next; next = dyn_cast<GlobalAlias>(value)) {
    if (next->isInterposable())
      return nullptr;
    value = next->getAliasee();
  }
  auto *function = dyn_cast<Function>(value);
  return function && !function->isInterposable() ? function : nullptr;
}

bool ResolveAliasesPass::runOn(Module &module, Module &) {
  if (module.alias_empty() || findCilkFunctions(module).empty())
    return true;
  Function *marker = module.getFunction(kSpawnCalleeMarker);
  for (GlobalAlias &alias : module.aliases())
    if (Function *function = ownAliasee(alias))
      alias.replaceUsesWithIf(function, [&](Use &use) {
        auto *call = dyn_cast<CallBase>(use.getUser());
        if (!call || !call->isCallee(&use))
          return call && marker && call->getCalledFunction() == marker;
        return call->getFunctionType() == function->getFunctionType();
      });
  return true;
}

bool ReadLanesPass::runOn(Module &module, Module &) {
  forEachAnnotation(module, [](Function &function, StringRef text) {
    if (text.consume_front(kLanesAnnotation))
      function.addFnAttr(kLanesAttr, text);
  });
  return true;
}

bool ReadBlockKernelsPass::runOn(Module &module, Module &) {
  forEachAnnotation(module, [](Function &function, StringRef text) {
    if (text == kBlockKernelAnnotation && !function.hasFnAttribute(kBlockKernelAttr))
      function.addFnAttr(kBlockKernelAttr);
    else if (text == kBlockSyncAnnotation)
      function.addFnAttr(kBlockSyncAttr);
  });
  return true;
}

bool NameGlobalsPass::runOn(Module &module, Module &) {
  unsigned number = 0;
  for (GlobalValue &value : module.global_values())
    if (!value.hasName())
      value.setName("__cilk2gpu_anon" + Twine(number++));
  return true;
}

bool DropUnusedPass::runOn(Module &module, Module &) {
  dropUnused(module);
  return true;
}

PreservedAnalyses DropMarkersPass::run(Module &module, ModuleAnalysisManager &) {
  for (const char *name :
       {kSpawnBeginMarker, kSpawnCalleeMarker, kSpawnEndMarker, kSyncMarker, kReturnSyncMarker, kForBeginMarker,
        kForEndMarker, kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker, kVariableMarker, kCheckMarker,
        kReturnCheckMarker, kCaughtMarker, kThrownMarker, kRaiseMarker})
    if (Function *marker = module.getFunction(name)) {
      for (User *user : make_early_inc_range(marker->users())) {
        auto *inst = cast<Instruction>(user);
        if (auto *invoke = dyn_cast<InvokeInst>(inst)) // ends a block
          inst = changeToCall(invoke);
        inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
        inst->eraseFromParent();
      }
      marker->eraseFromParent();
    }
  for (Function &function : module)
    function.removeFnAttr(kTaskFunctionAttr);
  dropVariableTable(module);
  dropValueTable(module);
  return PreservedAnalyses::none();
}
