// Checks the properties on which convert-markers-to-cilk and MLIR's import rely. A violation is an error in the
// compiler's passes, or in LLVM IR with markers that was written by hand. The message names the location and the rule.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

static bool report(Instruction &inst, const Twine &rule) {
  reportError(inst, "LLVM IR for the import has a normal form: " + rule +
                        "; run the passes before cilk-verify-normal-form, or report this as an error of the compiler");
  return false;
}

static bool isMarker(const Instruction &inst) {
  StringRef name = calleeName(inst);
  return name == kSpawnBeginMarker || name == kSpawnEndMarker || name == kSyncMarker;
}

/// begin; instructions that prepare arguments; the call; at most the store of its result; end
static bool isNormalSpawn(CallBase &begin) {
  CallBase *call = nullptr;
  Instruction *last = nullptr, *next = begin.getNextNode();
  for (; next && !isMarker(*next); next = next->getNextNode()) {
    auto *store = dyn_cast<StoreInst>(next);
    if (auto *other = dyn_cast<CallBase>(next); other && !isa<IntrinsicInst>(other))
      last = call = other;
    else if (store && call && store->getValueOperand() == call)
      last = store;
  }
  if (!call || !next || calleeName(*next) != kSpawnEndMarker ||
      cast<CallBase>(next)->getArgOperand(0) != begin.getArgOperand(0))
    return report(begin, "the spawned call and the end marker of a spawn follow its begin marker in one block");
  if (!call->getCalledFunction())
    return report(*call, "a spawned call names its callee");
  if (last->getNextNode() != next)
    return report(*call, "only the store of its result follows a spawned call before the end marker");
  return true;
}

static bool isNormalCall(CallBase &call) {
  StringRef name = calleeName(call);
  if (name == kSpawnBeginMarker)
    return isNormalSpawn(call);
  for (StringRef left : {kSpawnCalleeMarker, kReturnSyncMarker, kForBeginMarker, kForEndMarker,
                         kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker})
    if (name == left)
      return report(call, "only markers of spawns and syncs are left; found " + name);
  return true;
}

static bool isNormal(Instruction &inst) {
  if (auto *call = dyn_cast<CallBase>(&inst))
    return isNormalCall(*call);
  if (isa<IndirectBrInst, CallBrInst>(inst))
    return report(inst, "no branch goes to a computed address");
  if (auto *choice = dyn_cast<SwitchInst>(&inst);
      choice && choice->getCondition()->getType()->getIntegerBitWidth() > 64)
    return report(inst, "a switch compares at most 64 bits");
  auto *local = dyn_cast<AllocaInst>(&inst);
  bool isTask = inst.getFunction()->hasFnAttribute(kTaskFunctionAttr) && inst.getFunction()->getName() != "main";
  if (local && isTask && !isa<ConstantInt>(local->getArraySize()))
    return report(inst, "a task gets memory for variables of variable size from the runtime");
  return true;
}

bool VerifyNormalFormPass::runOn(Module &module, Module &) {
  bool ok = true;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      ok &= isNormal(inst);
  return ok;
}
