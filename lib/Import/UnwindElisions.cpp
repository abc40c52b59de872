// Lets exceptions pass through elisions as they pass through ordinary code. The elision of a form that puts its
// exception into a slot (see DeferExceptions.cpp) would pass the slot to each call, and look into it behind each call.
//
//   f.throwing.serial(x, slot, number, old) { ... held = g.throwing.serial(y, own, i, &r); ... }
//   -> f.serial(x) { ... try { g.serial(y) } catch (...) { put the exception into own }; ... } which throws, and
//      f.throwing.serial(x, slot, number, old) { try { f.serial(x) } catch (...) { put the exception into slot } }
//
// Kernels call the second function, elisions and ordinary code in tasks the first one. A function's own slots are then
// used by address only after an exception, on a copy, so that LLVM keeps them in registers. Short functions go on in a
// second copy of their code after an exception, and the first copy needs no slots.
#include "DeferExceptions.h"
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// What a form calls to put its exception into a slot.
struct Caught {
  ThrowingCallee callee;
  unsigned first; ///< number of the call's first argument for the callee
};

class ElisionUnwinding {
public:
  explicit ElisionUnwinding(Module &module) : module(module), forms(module) {}
  void run();

private:
  Function *createThrowing(Function &elision);
  void changeOrdinary(Function &ordinary, Function &throwing);
  void changeCalls(Function &function);
  std::optional<Caught> calleeOf(const CallInst &call) const;
  void changeCall(CallInst &call, const Caught &caught);
  Value *oldValue(IRBuilder<> &builder, Value *old, Type *type);
  bool isSlot(const Value &value) const;
  SmallVector<AllocaInst *> slotsOf(Function &function) const;
  void separateHeld(Function &function);
  void dropSlots(ArrayRef<BasicBlock *> blocks);
  void keepInRegisters(AllocaInst &slot);

  Module &module;
  ThrowingForms forms;
  DenseMap<const Value *, Function *> throwing; ///< for each elision of a form
};

//===-- Functions that throw --------------------------------------------------------------------------------------===//

constexpr const char kSuffix[] = ".throwing.serial";

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

/// Returns what to call instead of a form that catches: of an elision, or of an ordinary function.
std::optional<Caught> ElisionUnwinding::calleeOf(const CallInst &call) const {
  if (Function *made = throwing.lookup(call.getCalledOperand()))
    return Caught{{made, made->getAttributes(), made->getCallingConv()}, 0};
  Function *form = call.getCalledFunction();
  if (!form || form->isDeclaration() || !form->getName().ends_with(kCaughtSuffix))
    return std::nullopt;
  auto *inner = cast<InvokeInst>(form->getEntryBlock().getTerminator());
  bool isPointer = !inner->getCalledFunction();
  Value *callee = isPointer ? call.getArgOperand(0) : inner->getCalledOperand();
  return Caught{{{inner->getFunctionType(), callee}, inner->getAttributes(), inner->getCallingConv()}, isPointer};
}

/// Lets a call unwind that would put its exception into a slot. The code that goes there does so.
void ElisionUnwinding::changeCall(CallInst &call, const Caught &caught) {
  LLVMContext &context = module.getContext();
  Function &function = *call.getFunction();
  unsigned count = call.arg_size() - kHidden;
  Value *slot = call.getArgOperand(count), *number = call.getArgOperand(count + 1),
        *old = call.getArgOperand(count + 2);
  BasicBlock *before = call.getParent(), *after = SplitBlock(before, std::next(call.getIterator()));
  BasicBlock *returned = BasicBlock::Create(context, "", &function, after);
  BasicBlock *thrown = BasicBlock::Create(context, "", &function, after);
  before->getTerminator()->eraseFromParent();

  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  SmallVector<Value *> args(call.arg_begin() + caught.first, call.arg_begin() + count);
  InvokeInst *made = builder.CreateInvoke(caught.callee.function, returned, thrown, args);
  made->setAttributes(caught.callee.attributes.removeAttributesAtIndex(context, AttributeList::FunctionIndex));
  for (unsigned i = 0; i < args.size(); ++i)
    made->addParamAttrs(i, AttrBuilder(context, call.getParamAttributes(i + caught.first)));
  if (call.hasFnAttr(kPlainCallAttr))
    made->addFnAttr(Attribute::get(context, kPlainCallAttr));
  made->setCallingConv(caught.callee.convention);
  builder.SetInsertPoint(returned);
  builder.CreateBr(after);
  builder.SetInsertPoint(thrown);
  Value *held = forms.hold(builder);
  forms.call(builder, kDeferException, {slot, number, held});
  Value *value = call.getType()->isVoidTy() ? nullptr : oldValue(builder, old, call.getType());
  builder.CreateBr(after);
  if (value) {
    builder.SetInsertPoint(after, after->begin());
    PHINode *result = builder.CreatePHI(call.getType(), 2);
    result->addIncoming(made, returned);
    result->addIncoming(value, thrown);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
  forms.setPersonality(function);
}

void ElisionUnwinding::changeCalls(Function &function) {
  SmallVector<std::pair<CallInst *, Caught>> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst))
      if (std::optional<Caught> caught = calleeOf(*call))
        calls.push_back({call, *caught});
  for (auto &[call, caught] : calls)
    changeCall(*call, caught);
}

//===-- Slots -----------------------------------------------------------------------------------------------------===//

bool ElisionUnwinding::isSlot(const Value &value) const {
  auto *local = dyn_cast<AllocaInst>(&value);
  return local && local->getAllocatedType() == forms.slotType;
}

SmallVector<AllocaInst *> ElisionUnwinding::slotsOf(Function &function) const {
  SmallVector<AllocaInst *> slots;
  for (Instruction &inst : instructions(function))
    if (isSlot(inst))
      slots.push_back(cast<AllocaInst>(&inst));
  return slots;
}

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
    bool isOfRuntime = call && any_of(ArrayRef<const char *>{kDeferException, kDeferCaught, kFirstException, kOpenSlot},
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
  // So the exception is a pointer in all accesses, and LLVM need not convert it from a number.
  auto *type = StructType::get(forms.pointer, forms.i64, forms.i64);
  for (User *user : slot.users())
    if (auto *store = dyn_cast<StoreInst>(user);
        store && store->getValueOperand() == Constant::getNullValue(forms.slotType))
      store->setOperand(0, Constant::getNullValue(type));
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

//===-- Code after an exception -----------------------------------------------------------------------------------===//

constexpr unsigned kLargestTwice = 400; ///< instructions of a function whose code may be there twice

/// Returns the calls that put an exception into one of the function's own slots.
SmallVector<CallInst *> callsThatHold(Function &function) {
  SmallVector<CallInst *> calls;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kDeferException) || isCallOf(inst, kDeferCaught))
      calls.push_back(cast<CallInst>(&inst));
  return calls;
}

/// Keeps values in memory while control goes from one block to another, so that a block may have other predecessors.
void keepInMemory(Function &function) {
  SmallVector<PHINode *> phis;
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis())
      phis.push_back(&phi);
  for (PHINode *phi : phis)
    DemotePHIToStack(phi); // becomes a load, which other blocks may use
  SmallVector<Instruction *> values;
  for (Instruction &inst : instructions(function)) {
    auto isElsewhere = [&](User *user) { return cast<Instruction>(user)->getParent() != inst.getParent(); };
    auto *local = dyn_cast<AllocaInst>(&inst);
    if (!(local && local->isStaticAlloca()) && any_of(inst.users(), isElsewhere))
      values.push_back(&inst);
  }
  for (Instruction *value : values)
    DemoteRegToStack(*value);
}

/// Removes the slots from blocks in which they hold nothing.
void ElisionUnwinding::dropSlots(ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *block : blocks)
    for (Instruction &inst : make_early_inc_range(*block)) {
      auto *load = dyn_cast<LoadInst>(&inst);
      if (load && load->getType()->isPointerTy() && isSlot(*load->getPointerOperand()))
        load->replaceAllUsesWith(ConstantPointerNull::get(forms.pointer));
      else if (isCallOf(inst, kFirstException) && isSlot(*cast<CallInst>(inst).getArgOperand(1)))
        inst.replaceAllUsesWith(cast<CallInst>(inst).getArgOperand(0));
      else
        continue;
      inst.eraseFromParent();
    }
}

/// Returns whether an instruction does nothing but move an exception about.
bool movesException(const Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return isa<AllocaInst>(load->getPointerOperand());
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return isa<AllocaInst>(store->getPointerOperand());
  auto *branch = dyn_cast<BranchInst>(&inst);
  return isa<LandingPadInst, ExtractValueInst, InsertValueInst>(inst) || inst.isLifetimeStartOrEnd() ||
         (branch && branch->isUnconditional()) || isCallOf(inst, kHoldException);
}

/// Returns the instruction that throws an exception again after it has landed at `pad`, if nothing else happens.
CallBase *rethrowAfter(BasicBlock *pad) {
  SmallPtrSet<BasicBlock *, 8> visited;
  for (BasicBlock *block = pad; block && visited.insert(block).second; block = block->getSingleSuccessor())
    for (Instruction &inst : *block)
      if (isCallOf(inst, kThrowHeld))
        return cast<CallBase>(&inst);
      else if (!movesException(inst))
        return nullptr;
  return nullptr;
}

/// Returns the instruction that throws the exception of a plain call, if nothing else happens behind the call.
CallBase *throwAfter(InvokeInst &plain) {
  BasicBlock *behind = plain.getNormalDest();
  auto isQuiet = [](Instruction &inst) { return isa<ICmpInst, BranchInst>(inst) || movesException(inst); };
  SmallPtrSet<BasicBlock *, 8> visited;
  for (; all_of(*behind, isQuiet) && visited.insert(behind).second; behind = behind->getSingleSuccessor())
    if (!behind->getSingleSuccessor())
      break;
  if (!all_of(*behind, isQuiet))
    return nullptr;
  for (BasicBlock *block : successors(behind))
    if (CallBase *rethrow = rethrowAfter(block))
      return rethrow;
  return nullptr;
}

/// Lets exceptions pass where they are caught only to be thrown again. While no slot holds an exception, this is so for
/// all that the serial program does not catch.
void letPass(ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *block : blocks) {
    auto *invoke = dyn_cast<InvokeInst>(block->getTerminator());
    if (!invoke)
      continue;
    CallBase *rethrow = invoke->hasFnAttr(kPlainCallAttr) ? throwAfter(*invoke) : rethrowAfter(invoke->getUnwindDest());
    SmallPtrSet<CallBase *, 4> passed;
    while (rethrow && passed.insert(rethrow).second) {
      auto *further = dyn_cast<InvokeInst>(rethrow);
      if (!further) {
        changeToCall(invoke);
        break;
      }
      invoke->setUnwindDest(further->getUnwindDest());
      rethrow = rethrowAfter(invoke->getUnwindDest());
    }
  }
}

/// Returns whether the code may be there twice.
bool canSeparate(Function &function) {
  return function.getInstructionCount() <= kLargestTwice && none_of(function, [](BasicBlock &block) {
           auto *invoke = dyn_cast<InvokeInst>(block.getTerminator());
           // A result that goes straight to a phi could not be stored on the way.
           return block.hasAddressTaken() || (invoke && isa<PHINode>(invoke->getNormalDest()->front()));
         });
}

/// Makes a second copy of the code, to which control goes once a slot holds an exception. The first copy then needs no
/// slots: its code is that of the serial program.
void ElisionUnwinding::separateHeld(Function &function) {
  SmallVector<CallInst *> holds = callsThatHold(function), unused;
  auto isOnlyHere = [&](AllocaInst *slot) { return findUses(*slot, unused); };
  if (holds.empty() || !canSeparate(function) || !all_of(slotsOf(function), isOnlyHere))
    return;
  keepInMemory(function);
  BasicBlock &entry = function.getEntryBlock(); // keeps the variables, which both copies have
  auto code = llvm::find_if(entry, [](Instruction &inst) { return !isa<AllocaInst>(inst); });
  for (Instruction &inst : make_early_inc_range(make_range(code, entry.end())))
    if (auto *local = dyn_cast<AllocaInst>(&inst); local && local->isStaticAlloca())
      local->moveBefore(entry, code);
  SplitBlock(&entry, code);
  for (CallInst *call : holds)
    SplitBlock(call->getParent(), std::next(call->getIterator()));

  SmallVector<BasicBlock *> first(make_pointer_range(drop_begin(function))), second;
  ValueToValueMapTy copies;
  for (BasicBlock *block : first) {
    second.push_back(CloneBasicBlock(block, copies, ".held", &function));
    copies[block] = second.back();
  }
  remapInstructionsInBlocks(second, copies);
  for (CallInst *call : holds) {
    auto *branch = cast<BranchInst>(call->getParent()->getTerminator());
    branch->setSuccessor(0, cast<BasicBlock>(copies[branch->getSuccessor(0)]));
  }
  dropSlots(first);
  letPass(first);
  removeUnreachableBlocks(function);
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
    if (Function *ordinary = module.getFunction(name.drop_back(strlen(kThrowingSuffix))))
      changeOrdinary(*ordinary, *made);
  }
  for (Function *function : changed) {
    changeCalls(*function);
    separateHeld(*function);
    for (AllocaInst *slot : slotsOf(*function))
      keepInRegisters(*slot);
  }
}

} // namespace

bool UnwindElisionsPass::runOn(Module &module, Module &) {
  ElisionUnwinding(module).run();
  return true;
}
