// See RecursiveCalls.h.
#include "RecursiveCalls.h"
#include "Retarget.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Makes the calls of `callee` by `callers` go through a variable. As far as optimisers can tell, others might write
/// it.
static void hideCalls(Function &callee, const SmallPtrSetImpl<Function *> &callers) {
  GlobalVariable *pointer = nullptr;
  for (Use &use : make_early_inc_range(callee.uses())) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use) || !callers.contains(call->getFunction()))
      continue;
    if (!pointer) {
      pointer = new GlobalVariable(*callee.getParent(), callee.getType(), /*isConstant=*/false,
                                   GlobalValue::InternalLinkage, &callee, "__cilk2gpu_callee_" + callee.getName(),
                                   nullptr, GlobalValue::NotThreadLocal, cilk2gpu::kGlobalSpace);
      pointer->setExternallyInitialized(true);
    }
    use.set(IRBuilder<>(call).CreateLoad(callee.getType(), pointer));
  }
}

void cilk2gpu::hideRecursion(Module &program) {
  CallGraph calls(program);
  SmallVector<SmallPtrSet<Function *, 4>> groups;
  for (auto group = scc_begin(&calls); !group.isAtEnd(); ++group)
    if (group.hasCycle()) {
      auto &functions = groups.emplace_back();
      for (CallGraphNode *node : *group)
        if (Function *function = node->getFunction(); function && !function->isDeclaration())
          functions.insert(function);
    }
  for (const SmallPtrSet<Function *, 4> &group : groups)
    for (Function *callee : group)
      hideCalls(*callee, group);
}
