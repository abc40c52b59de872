// Lets exceptions leave tasks. A Cilk function `f` that may throw gets a form that never unwinds:
//
//   f.throwing(args..., slot, number, old)
//
// It puts an exception that would leave `f` into `slot`, a variable of its parent, and returns. `number` is the place
// of the task among its siblings in serial order. The slot keeps the exception with the smallest number. `old` is the
// address of the value that is returned after an exception: the destination of the result, which so keeps its value.
// Behind each sync, the parent throws the exception in its slot.
//
// An ordered child (`#pragma cilk depend`) gets the slot and its number where it is created. The function that runs
// such children has a handler around each of them. Where an exception of the parent lands, it first runs the children
// that have not started.
//
// `f` itself becomes an ordinary function, which calls the form and throws. Functions that throw nothing are left as
// they are.
#include "DeferExceptions.h"
#include "HandlerDepths.h"

#include "Extract.h"
#include "ImportPasses.h"
#include "OutstandingInvokes.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

bool cilk2gpu::isCallOf(const Instruction &inst, StringRef name) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

bool cilk2gpu::leadsToCaught(BasicBlock *pad) {
  SmallSetVector<BasicBlock *, 8> blocks;
  blocks.insert(pad);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    auto isBegin = [](Instruction &inst) { return isCallOf(inst, "__cxa_begin_catch"); };
    auto begin = find_if(*blocks[i], isBegin);
    if (begin == blocks[i]->end())
      blocks.insert_range(successors(blocks[i]));
    else if (any_of(make_range(begin, blocks[i]->end()), [](auto &inst) { return isCallOf(inst, kCaughtMarker); }))
      return true;
  }
  return false;
}

//===-- Forms of functions ----------------------------------------------------------------------------------------===//

ThrowingForms::ThrowingForms(Module &module)
    : module(module), pointer(PointerType::getUnqual(module.getContext())), i64(Type::getInt64Ty(module.getContext())),
      slotType(ArrayType::get(i64, 3)) {}

Function *ThrowingForms::formOf(const Value *callee) const { return forms.lookup(callee); }

CallInst *ThrowingForms::call(IRBuilder<> &builder, StringRef name, ArrayRef<Value *> args, Type *result) {
  SmallVector<Type *> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  auto *type = FunctionType::get(result ? result : builder.getVoidTy(), types, false);
  CallInst *made = builder.CreateCall(module.getOrInsertFunction(name, type), args);
  made->setDoesNotThrow();
  return made;
}

FunctionCallee ThrowingForms::throwHeld() {
  return module.getOrInsertFunction(kThrowHeld,
                                    FunctionType::get(Type::getVoidTy(module.getContext()), {pointer}, false));
}

void ThrowingForms::initialise(IRBuilder<> &builder, Value *slot) {
  builder.CreateStore(Constant::getNullValue(slotType), slot);
}

Value *ThrowingForms::take(IRBuilder<> &builder, Value *slot) {
  Value *held = builder.CreateLoad(pointer, slot);
  builder.CreateStore(ConstantPointerNull::get(pointer), slot);
  return held;
}

AllocaInst *ThrowingForms::createSlot(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *slot = builder.CreateAlloca(slotType, nullptr, "exceptions");
  slot->setAlignment(Align(8));
  return slot;
}

void ThrowingForms::setPersonality(Function &function) {
  auto *type = FunctionType::get(Type::getInt32Ty(module.getContext()), true);
  if (!function.hasPersonalityFn())
    function.setPersonalityFn(cast<Constant>(module.getOrInsertFunction("__gxx_personality_v0", type).getCallee()));
}

Type *ThrowingForms::typeOfOld(Type *result) const {
  if (result->isIntegerTy(1))
    return Type::getInt8Ty(module.getContext());
  return result->isIntOrIntVectorTy() || result->isFPOrFPVectorTy() || result->isPointerTy() ? result : nullptr;
}

void cilk2gpu::returnOld(IRBuilder<> &builder, Value *old) {
  Function &function = *builder.GetInsertBlock()->getParent();
  Type *type = function.getReturnType();
  if (type->isVoidTy()) {
    builder.CreateRetVoid();
    return;
  }
  Constant *none = Constant::getNullValue(type);
  if (!old) {
    builder.CreateRet(none);
    return;
  }
  BasicBlock *from = builder.GetInsertBlock();
  BasicBlock *load = BasicBlock::Create(function.getContext(), "", &function);
  BasicBlock *end = BasicBlock::Create(function.getContext(), "", &function);
  builder.CreateCondBr(builder.CreateIsNull(old), end, load);
  builder.SetInsertPoint(load);
  Type *held = type->isIntegerTy(1) ? builder.getInt8Ty() : type;
  Value *value = builder.CreateAlignedLoad(held, old, Align(1));
  if (held != type)
    value = builder.CreateTrunc(value, type);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  PHINode *result = builder.CreatePHI(type, 2);
  result->addIncoming(none, from);
  result->addIncoming(value, load);
  builder.CreateRet(result);
}

/// Returns the attributes of a form: the result may be any value, and the slot is written.
static AttributeList attributesOf(LLVMContext &context, const AttributeList &like, unsigned numParams) {
  AttrBuilder result(context);
  for (Attribute::AttrKind kind : {Attribute::ZExt, Attribute::SExt, Attribute::InReg})
    if (like.hasRetAttr(kind))
      result.addAttribute(kind);
  AttrBuilder function(context, like.getFnAttrs());
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoReturn, Attribute::WillReturn, Attribute::Cold})
    function.removeAttribute(kind);
  function.addAttribute(Attribute::NoUnwind);
  SmallVector<AttributeSet> params;
  for (unsigned i = 0; i < numParams; ++i)
    params.push_back(like.getParamAttrs(i));
  return AttributeList::get(context, AttributeSet::get(context, function), AttributeSet::get(context, result), params);
}

void ThrowingForms::createForm(Function &function) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *> params(function.getFunctionType()->params());
  unsigned count = params.size();
  params.append({pointer, i64, pointer});
  Function *form = Function::Create(FunctionType::get(function.getReturnType(), params, false),
                                    GlobalValue::InternalLinkage, function.getName() + kThrowingSuffix);
  module.getFunctionList().insert(function.getIterator(), form);
  form->copyAttributesFrom(&function);
  form->setVisibility(GlobalValue::DefaultVisibility);
  form->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  form->setDSOLocal(true);
  form->setAttributes(attributesOf(context, function.getAttributes(), count));
  form->addFnAttr(kTaskFunctionAttr);
  form->setSubprogram(function.getSubprogram());
  function.setSubprogram(nullptr);
  form->splice(form->begin(), &function);
  for (unsigned i = 0; i < count; ++i) {
    form->getArg(i)->takeName(function.getArg(i));
    function.getArg(i)->replaceAllUsesWith(form->getArg(i));
  }
  function.removeFnAttr(kTaskFunctionAttr);
  forms[&function] = form;
  fillOrdinary(function, *form);
}

/// Calls `inner` with the arguments of `builder`'s function.
static CallInst *callWithArguments(IRBuilder<> &builder, FunctionCallee inner, const AttributeList &attributes,
                                   CallingConv::ID convention, ArrayRef<Value *> more) {
  SmallVector<Value *> args;
  Function &function = *builder.GetInsertBlock()->getParent();
  for (Argument &argument : function.args())
    args.push_back(&argument);
  append_range(args, more);
  CallInst *call = builder.CreateCall(inner, args);
  call->setAttributes(attributes);
  call->setCallingConv(convention);
  return call;
}

static void returnResult(IRBuilder<> &builder, CallBase *call) {
  call->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(call);
}

Value *ThrowingForms::isInsideTask(IRBuilder<> &builder) {
  Type *i32 = builder.getInt32Ty();
  Constant *depth = module.getOrInsertGlobal(kInsideTasksName, i32, [&] {
    return new GlobalVariable(module, i32, /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                              kInsideTasksName, nullptr, GlobalValue::GeneralDynamicTLSModel);
  });
  return builder.CreateIsNotNull(builder.CreateLoad(i32, builder.CreateThreadLocalAddress(depth)));
}

/// Fills a function with a call of `form`. It throws what the call leaves in its slot.
void ThrowingForms::fillWithCall(Function &function, Function &form, bool keepsHandlers) {
  LLVMContext &context = module.getContext();
  BasicBlock *start = BasicBlock::Create(context, "start", &function);
  BasicBlock *thrown = BasicBlock::Create(context, "thrown", &function);
  BasicBlock *end = BasicBlock::Create(context, "end", &function);
  IRBuilder<> builder(start);
  AllocaInst *slot = builder.CreateAlloca(slotType);
  AllocaInst *handlers = keepsHandlers ? builder.CreateAlloca(ArrayType::get(i64, 2)) : nullptr;
  initialise(builder, slot);
  if (keepsHandlers)
    call(builder, "__cilk2gpu_leave_handlers", {handlers});
  CallInst *result = callWithArguments(builder, &form, form.getAttributes(), form.getCallingConv(),
                                       {slot, builder.getInt64(0), ConstantPointerNull::get(pointer)});
  if (keepsHandlers)
    call(builder, "__cilk2gpu_enter_handlers", {handlers});
  Value *held = take(builder, slot);
  builder.CreateCondBr(builder.CreateIsNull(held), end, thrown);
  builder.SetInsertPoint(thrown);
  builder.CreateCall(throwHeld(), {held})->setDoesNotReturn();
  builder.CreateUnreachable();
  builder.SetInsertPoint(end);
  if (function.doesNotReturn())
    builder.CreateUnreachable();
  else
    returnResult(builder, result);
}

/// Ordinary code keeps the exceptions that it has caught while it calls `form`, because a run of the graph may go on in
/// other code of the thread. Inside a task, the form is an elision.
void ThrowingForms::fillOrdinary(Function &function, Function &form) {
  LLVMContext &context = module.getContext();
  function.setPersonalityFn(nullptr);
  Function *outside = createOrdinary(function, ".outside");
  outside->addFnAttr(Attribute::NoInline);
  fillWithCall(*outside, form, /*keepsHandlers=*/true);
  fillWithCall(function, form, /*keepsHandlers=*/false);
  BasicBlock *inside = &function.getEntryBlock();
  BasicBlock *entry = BasicBlock::Create(context, "entry", &function, inside);
  BasicBlock *away = BasicBlock::Create(context, "away", &function);
  for (Instruction &inst : make_early_inc_range(*inside))
    if (isa<AllocaInst>(inst))
      inst.moveBefore(*entry, entry->end());
  IRBuilder<> builder(entry);
  builder.CreateCondBr(isInsideTask(builder), inside, away);
  builder.SetInsertPoint(away);
  CallInst *result = callWithArguments(builder, outside, function.getAttributes(), function.getCallingConv(), {});
  if (function.doesNotReturn())
    builder.CreateUnreachable();
  else
    returnResult(builder, result);
}

/// Makes an empty local function of the same type and with the same attributes.
Function *ThrowingForms::createOrdinary(Function &function, StringRef suffix) {
  Function *made =
      Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage, function.getName() + suffix, module);
  made->copyAttributesFrom(&function);
  made->setVisibility(GlobalValue::DefaultVisibility);
  made->setDSOLocal(true);
  made->setPersonalityFn(nullptr);
  made->removeFnAttr(kTaskFunctionAttr);
  return made;
}

Function *ThrowingForms::ordinaryForm(Function &function) {
  if (formOf(&function))
    return &function;
  Function *&made = ordinary[&function];
  if (made)
    return made;
  made = createOrdinary(function, ".ordinary");
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", made));
  returnResult(builder, callWithArguments(builder, &function, function.getAttributes(), function.getCallingConv(), {}));
  return made;
}

//===-- Calls -----------------------------------------------------------------------------------------------------===//

/// Makes an ordinary function that calls `like`'s callee and puts its exception into a slot. The callee is the first
/// argument if it is a pointer.
Function *ThrowingForms::caughtForm(CallBase &like) {
  Function *callee = like.getCalledFunction();
  SmallVector<Type *> params;
  if (!callee)
    params.push_back(pointer);
  for (Value *arg : like.args())
    params.push_back(arg->getType());
  params.append({pointer, i64, pointer});
  auto *type = FunctionType::get(like.getType(), params, false);
  Function *&form = caught[{callee ? callee : nullptr, type}];
  if (form && callee)
    return form;
  form = Function::Create(type, GlobalValue::InternalLinkage,
                          (callee ? callee->getName() : StringRef("__cilk2gpu_pointer")) + kCaughtSuffix, module);
  LLVMContext &context = module.getContext();
  AttributeList attributes = attributesOf(context, like.getAttributes(), like.arg_size());
  unsigned shift = callee ? 0 : 1;
  SmallVector<AttributeSet> sets(shift);
  for (unsigned i = 0; i < like.arg_size(); ++i)
    sets.push_back(attributes.getParamAttrs(i));
  AttrBuilder own(context);
  own.addAttribute(Attribute::NoUnwind);
  form->setAttributes(AttributeList::get(context, AttributeSet::get(context, own), attributes.getRetAttrs(), sets));
  const Function &around = *like.getFunction();
  for (const char *name : {"target-cpu", "target-features", "tune-cpu"})
    if (Attribute attribute = around.getFnAttribute(name); attribute.isValid())
      form->addFnAttr(attribute);
  form->setUWTableKind(around.getUWTableKind());
  if (callee ? callee->hasFnAttribute(kLooksUpAttr) : around.hasFnAttribute(kTracksAttr))
    form->addFnAttr(kLooksUpAttr);
  Value *called = callee ? like.getCalledOperand() : form->getArg(0);
  fillCatching(*form, {{like.getFunctionType(), called}, like.getAttributes(), like.getCallingConv()}, shift);
  return form;
}

void ThrowingForms::fillCatching(Function &form, const ThrowingCallee &callee, unsigned first) {
  auto block = [&](const char *name) { return BasicBlock::Create(module.getContext(), name, &form); };
  BasicBlock *entry = block("entry"), *end = block("end"), *thrown = block("thrown");
  unsigned count = form.arg_size() - kHidden;
  SmallVector<Value *> args;
  for (unsigned i = first; i < count; ++i)
    args.push_back(form.getArg(i));
  IRBuilder<> builder(entry);
  InvokeInst *result = builder.CreateInvoke(callee.function, end, thrown, args);
  result->setAttributes(callee.attributes);
  result->setCallingConv(callee.convention);
  builder.SetInsertPoint(end);
  returnResult(builder, result);
  builder.SetInsertPoint(thrown);
  Value *held = hold(builder);
  call(builder, kDeferException, {form.getArg(count), form.getArg(count + 1), held});
  returnOld(builder, typeOfOld(form.getReturnType()) ? form.getArg(count + 2) : nullptr);
  setPersonality(form);
}

Value *ThrowingForms::hold(IRBuilder<> &builder) {
  LandingPadInst *pad = builder.CreateLandingPad(StructType::get(pointer, builder.getInt32Ty()), 1);
  pad->addClause(ConstantPointerNull::get(pointer));
  return call(builder, kHoldException, {builder.CreateExtractValue(pad, 0)}, pointer);
}

void ThrowingForms::forward(IRBuilder<> &builder, const ThrowingCallee &callee) {
  returnResult(builder, callWithArguments(builder, callee.function, callee.attributes, callee.convention, {}));
}

CallInst *ThrowingForms::replaceCall(CallBase &old, const HiddenArguments &hidden) {
  Function *form = formOf(old.getCalledOperand());
  SmallVector<Value *> args;
  if (!form) {
    form = caughtForm(old);
    if (!old.getCalledFunction())
      args.push_back(old.getCalledOperand());
  }
  append_range(args, old.args());
  args.append({hidden.slot, hidden.number, hidden.old ? hidden.old : ConstantPointerNull::get(pointer)});
  if (auto *invoke = dyn_cast<InvokeInst>(&old)) {
    BranchInst::Create(invoke->getNormalDest(), invoke->getParent())->setDebugLoc(old.getDebugLoc());
    invoke->getUnwindDest()->removePredecessor(invoke->getParent());
  }
  CallInst *made = CallInst::Create(form, args, "", old.getIterator());
  made->setAttributes(form->getAttributes().removeFnAttributes(module.getContext()));
  for (unsigned i = 0, shift = args.size() - 3 - old.arg_size(); i < old.arg_size(); ++i)
    if (old.isByValArgument(i) || old.paramHasAttr(i, Attribute::StructRet))
      made->addParamAttrs(i + shift, AttrBuilder(module.getContext(), old.getParamAttributes(i)));
  made->setDoesNotThrow();
  made->setCallingConv(form->getCallingConv());
  made->setDebugLoc(old.getDebugLoc());
  made->takeName(&old);
  old.replaceAllUsesWith(made);
  old.eraseFromParent();
  return made;
}

//===-- The pass --------------------------------------------------------------------------------------------------===//

void cilk2gpu::dropThrown(CallInst *marker) {
  marker->replaceAllUsesWith(Constant::getAllOnesValue(marker->getType()));
  marker->eraseFromParent();
}

void cilk2gpu::dropChecks(Function &function) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *invoke = dyn_cast<InvokeInst>(&inst);
        invoke && (isCallOf(inst, kCheckMarker) || isCallOf(inst, kReturnCheckMarker) ||
                   leadsToCaught(invoke->getUnwindDest()))) {
      changeToCall(invoke);
      changed = true;
    }
  if (changed)
    removeUnreachableBlocks(function);
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (isCallOf(inst, kCheckMarker) || isCallOf(inst, kReturnCheckMarker) || isCallOf(inst, kCaughtMarker))
      inst.eraseFromParent();
    else if (isCallOf(inst, kThrownMarker))
      dropThrown(cast<CallInst>(&inst));
}

bool cilk2gpu::throwsNothing(const CallBase &call) { return call.doesNotThrow(); }

bool cilk2gpu::isExempt(const Instruction &inst) {
  return isCallOf(inst, kCheckMarker) || isCallOf(inst, kReturnCheckMarker) || isCallOf(inst, "__cxa_end_catch");
}

Function *cilk2gpu::calledRun(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().contains(kDependRun) ? callee : nullptr;
}

bool cilk2gpu::hasThrowingChildren(Function &function, function_ref<bool(const CallBase &)> isQuiet) {
  auto throws = [&](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && !isa<IntrinsicInst>(call) && !isExempt(inst) && !isQuiet(*call);
  };
  bool found = false;
  for (Instruction &inst : instructions(function)) {
    if (isCallOf(inst, kSpawnBeginMarker))
      visitSpawn(cast<CallInst>(&inst), [&](Instruction &spawned) { found |= throws(spawned); });
    else if (Function *run = calledRun(inst))
      found |= hasThrowingChildren(*run, isQuiet);
    else if (auto *invoke = dyn_cast<InvokeInst>(&inst); invoke && throws(inst))
      found |= leadsToCaught(invoke->getUnwindDest());
    if (found)
      return true;
  }
  return false;
}

/// Returns true if an exception of the function may land while ordered children have not started. Then the function
/// runs them first.
static bool hasOrderedAtPads(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) { return isCallOf(inst, kDependAdd); }) &&
         !OutstandingInvokes(function).found.empty();
}

bool DeferExceptionsPass::runOn(Module &module, Module &) {
  SmallVector<Function *> functions = findCilkFunctions(module), deferring;
  SmallPtrSet<Function *, 16> cilkFunctions(functions.begin(), functions.end());
  for (Function *function : functions) {
    bool isTask = function->getName() != "main";
    if (hasThrowingChildren(*function, throwsNothing) || hasOrderedAtPads(*function) ||
        (isTask && (!function->doesNotThrow() || hasKeywordsInHandlers(*function, cilkFunctions))))
      deferring.push_back(function);
    else
      dropChecks(*function);
  }
  if (deferring.empty())
    return true;
  ThrowingForms forms(module);
  for (Function *&function : deferring)
    if (!function->doesNotThrow() && function->getName() != "main") {
      forms.createForm(*function);
      function = forms.formOf(function);
    }
  for (Function *function : deferring)
    deferExceptions(*function, forms, cilkFunctions);
  return true;
}
