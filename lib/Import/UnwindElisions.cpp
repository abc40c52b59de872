// Lets exceptions pass through elisions as they pass through ordinary code. The elision of a form that puts its
// exception into a slot (see DeferExceptions.cpp) would pass the slot to each call, and look into it behind each call.
//
//   f.throwing.serial(x, slot, number, old) { ... held = g.throwing.serial(y, own, i, &r); ... }
//   -> f.serial(x) { ... try { g.serial(y) } catch (...) { put the exception into own }; ... } which throws, and
//      f.throwing.serial(x, slot, number, old) { try { f.serial(x) } catch (...) { put the exception into slot } }
//
// Kernels call the second function, elisions and ordinary code in tasks the first one. A function's own slots are then
// used by address only after an exception, on a copy, so that LLVM keeps them in registers.
#include "DeferExceptions.h"
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

class ElisionUnwinding {
public:
  explicit ElisionUnwinding(Module &module) : module(module), forms(module) {}
  void run();

private:
  Function *createThrowing(Function &elision);
  void changeOrdinary(Function &ordinary, Function &throwing);
  void changeCalls(Function &function);
  void changeCall(CallInst &call, Function &callee);
  Value *oldValue(IRBuilder<> &builder, Value *old, Type *type);
  void keepInRegisters(AllocaInst &slot);

  Module &module;
  ThrowingForms forms;
  DenseMap<const Value *, Function *> throwing; ///< for each elision of a form
};

//===-- Functions that throw --------------------------------------------------------------------------------------===//

constexpr const char kSuffix[] = ".throwing.serial";
constexpr unsigned kHidden = 3; ///< parameters of a form: slot, number, old value

/// Returns whether an elision uses its parent's slot only to put its own exception there.
bool onlyDefers(Function &elision) {
  Argument *slot = elision.getArg(elision.arg_size() - kHidden);
  return all_of(slot->uses(), [](Use &use) {
    auto *call = dyn_cast<CallInst>(use.getUser());
    return call && isCallOf(*call, kDeferException) && use.getOperandNo() == 0;
  });
}

/// Returns the attributes of a function without those of the hidden parameters.
AttributeList visibleAttributes(LLVMContext &context, const AttributeList &attributes, unsigned numParams) {
  SmallVector<AttributeSet> params;
  for (unsigned i = 0; i < numParams; ++i)
    params.push_back(attributes.getParamAttrs(i));
  return AttributeList::get(context, attributes.getFnAttrs().removeAttribute(context, Attribute::NoUnwind),
                            attributes.getRetAttrs(), params);
}

/// Makes the function that throws, with the elision's code.
Function *ElisionUnwinding::createThrowing(Function &elision) {
  LLVMContext &context = module.getContext();
  unsigned count = elision.arg_size() - kHidden;
  Argument *slot = elision.getArg(count);
  auto *type = FunctionType::get(elision.getReturnType(), elision.getFunctionType()->params().take_front(count), false);
  StringRef name = elision.getName();
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, name.drop_back(strlen(kSuffix)) + ".serial");
  module.getFunctionList().insert(elision.getIterator(), made);
  made->copyAttributesFrom(&elision);
  made->setAttributes(visibleAttributes(context, elision.getAttributes(), count));
  made->setDSOLocal(true);
  made->setSubprogram(elision.getSubprogram());
  elision.setSubprogram(nullptr);
  elision.setPersonalityFn(nullptr);
  made->splice(made->begin(), &elision);
  for (unsigned i = 0; i < count; ++i) {
    made->getArg(i)->takeName(elision.getArg(i));
    elision.getArg(i)->replaceAllUsesWith(made->getArg(i));
  }
  for (User *user : make_early_inc_range(slot->users())) {
    auto *defers = cast<CallInst>(user);
    IRBuilder<> builder(defers);
    builder.CreateCall(forms.throwHeld(), {defers->getArgOperand(2)})->setDoesNotReturn();
    changeToUnreachable(defers);
  }
  for (unsigned i = count; i < elision.arg_size(); ++i)
    elision.getArg(i)->replaceAllUsesWith(Constant::getNullValue(elision.getArg(i)->getType()));
  removeUnreachableBlocks(*made);
  forms.fillCatching(elision, {made, made->getAttributes(), made->getCallingConv()}, /*first=*/0);
  return made;
}

/// Lets the ordinary form of a function call the one that throws, instead of the form with a slot.
void ElisionUnwinding::changeOrdinary(Function &ordinary, Function &throwing) {
  auto *branch = dyn_cast<BranchInst>(ordinary.getEntryBlock().getTerminator());
  if (!branch || !branch->isConditional() || ordinary.doesNotReturn())
    return;
  BasicBlock *inside = BasicBlock::Create(module.getContext(), "inside", &ordinary);
  branch->setSuccessor(0, inside);
  IRBuilder<> builder(inside);
  forms.forward(builder, {&throwing, throwing.getAttributes(), throwing.getCallingConv()});
  removeUnreachableBlocks(ordinary);
}

//===-- Calls -----------------------------------------------------------------------------------------------------===//

/// Returns the value that a call returns after an exception.
Value *ElisionUnwinding::oldValue(IRBuilder<> &builder, Value *old, Type *type) {
  Type *held = forms.typeOfOld(type);
  if (!held || isa<ConstantPointerNull>(old))
    return Constant::getNullValue(type);
  Value *value = builder.CreateAlignedLoad(held, old, Align(1));
  return held == type ? value : builder.CreateTrunc(value, type);
}

/// Lets a call of an elision unwind. Its exception goes to the slot that the call got.
void ElisionUnwinding::changeCall(CallInst &call, Function &callee) {
  LLVMContext &context = module.getContext();
  Function &function = *call.getFunction();
  unsigned count = callee.arg_size();
  Value *slot = call.getArgOperand(count), *number = call.getArgOperand(count + 1),
        *old = call.getArgOperand(count + 2);
  BasicBlock *before = call.getParent(), *after = SplitBlock(before, std::next(call.getIterator()));
  BasicBlock *thrown = BasicBlock::Create(context, "", &function, after);
  before->getTerminator()->eraseFromParent();

  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  SmallVector<Value *> args(call.arg_begin(), call.arg_begin() + count);
  InvokeInst *made = builder.CreateInvoke(&callee, after, thrown, args);
  made->setAttributes(visibleAttributes(context, call.getAttributes(), count));
  made->setCallingConv(callee.getCallingConv());
  builder.SetInsertPoint(thrown);
  Value *held = forms.hold(builder);
  forms.call(builder, kDeferException, {slot, number, held});
  Value *value = call.getType()->isVoidTy() ? nullptr : oldValue(builder, old, call.getType());
  builder.CreateBr(after);
  if (value) {
    builder.SetInsertPoint(after, after->begin());
    PHINode *result = builder.CreatePHI(call.getType(), 2);
    result->addIncoming(made, before);
    result->addIncoming(value, thrown);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
  forms.setPersonality(function);
}

void ElisionUnwinding::changeCalls(Function &function) {
  SmallVector<std::pair<CallInst *, Function *>> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst))
      if (Function *callee = throwing.lookup(call->getCalledOperand()))
        calls.push_back({call, callee});
  for (auto [call, callee] : calls)
    changeCall(*call, *callee);
}

//===-- Slots -----------------------------------------------------------------------------------------------------===//

/// Returns whether a use of a slot needs no address, except in calls of the runtime, which are added to `calls`.
bool findUses(Instruction &address, SmallVectorImpl<CallInst *> &calls) {
  return all_of(address.users(), [&](User *user) {
    if (auto *place = dyn_cast<GetElementPtrInst>(user))
      return place->hasAllConstantIndices() && findUses(*place, calls);
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getPointerOperand() == &address;
    if (isa<LoadInst>(user) || cast<Instruction>(user)->isLifetimeStartOrEnd())
      return true;
    auto *call = dyn_cast<CallInst>(user);
    bool isOfRuntime = call && any_of(ArrayRef<const char *>{kDeferException, "__cilk2gpu_defer_caught",
                                                             "__cilk2gpu_first_exception", kOpenSlot},
                                      [&](const char *name) { return isCallOf(*call, name); });
    if (isOfRuntime && isa<AllocaInst>(address))
      calls.push_back(call);
    return isOfRuntime && isa<AllocaInst>(address);
  });
}

/// Lets the runtime work on a copy of a slot.
void ElisionUnwinding::keepInRegisters(AllocaInst &slot) {
  SmallVector<CallInst *> calls;
  if (!findUses(slot, calls))
    return;
  auto *type = StructType::get(forms.pointer, forms.i64, forms.i64);
  AllocaInst *copy = nullptr;
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    if (isCallOf(*call, kOpenSlot)) {
      forms.initialise(builder, &slot);
      call->eraseFromParent();
      continue;
    }
    if (!copy)
      copy = forms.createSlot(*slot.getFunction());
    builder.CreateStore(builder.CreateLoad(type, &slot), copy);
    call->replaceUsesOfWith(&slot, copy);
    builder.SetInsertPoint(call->getNextNode());
    builder.CreateStore(builder.CreateLoad(type, copy), &slot);
  }
}

//===--------------------------------------------------------------------------------------------------------------===//

void ElisionUnwinding::run() {
  SmallVector<Function *> changed;
  for (Function *task : findCilkFunctions(module)) {
    Function *elision = module.getFunction(task->getFnAttribute(kElisionFunctionAttr).getValueAsString());
    if (!elision || !task->hasFnAttribute(kDefersAttr))
      continue;
    if (!elision->getName().ends_with(kSuffix) || !onlyDefers(*elision)) {
      changed.push_back(elision);
      continue;
    }
    Function *made = createThrowing(*elision);
    throwing[elision] = made;
    changed.push_back(made);
    StringRef name = task->getName();
    if (Function *ordinary = module.getFunction(name.drop_back(name.size() - name.rfind(".throwing"))))
      changeOrdinary(*ordinary, *made);
  }
  for (Function *function : changed) {
    changeCalls(*function);
    SmallVector<AllocaInst *> slots;
    for (Instruction &inst : instructions(*function))
      if (auto *slot = dyn_cast<AllocaInst>(&inst); slot && slot->getAllocatedType() == forms.slotType)
        slots.push_back(slot);
    for (AllocaInst *slot : slots)
      keepInRegisters(*slot);
  }
}

} // namespace

bool UnwindElisionsPass::runOn(Module &module, Module &) {
  ElisionUnwinding(module).run();
  return true;
}
