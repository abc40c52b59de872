// Reports Cilk functions that cannot be split. The frontend has already refused constructs that it sees in the source.
// This pass examines Clang's code for attributes and flags.
#include "Extract.h"
#include "ImportPasses.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns true if pointers have 64 bits, as in the records that compiler and runtime share. Else reports an error.
static bool hasWidePointers(Module &module) {
  if (module.getDataLayout().getPointerSizeInBits() == 64)
    return true;
  module.getContext().emitError(
      "a program with spawn or sync needs a processor with 64-bit pointers, but the target is '" +
      module.getTargetTriple().str() + "'; choose another target, or remove -m32");
  return false;
}

static bool isSupported(Function &function) {
  for (Instruction &inst : instructions(function)) {
    if (isa<IndirectBrInst, CallBrInst>(inst))
      return reportError(inst, "a function that spawns cannot contain a computed goto; use a switch"), false;
    if (auto *call = dyn_cast<CallInst>(&inst); call && call->isMustTailCall())
      return reportError(inst, "a function that spawns cannot contain a mandatory tail call; remove the attribute"),
             false;
    if (isa<ConstrainedFPIntrinsic>(inst))
      return reportError(inst, "a function that spawns cannot contain arithmetic under -frounding-math, "
                               "-ffp-exception-behavior= or FENV_ACCESS, because its tasks may run in threads with "
                               "another rounding mode; move it to a function without spawn and sync"),
             false;
  }
  return true;
}

bool CheckFunctionsPass::runOn(Module &module, Module &) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  if (functions.empty())
    return true;
  if (!hasWidePointers(module))
    return false;
  bool ok = true;
  for (Function *function : functions)
    ok &= isSupported(*function);
  return ok;
}
