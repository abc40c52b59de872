// See Crossing.h.
#include "Crossing.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

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

void cilk2gpu::prepareImport(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (InlineAsm *code = calledAssembly(inst))
        declareEffects(cast<CallBase>(inst), *code);
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
