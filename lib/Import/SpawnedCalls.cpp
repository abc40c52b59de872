// Keeps a spawned call a single call, even if LLVM knows its callee. No pass evaluates it at compile time, drops it, or
// duplicates it for different paths.
//
//   call @spawn_begin; call @f(x) memory(none); call @spawn_end
//   -> call @spawn_begin; call @f(x) nobuiltin noduplicate; call @spawn_end
//
// Keeps variables in memory whose parts a child assigns, such as a[1] in `a[1] = cilk_spawn f(std::string("x"))`. The
// marker names a whole variable as the destination, but no part of one, and other code must not use the child's value.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"
#include "SerialLoop.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

/// Function attribute of a call that ProtectSpawnedCallsPass made `noduplicate`.
static constexpr StringLiteral kProtectedAttr = "cilk2gpu-protected";

/// Function whose calls keep a variable in memory between the two passes.
static constexpr const char kKeepMarker[] = "__cilk2gpu_keep";

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

using Region = SmallPtrSet<const Instruction *, 16>;

/// Returns whether code outside of a region uses a variable.
static bool isUsedOutside(const Value &address, const Region &region) {
  return any_of(address.users(), [&](const User *user) {
    auto *inst = cast<Instruction>(user);
    bool isAddress = isa<GetElementPtrInst, CastInst>(inst);
    return isAddress ? isUsedOutside(*inst, region) : !region.contains(inst) && !inst->isLifetimeStartOrEnd();
  });
}

/// Keeps variables in memory that a region writes, or whose address it stores, if other code uses them.
static void keepVariables(CallInst &begin, const Region &region) {
  Module &module = *begin.getModule();
  SmallSetVector<AllocaInst *, 4> kept;
  for (const Instruction *inst : region)
    if (auto *store = dyn_cast<StoreInst>(inst))
      for (const Value *operand : store->operands())
        if (auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(operand));
            variable && operand->getType()->isPointerTy() && isUsedOutside(*variable, region))
          kept.insert(const_cast<AllocaInst *>(variable));
  IRBuilder<> builder(begin.getNextNode());
  for (AllocaInst *variable : kept)
    builder.CreateCall(
        module.getOrInsertFunction(kKeepMarker, FunctionType::get(builder.getVoidTy(), {variable->getType()}, false)),
        {variable});
}

/// Keeps the variables of the spawns whose markers name no destination.
static void keepVariables(Function &function) {
  for (CallInst *begin : markersIn(function, kSpawnBeginMarker)) {
    if (!isa<ConstantPointerNull>(begin->getArgOperand(1)))
      continue;
    Region region;
    markRegion(*begin, kSpawnEndMarker, [&](const Instruction &inside) { region.insert(&inside); });
    keepVariables(*begin, region);
  }
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
  for (Function &function : module) {
    keepVariables(function);
    protectSpawnedCalls(function);
  }
  return true;
}

bool ReleaseSpawnedCallsPass::runOn(Module &module, Module &) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && call->hasFnAttr(kProtectedAttr)) {
        call->removeFnAttr(Attribute::NoDuplicate);
        call->removeFnAttr(kProtectedAttr);
      }
  if (Function *keep = module.getFunction(kKeepMarker)) {
    for (User *user : make_early_inc_range(keep->users()))
      cast<CallInst>(user)->eraseFromParent();
    keep->eraseFromParent();
  }
  return true;
}
