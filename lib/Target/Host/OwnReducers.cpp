// See OwnReducers.h.
#include "Target/Host/OwnReducers.h"
#include "cilk2gpu/Support/ReducerMarks.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the operand of a call of a function for reducers that is the reducer. Returns nothing for other calls.
static std::optional<unsigned> reducerOperand(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : StringRef();
  if (is_contained({kHyperLookup, kReducerRegister, kReducerUnregister}, name))
    return 0;
  // These have the activation in front.
  return is_contained({kViewsLookup, kViewsRegister, kViewsUnregister}, name) ? std::optional(1u) : std::nullopt;
}

static bool isUseOf(const Use &use, const CallInst &call) {
  return call.isArgOperand(&use) && reducerOperand(call) == call.getArgOperandNo(&use);
}

/// Collects the calls for reducers in a local, through addresses of its parts. Returns false if the address of a
/// reducer may become known to other code.
static bool collectCalls(Value &address, SmallVectorImpl<CallInst *> &calls) {
  for (Use &use : address.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (isa<GetElementPtrInst>(user)) {
      if (!collectCalls(*user, calls))
        return false;
    } else if (auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() == use.get())
        return false;
    } else if (auto *call = dyn_cast<CallInst>(user); call && isUseOf(use, *call)) {
      calls.push_back(call);
    } else if (!isa<LoadInst, MemIntrinsic>(user) && !user->isLifetimeStartOrEnd()) {
      return false;
    }
  }
  return true;
}

/// Uses the reducers in a local without views. Returns false if other code may know them.
static bool useDirectly(AllocaInst &local) {
  SmallVector<CallInst *> calls;
  if (!collectCalls(local, calls) || calls.empty())
    return false;
  for (CallInst *call : calls) {
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(call->getArgOperand(*reducerOperand(*call)));
    call->eraseFromParent();
  }
  return true;
}

PreservedAnalyses UseOwnReducersPass::run(Function &function, FunctionAnalysisManager &analyses) {
  SmallVector<AllocaInst *> locals;
  for (Instruction &inst : function.getEntryBlock())
    if (auto *local = dyn_cast<AllocaInst>(&inst); local && useDirectly(*local))
      locals.push_back(local);
  if (locals.empty())
    return PreservedAnalyses::all();
  erase_if(locals, [](AllocaInst *local) { return !isAllocaPromotable(local); });
  PromoteMemToReg(locals, analyses.getResult<DominatorTreeAnalysis>(function));
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
