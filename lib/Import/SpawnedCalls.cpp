// Keeps a spawned call a single call, even if LLVM knows its callee. No pass evaluates it at compile time, drops it, or
// duplicates it for different paths.
//
//   call @spawn_begin; call @f(x) memory(none); call @spawn_end
//   -> call @spawn_begin; call @f(x) nobuiltin noduplicate; call @spawn_end
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

/// Function attribute of a call that ProtectSpawnedCallsPass made `noduplicate`.
static constexpr StringLiteral kProtectedAttr = "cilk2gpu-protected";

/// Removes the known effects of the functions that a spawn may call. If it calls through a pointer, these are all
/// functions whose address is taken.
static void forgetEffects(CallBase &call) {
  auto forget = [](auto &where) {
    where.removeFnAttr(Attribute::Memory);
    where.removeFnAttr(Attribute::WillReturn);
  };
  forget(call);
  if (Function *callee = call.getCalledFunction())
    return forget(*callee);
  for (Function &function : *call.getModule())
    if (function.hasAddressTaken())
      forget(function);
}

static void protectSpawnedCalls(Function &function) {
  bool isChild = false;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call || isa<IntrinsicInst>(call))
      continue;
    Function *callee = call->getCalledFunction();
    if (callee && (callee->getName() == kSpawnBeginMarker || callee->getName() == kSpawnEndMarker)) {
      isChild = callee->getName() == kSpawnBeginMarker;
    } else if (isChild) {
      call->addFnAttr(Attribute::NoBuiltin);
      if (!call->hasFnAttr(Attribute::NoDuplicate)) {
        call->addFnAttr(Attribute::NoDuplicate);
        call->addFnAttr(Attribute::get(call->getContext(), kProtectedAttr));
      }
      forgetEffects(*call);
    }
  }
}

bool ProtectSpawnedCallsPass::runOn(Module &module, Module &) {
  for (Function &function : module)
    protectSpawnedCalls(function);
  return true;
}

bool ReleaseSpawnedCallsPass::runOn(Module &module, Module &) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && call->hasFnAttr(kProtectedAttr)) {
        call->removeFnAttr(Attribute::NoDuplicate);
        call->removeFnAttr(kProtectedAttr);
      }
  return true;
}
