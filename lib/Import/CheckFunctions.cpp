// Reports Cilk functions that cannot be split. The frontend has refused what it can see in the source; this pass sees
// what Clang's code generation made of attributes and flags.
#include "Extract.h"
#include "ImportPasses.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

/// The records that compiler and runtime share have 64-bit pointers.
static bool hasWidePointers(Module &module) {
  if (module.getDataLayout().getPointerSizeInBits() == 64)
    return true;
  module.getContext().emitError(
      "a program with spawn or sync is for a processor with 64-bit pointers; found the target '" +
      module.getTargetTriple().str() + "'; choose another, or remove -m32");
  return false;
}

static bool isSupported(Function &function) {
  // Its kernels, its elision and its descriptor are made of this body, and would stay when a linker takes another's.
  if (GlobalValue::isInterposableLinkage(function.getLinkage()))
    return reportError(function.getEntryBlock().front(),
                       "a function that spawns is not weak: its tasks would not be those of the one that the linker "
                       "takes; remove the attribute, or spawn in a function that a weak one calls"),
           false;
  if (function.isInterposable())
    return reportError(function.getEntryBlock().front(),
                       "under -fsemantic-interposition a function that spawns cannot be replaced by another library's, "
                       "whose tasks it would not have; leave the flag out, make the function static or hidden, "
                       "or compile a program's with -fPIE"),
           false;
  for (Instruction &inst : instructions(function)) {
    if (isa<IndirectBrInst, CallBrInst>(inst))
      return reportError(inst, "a function that spawns has no computed goto; use a switch"), false;
    if (auto *call = dyn_cast<CallInst>(&inst); call && call->isMustTailCall())
      return reportError(inst, "a function that spawns has no mandatory tail call; remove the attribute"), false;
    if (isa<ConstrainedFPIntrinsic>(inst))
      return reportError(inst, "a task may run in a thread with another rounding mode and other exceptions, so that a "
                               "function that spawns has no arithmetic under -frounding-math, "
                               "-ffp-exception-behavior= or FENV_ACCESS; move it to a function without spawn and sync"),
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
