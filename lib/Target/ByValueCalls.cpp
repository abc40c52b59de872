// See ByValueCalls.h. The fault is in TailCallElim, which moves what is behind the call in front of it, but copies the
// arguments before.
#include "ByValueCalls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cilk2gpu;

PreservedAnalyses KeepByValueCallsPass::run(Module &module, ModuleAnalysisManager &) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && !call->isMustTailCall() &&
          any_of(call->args(), [&](Use &argument) { return call->isByValArgument(call->getArgOperandNo(&argument)); }))
        call->setTailCallKind(CallInst::TCK_NoTail);
  return PreservedAnalyses::all();
}
