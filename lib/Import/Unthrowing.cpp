// Finds functions that throw nothing because nothing that they call throws. Clang marks a function only if it has seen
// its callees before, so it never marks a recursive function. Only code that can be reached counts: a cleanup or a
// handler runs only if a call in front of it throws. Units without Cilk functions and kernels of thread blocks are left
// as they are.
//
// In Cilk functions, drops the code for exceptions that nothing throws, so that it does not count as part of a task.
#include "DeferExceptions.h"
#include "Extract.h"
#include "HandlerDepths.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Finds the quiet functions of a unit: those that throw nothing.
class QuietFunctions {
public:
  explicit QuietFunctions(Module &module);

  bool contains(const Function *function) const { return quiet.contains(function); }

private:
  bool isQuiet(const CallBase &call) const {
    return call.doesNotThrow() || quiet.contains(dyn_cast<Function>(call.getCalledOperand()));
  }
  bool mayThrow(Function &function) const;

  SmallPtrSet<const Function *, 32> quiet;
};

} // namespace

/// Returns true if an exception may leave `function`, as far as is known.
bool QuietFunctions::mayThrow(Function &function) const {
  bool checked = hasThrowingChildren(function, [&](const CallBase &call) { return isQuiet(call); });
  SmallSetVector<BasicBlock *, 32> reached;
  reached.insert(&function.getEntryBlock());
  for (unsigned i = 0; i < reached.size(); ++i) {
    for (Instruction &inst : *reached[i]) {
      auto *call = dyn_cast<CallBase>(&inst);
      bool throws = !(call && isQuiet(*call)) && (checked || !isExempt(inst));
      if (throws && inst.mayThrow())
        return true;
      if (auto *invoke = dyn_cast<InvokeInst>(&inst)) {
        reached.insert(invoke->getNormalDest());
        if (throws)
          reached.insert(invoke->getUnwindDest());
      } else if (inst.isTerminator()) {
        reached.insert_range(successors(&inst));
      }
    }
  }
  return false;
}

QuietFunctions::QuietFunctions(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && !function.isInterposable())
      quiet.insert(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &function : module)
      if (quiet.contains(&function) && !function.doesNotThrow() && mayThrow(function))
        changed |= quiet.erase(&function);
  }
}

/// Makes calls of the invokes that throw nothing. Drops the checks if no child throws.
static void dropDeadUnwinding(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions) {
  for (BasicBlock &block : function)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()); invoke && invoke->doesNotThrow())
      changeToCall(invoke);
  removeUnreachableBlocks(function);
  bool isTask = function.getName() != "main";
  if (!hasThrowingChildren(function, throwsNothing) &&
      (!isTask || (function.doesNotThrow() && !hasKeywordsInHandlers(function, cilkFunctions))))
    dropChecks(function);
  if (none_of(function, [](BasicBlock &block) { return block.isLandingPad(); }))
    function.setPersonalityFn(nullptr);
}

bool MarkUnthrowingPass::runOn(Module &module, Module &) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  if (functions.empty() &&
      none_of(module, [](Function &function) { return function.hasFnAttribute(kBlockKernelAttr); }))
    return true;
  SmallPtrSet<Function *, 16> cilkFunctions(functions.begin(), functions.end());
  QuietFunctions quiet(module);
  for (Function &function : module)
    if (quiet.contains(&function))
      function.setDoesNotThrow();
  for (Function *function : functions)
    dropDeadUnwinding(*function, cilkFunctions);
  return true;
}
