// Follows pointers through code without optimisation. See PointerUse.h.
#include "PointerUse.h"

#include "Variables.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

unsigned PointerUse::effectOfUses(const Value &pointer) {
  auto [known, isNew] = effectsOf.try_emplace(&pointer, Nothing);
  if (!isNew)
    return known->second;
  followed.insert(&pointer);
  unsigned effects = Nothing;
  for (const Use &use : pointer.uses())
    effects |= effectsOf.size() < kMostPointers ? effectOf(use) : unsigned(Keeps);
  followed.erase(&pointer);
  return effectsOf[&pointer] = effects;
}

/// A pointer that is stored to a local variable is used where the variable is loaded.
unsigned PointerUse::effectOfStore(const StoreInst &store, const Use &use) {
  if (!store.isSimple())
    return Keeps;
  if (use.getOperandNo() == StoreInst::getPointerOperandIndex())
    return Writes;
  auto *variable = dyn_cast<AllocaInst>(store.getPointerOperand());
  if (!variable || !variable->getAllocatedType()->isPointerTy())
    return Keeps;
  unsigned effects = Nothing;
  for (const User *user : variable->users()) {
    auto *load = dyn_cast<LoadInst>(user);
    auto *other = dyn_cast<StoreInst>(user);
    auto *mark = dyn_cast<IntrinsicInst>(user);
    if (load && load->isSimple() && !isElsewhere(*load))
      effects |= effectOfUses(*load);
    else if (!(other && other->getPointerOperand() == variable) && !(mark && mark->isLifetimeStartOrEnd()) &&
             !isVariableMark(*cast<Instruction>(user)))
      return Keeps;
  }
  return effects;
}

unsigned PointerUse::effectOfCall(const CallBase &call, const Use &use) {
  if (!call.isArgOperand(&use))
    return Keeps;
  unsigned number = call.getArgOperandNo(&use);
  if (auto *copy = dyn_cast<MemTransferInst>(&call))
    return copy->isVolatile() ? Keeps : number == 0 ? Writes : Reads;
  if (auto *set = dyn_cast<MemSetInst>(&call))
    return set->isVolatile() ? Keeps : Writes;
  if (auto *mark = dyn_cast<IntrinsicInst>(&call); mark && mark->isLifetimeStartOrEnd())
    return Nothing;
  if (call.isByValArgument(number))
    return Reads;
  if (call.doesNotCapture(number) && call.onlyReadsMemory(number))
    return Reads;
  const Function *callee = call.getCalledFunction();
  const Function *code = callee ? unit.getFunction(callee->getName()) : nullptr;
  if (!code) // taken out of a function of the unit, such as the body of a cilk_for
    code = callee;
  if (!code || code->isDeclaration() || code->isInterposable() || code->isVarArg() || number >= code->arg_size())
    return call.doesNotCapture(number) ? Reads | Writes : unsigned(Keeps);
  return effectOfParameter(call, *code->getArg(number));
}

/// A function that returns its parameter, as `std::move` does, makes the call's result the same pointer.
unsigned PointerUse::effectOfParameter(const CallBase &call, const Argument &parameter) {
  // Whether a recursive function returns the parameter is not known yet.
  if (followed.contains(&parameter) && call.getType()->isPointerTy())
    return Keeps;
  unsigned effects = effectOfUses(parameter);
  return effects & Returns ? (effects & ~Returns) | effectOfUses(call) : effects;
}

unsigned PointerUse::effectOf(const Use &use) {
  auto *inst = dyn_cast<Instruction>(use.getUser());
  if (inst && isVariableMark(*inst))
    return Nothing;
  if (!inst || isElsewhere(*inst))
    return Keeps;
  if (auto *load = dyn_cast<LoadInst>(inst))
    return load->isSimple() ? Reads : Keeps;
  if (auto *store = dyn_cast<StoreInst>(inst))
    return effectOfStore(*store, use);
  if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(inst))
    return effectOfUses(*inst);
  if (isa<ReturnInst>(inst))
    return Returns;
  if (isa<ICmpInst>(inst))
    return Nothing;
  auto *call = dyn_cast<CallBase>(inst);
  return call ? effectOfCall(*call, use) : unsigned(Keeps);
}
