// See Crossing.h.
#include "Crossing.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cilk2gpu;

static InlineAsm *calledAssembly(Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
}

/// Assembly that is not volatile may write memory all the same, unless its call says that it does not. In MLIR it has
/// effects, and is then volatile, or has none.
static void declareEffects(CallBase &call, InlineAsm &code) {
  if (code.hasSideEffects() || (call.doesNotAccessMemory() && call.doesNotThrow()))
    return;
  call.setCalledOperand(InlineAsm::get(code.getFunctionType(), code.getAsmString(), code.getConstraintString(),
                                       /*hasSideEffects=*/true, code.isAlignStack(), code.getDialect(),
                                       code.canThrow()));
}

/// A call through another type than its callee's: MLIR makes it indirect, and forgets how arguments are passed. What is
/// said of a call that comes indirect it keeps.
static void hideCallee(CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand());
  if (callee && callee->getFunctionType() != call.getFunctionType())
    call.setCalledOperand(new FreezeInst(callee, "", call.getIterator()));
}

void cilk2gpu::prepareImport(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call)
        continue;
      hideCallee(*call);
      if (InlineAsm *code = calledAssembly(inst))
        declareEffects(*call, *code);
    }
}

/// Assembly without effects stays as free as it was, to be moved, merged and dropped.
static void declareFreedom(CallBase &call, InlineAsm &code) {
  if (code.hasSideEffects())
    return;
  call.setDoesNotAccessMemory();
  call.setDoesNotThrow();
}

void cilk2gpu::finishExport(Module &translated, Module &original) {
  for (Function &function : translated)
    for (Instruction &inst : instructions(function))
      if (InlineAsm *code = calledAssembly(inst))
        declareFreedom(cast<CallBase>(inst), *code);
}
