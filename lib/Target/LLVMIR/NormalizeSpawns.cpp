// Brings marked spawns into normal form (Markers.h): the call, and at most the store of its result.
#include "Extract.h"

#include "cilk2gpu/Frontend/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

static bool isCallOf(Instruction &inst, StringRef name) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

namespace {

/// A marked spawn: the child's part runs from `call` up to `end`.
struct Spawn {
  CallInst *begin, *call = nullptr, *end = nullptr;
};

} // namespace

static bool find(Spawn &spawn) {
  for (Instruction *inst = spawn.begin->getNextNode(); inst; inst = inst->getNextNode()) {
    if (isCallOf(*inst, kSpawnEndMarker)) {
      spawn.end = cast<CallInst>(inst);
      break;
    }
    if (auto *call = dyn_cast<CallInst>(inst); call && !isa<IntrinsicInst>(call))
      spawn.call = call;
  }
  if (!spawn.call || !spawn.end)
    return reportError(*spawn.begin, "a spawned call and the assignment of its result are one straight piece of code; found "
                                     "control flow in between (a conversion that branches?); assign to a variable of the "
                                     "function's own result type"),
           false;
  if (!spawn.call->getCalledFunction())
    return reportError(*spawn.call, "a spawn names its function; found a call through a pointer or with another type than the "
                                    "function's; wrap it in a function"),
           false;
  return true;
}

static bool isNormal(const Spawn &spawn) {
  Instruction *next = spawn.call->getNextNode();
  if (next == spawn.end)
    return true;
  auto *store = dyn_cast<StoreInst>(next);
  return store && store->getValueOperand() == spawn.call && store->isSimple() && store->getNextNode() == spawn.end &&
         store->getPointerOperand() == spawn.begin->getArgOperand(1)->stripPointerCasts();
}

/// Whether `alloca` is used by the child's part only, so that it can be the wrapper's own variable.
static bool isPrivate(AllocaInst *alloca, const SmallPtrSetImpl<Instruction *> &part) {
  return all_of(alloca->users(), [&](User *user) { return part.contains(cast<Instruction>(user)); });
}

/// Moves the child's part into an internal task function and spawns that.
static void outline(Spawn &spawn, unsigned number) {
  SmallVector<Instruction *> part;
  SmallPtrSet<Instruction *, 8> inPart;
  for (Instruction *inst = spawn.call; inst != spawn.end; inst = inst->getNextNode()) {
    part.push_back(inst);
    inPart.insert(inst);
  }
  SmallSetVector<Value *, 8> inputs;
  SmallSetVector<AllocaInst *, 4> privates;
  for (Instruction *inst : part)
    for (Value *operand : inst->operands()) {
      auto *defined = dyn_cast<Instruction>(operand);
      if (auto *alloca = dyn_cast<AllocaInst>(operand); alloca && alloca->isStaticAlloca() && isPrivate(alloca, inPart))
        privates.insert(alloca);
      else if ((defined && !inPart.contains(defined)) || isa<Argument>(operand))
        inputs.insert(operand);
    }

  Function &parent = *spawn.call->getFunction();
  LLVMContext &context = parent.getContext();
  SmallVector<Type *> types;
  for (Value *input : inputs)
    types.push_back(input->getType());
  auto *wrapper = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false), GlobalValue::InternalLinkage,
                                   parent.getName() + ".spawn" + Twine(number), parent.getParent());
  wrapper->copyAttributesFrom(&parent);
  wrapper->setAttributes(AttributeList::get(context, AttributeList::FunctionIndex, AttrBuilder(context, parent.getAttributes().getFnAttrs())));
  wrapper->addFnAttr(kTaskFunctionAttr);
  BasicBlock *entry = BasicBlock::Create(context, "entry", wrapper);
  auto *ret = ReturnInst::Create(context, entry);
  for (AllocaInst *alloca : privates)
    alloca->moveBefore(ret->getIterator());

  // By-value aggregates stay by value, so that the element carries the copy and not the parent's address.
  IRBuilder<> builder(spawn.call);
  CallInst *call = builder.CreateCall(wrapper, inputs.getArrayRef());
  for (auto [index, input] : enumerate(inputs)) {
    for (unsigned arg = 0; arg < spawn.call->arg_size(); ++arg)
      if (spawn.call->getArgOperand(arg) == input && spawn.call->isByValArgument(arg)) {
        AttrBuilder attrs(context, spawn.call->getParamAttributes(arg));
        wrapper->addParamAttrs(index, attrs);
        call->addParamAttrs(index, attrs);
      }
    Argument *param = wrapper->getArg(index);
    input->replaceUsesWithIf(param, [&](Use &use) { return inPart.contains(cast<Instruction>(use.getUser())); });
  }
  // The wrapper has no debug scope, so that its instructions cannot have lines.
  for (Instruction *inst : part) {
    inst->moveBefore(ret->getIterator());
    inst->setDebugLoc(DebugLoc());
  }
}

bool cilk2gpu::normalizeSpawns(Function &function) {
  SmallVector<Spawn> spawns;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kSpawnBeginMarker))
      spawns.push_back({cast<CallInst>(&inst)});
  unsigned number = 0;
  for (Spawn &spawn : spawns) {
    if (!find(spawn))
      return false;
    if (!isNormal(spawn))
      outline(spawn, number++);
  }
  return true;
}
