// Keeps Clang's decisions to inline functions that are called once. LLVM inlines the only call of a local function
// almost whatever its size. A Cilk function's code becomes kernels and elisions, and each of them has the call, so that
// none is the only one any more.
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"

using namespace llvm;
using namespace cilk2gpu;

/// Number of instructions, before any simplification, up to which every copy of an only call is inlined. LLVM's bonus
/// for an only call is worth 3,000 simplified instructions, but there is one copy.
static constexpr unsigned kLargest = 2000;

/// Returns true if LLVM's inliner would take the only use of a function for its last call.
static bool isCalledOnce(const Function &function) {
  if (function.isDeclaration() || !function.hasLocalLinkage() || !function.hasOneUse())
    return false;
  auto *call = dyn_cast<CallBase>(function.user_back());
  return call && call->getCalledOperand() == &function && call->getFunction() != &function;
}

bool MarkSingleCallsPass::runOn(Module &module, Module &) {
  if (findCilkFunctions(module).empty())
    return true;
  for (Function &function : module)
    if (isCalledOnce(function))
      function.addFnAttr(kSingleCallAttr);
  return true;
}

bool FavourSingleCallsPass::runOn(Module &module, Module &) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(kSingleCallAttr))
      continue;
    function.removeFnAttr(kSingleCallAttr);
    if (function.hasFnAttribute(Attribute::NoInline) || function.getInstructionCount() > kLargest)
      continue;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function &&
                                                 !call->hasFnAttr(Attribute::NoInline) &&
                                                 AttributeFuncs::areInlineCompatible(*call->getFunction(), function))
        call->addFnAttr(Attribute::AlwaysInline);
  }
  return true;
}
