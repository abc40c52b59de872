// Tells apart the syncs of an instrumented elision by the kernel that the graph needs behind them:
//
//   cilk_sync; return x + y;    sync          a kernel runs, also if the function has spawned nothing
//   return n; (the implied sync) sync_return  a kernel delivers the result, if there was something to wait for
//   cilk_sync; }                sync_end      nothing runs
//
// The pass works on Clang's code, in which the end of a function is easy to see.
#include "CountWork.h"
#include "InstrumentPasses.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns whether an instruction behind a sync is only part of the function's return.
static bool isPartOfReturn(const Instruction &inst) {
  if (auto *call = dyn_cast<CallInst>(&inst)) {
    if (isa<DbgInfoIntrinsic>(call) || call->isLifetimeStartOrEnd())
      return true;
    StringRef name = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
    return name.consume_front(kStrandHookPrefix) && (name == "leave" || name.starts_with("sync"));
  }
  return isa<LoadInst, ReturnInst, PHINode>(inst) || (inst.isTerminator() && !isa<InvokeInst, ResumeInst>(inst));
}

/// Returns whether a function does nothing more behind an instruction than return a value that it has computed.
static bool isAtEnd(const Instruction &from) {
  SmallPtrSet<const BasicBlock *, 8> seen;
  SmallVector<const Instruction *> starts = {from.getNextNode()};
  while (!starts.empty()) {
    const Instruction *inst = starts.pop_back_val();
    for (; inst; inst = inst->getNextNode()) {
      if (!isPartOfReturn(*inst))
        return false;
      if (inst->isTerminator())
        for (const BasicBlock *next : successors(inst->getParent()))
          if (seen.insert(next).second)
            starts.push_back(&next->front());
    }
  }
  return true;
}

PreservedAnalyses NameSyncsPass::run(Module &module, ModuleAnalysisManager &) {
  Function *sync = module.getFunction((kStrandHookPrefix + Twine("sync")).str());
  if (!sync)
    return PreservedAnalyses::all();
  SmallVector<std::pair<CallInst *, StringRef>> named;
  for (User *user : sync->users()) {
    auto *call = dyn_cast<CallInst>(user);
    if (call && call->getFunction()->getReturnType()->isVoidTy() && isAtEnd(*call))
      named.push_back({call, "sync_end"});
    else if (call && call->hasMetadata(kReturnSyncMetadata))
      named.push_back({call, "sync_return"});
  }
  for (auto [call, name] : named) {
    FunctionCallee hook = module.getOrInsertFunction((kStrandHookPrefix + name).str(), sync->getFunctionType());
    cast<Function>(hook.getCallee())->setAttributes(sync->getAttributes());
    call->setCalledFunction(hook);
  }
  return PreservedAnalyses::none();
}
