// See EntryEffects.h.
#include "Target/Host/EntryEffects.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the serial elision that an entry calls; null if the function is no entry, or has another elision.
static const Function *elisionOf(const Function &entry) {
  StringRef name = entry.getFnAttribute(kElisionFunctionAttr).getValueAsString();
  const Function *elision = name.empty() ? nullptr : entry.getParent()->getFunction(name);
  if (!elision || elision->getFunctionType() != entry.getFunctionType())
    return nullptr;
  bool isCalled = any_of(instructions(entry), [&](const Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && call->getCalledFunction() == elision;
  });
  return isCalled ? elision : nullptr;
}

PreservedAnalyses DescribeEntriesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!function.hasExactDefinition()) // LLVM may know less of the definition that the linker takes
    return PreservedAnalyses::all();
  if (const Function *elision = elisionOf(function)) {
    function.setMemoryEffects(function.getMemoryEffects() & elision->getMemoryEffects());
    if (elision->hasFnAttribute(Attribute::WillReturn))
      function.addFnAttr(Attribute::WillReturn);
  }
  return PreservedAnalyses::all();
}
