// See LoopCalls.h.
#include "LoopCalls.h"

#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"

using namespace llvm;
using namespace cilk2gpu;

LoopCalls::LoopCalls(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() &&
        (function.hasFnAttribute(lane::kLoopTaskAttr) || function.hasFnAttribute(lane::kLoopBodyAttr)))
      add(function);
}

void LoopCalls::add(Function &function) {
  SmallVector<CallBase *> sites;
  for (Use &use : function.uses()) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use) || call->arg_size() != function.arg_size())
      return;
    if (!call->getFunction()->hasFnAttribute(kSerialLoopAttr))
      sites.push_back(call);
  }
  calls.insert({&function, sites});
}

void cilk2gpu::visitSerialLoops(Module &module, const LoopCalls &calls,
                                function_ref<void(Function &loop, Function &task)> visit) {
  for (Function &loop : module)
    if (Function *task = module.getFunction(loop.getFnAttribute(kSerialLoopAttr).getValueAsString());
        task && calls.contains(task))
      visit(loop, *task);
}
