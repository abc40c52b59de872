// See PedigreeForms.h. Only functions of this file read and write the strand of the thread. Each of them is an ordinary
// function that is not inlined, so that no kernel sets the strand of one lane and then calls for another one.
#include "PedigreeForms.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/PedigreeMarks.h"

using namespace llvm;
using namespace cilk2gpu;

StrandForms::StrandForms(Module &module)
    : module(module), pointer(PointerType::getUnqual(module.getContext())), i64(Type::getInt64Ty(module.getContext())),
      place(StructType::get(i64, pointer)), record(StructType::get(place, i64, i64, i64, i64, i64)) {}

//===-- Records ---------------------------------------------------------------------------------------------------===//

void StrandForms::initialise(IRBuilder<> &builder, Value *strand, Value *rank, Value *parent) {
  auto field = [&](ArrayRef<unsigned> path) {
    SmallVector<Value *> indices{builder.getInt32(0)};
    for (unsigned index : path)
      indices.push_back(builder.getInt32(index));
    return builder.CreateInBoundsGEP(record, strand, indices);
  };
  builder.CreateStore(rank, strand);
  builder.CreateStore(parent, field({0, 1}));
  builder.CreateStore(builder.getInt64(0), field({1}));
  builder.CreateStore(builder.getInt64(0), field({2})); // no random number was taken yet
}

Value *StrandForms::raise(IRBuilder<> &builder, Value *strand) {
  Value *address = builder.CreateConstInBoundsGEP2_32(record, strand, 0, 1);
  Value *rank = builder.CreateLoad(i64, address);
  builder.CreateStore(builder.CreateAdd(rank, builder.getInt64(1)), address);
  return rank;
}

//===-- The strand of a thread ------------------------------------------------------------------------------------===//

Function *StrandForms::createLocal(StringRef name, FunctionType *type) {
  Function *made = Function::createWithDefaultAttr(type, GlobalValue::InternalLinkage, 0, name, &module);
  made->setDSOLocal(true);
  return made;
}

/// Returns a variable of the thread that all units share.
GlobalVariable *StrandForms::threadVariable(StringRef name, Type *type) {
  auto *made = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::LinkOnceODRLinkage,
                                  Constant::getNullValue(type), name, nullptr, GlobalValue::GeneralDynamicTLSModel);
  if (module.getTargetTriple().supportsCOMDAT())
    made->setComdat(module.getOrInsertComdat(name));
  return made;
}

/// Ordinary code of a thread is in the root strand of the thread until a task calls it.
void StrandForms::createThreadFunctions() {
  GlobalVariable *current = threadVariable("__cilk2gpu_strand_of_thread", pointer);
  GlobalVariable *root = threadVariable("__cilk2gpu_root_strand", record);
  get = createLocal("__cilk2gpu_get_strand", FunctionType::get(pointer, false));
  set =
      createLocal("__cilk2gpu_enter_strand", FunctionType::get(Type::getVoidTy(module.getContext()), {pointer}, false));
  for (Function *function : {get, set}) {
    function->addFnAttr(Attribute::NoInline);
    function->setDoesNotThrow();
  }
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", get));
  Value *strand = builder.CreateLoad(pointer, builder.CreateThreadLocalAddress(current));
  builder.CreateRet(builder.CreateSelect(builder.CreateIsNull(strand), builder.CreateThreadLocalAddress(root), strand));
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", set));
  builder.CreateStore(set->getArg(0), builder.CreateThreadLocalAddress(current));
  builder.CreateRetVoid();
}

CallInst *StrandForms::strandOfThread(IRBuilder<> &builder) {
  if (!get)
    createThreadFunctions();
  return builder.CreateCall(get);
}

CallInst *StrandForms::enter(IRBuilder<> &builder, Value *strand) {
  if (!set)
    createThreadFunctions();
  return builder.CreateCall(set, {strand});
}

//===-- Forms -----------------------------------------------------------------------------------------------------===//

void StrandForms::createForm(Function &function, bool isTask) {
  SmallVector<Type *> params(function.getFunctionType()->params());
  unsigned count = params.size();
  params.push_back(pointer);
  if (isTask)
    params.push_back(i64);
  Function *form = Function::Create(FunctionType::get(function.getReturnType(), params, false),
                                    GlobalValue::InternalLinkage, function.getName() + kPedigreeSuffix);
  module.getFunctionList().insert(function.getIterator(), form);
  function.removeFnAttr(Attribute::Memory);
  form->copyAttributesFrom(&function);
  form->setVisibility(GlobalValue::DefaultVisibility);
  form->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  form->setDSOLocal(true);
  form->setSubprogram(function.getSubprogram());
  function.setSubprogram(nullptr);
  form->splice(form->begin(), &function);
  for (unsigned i = 0; i < count; ++i) {
    form->getArg(i)->takeName(function.getArg(i));
    function.getArg(i)->replaceAllUsesWith(form->getArg(i));
  }
  forms[&function] = form;
  known.insert(form);
  fillEntry(function, *form);
}

static void returnResult(IRBuilder<> &builder, CallBase *call) {
  if (builder.GetInsertBlock()->getParent()->doesNotReturn())
    builder.CreateUnreachable();
  else
    call->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(call);
}

/// Fills a function with a call of its form. The thread has the same strand again behind the call, also after an
/// exception.
void StrandForms::fillEntry(Function &function, Function &form) {
  LLVMContext &context = module.getContext();
  bool throws = !form.doesNotThrow();
  BasicBlock *start = BasicBlock::Create(context, "start", &function);
  BasicBlock *end = BasicBlock::Create(context, "end", &function);
  IRBuilder<> builder(start);
  Value *strand = strandOfThread(builder);
  SmallVector<Value *> args;
  for (Argument &argument : function.args())
    args.push_back(&argument);
  args.push_back(strand);
  if (isTask(form))
    args.push_back(builder.getInt64(kSharedRecord));
  CallBase *call = nullptr;
  function.setPersonalityFn(nullptr);
  if (throws) {
    BasicBlock *thrown = BasicBlock::Create(context, "thrown", &function);
    call = builder.CreateInvoke(&form, end, thrown, args);
    builder.SetInsertPoint(thrown);
    LandingPadInst *pad = builder.CreateLandingPad(StructType::get(pointer, builder.getInt32Ty()), 0);
    pad->setCleanup(true);
    enter(builder, strand);
    builder.CreateResume(pad);
    auto *type = FunctionType::get(builder.getInt32Ty(), true);
    function.setPersonalityFn(
        form.hasPersonalityFn() ? form.getPersonalityFn()
                                : cast<Constant>(module.getOrInsertFunction("__gcc_personality_v0", type).getCallee()));
  } else {
    call = builder.CreateCall(&form, args);
    builder.CreateBr(end);
  }
  call->setAttributes(form.getAttributes().removeFnAttributes(context));
  call->setCallingConv(form.getCallingConv());
  builder.SetInsertPoint(end);
  if (isTask(form))
    raise(builder, strand);
  enter(builder, strand);
  returnResult(builder, call);
}

//===-- Calls of code that is not told its strand -----------------------------------------------------------------===//

/// Returns the type of a function with the arguments of a call, which may be variadic, and `more` parameters.
FunctionType *StrandForms::callerType(CallBase &call, ArrayRef<Type *> more) const {
  SmallVector<Type *> params;
  if (!call.getCalledFunction())
    params.push_back(pointer);
  for (Value *arg : call.args())
    params.push_back(arg->getType());
  append_range(params, more);
  return FunctionType::get(call.getType(), params, false);
}

/// Makes an empty ordinary function of callerType().
Function *StrandForms::createCaller(CallBase &call, StringRef suffix, FunctionType *type) {
  Function *callee = call.getCalledFunction();
  SmallVector<AttributeSet> sets(callee ? 0 : 1);
  for (unsigned i = 0; i < call.arg_size(); ++i)
    sets.push_back(call.getAttributes().getParamAttrs(i));
  Function *made =
      createLocal((callee ? callee->getName() : StringRef("__cilk2gpu_pointer")).str() + suffix.str(), type);
  LLVMContext &context = module.getContext();
  AttrBuilder own(context, made->getAttributes().getFnAttrs());
  if (call.doesNotThrow())
    own.addAttribute(Attribute::NoUnwind);
  if (call.doesNotReturn())
    own.addAttribute(Attribute::NoReturn);
  for (const char *name : {"target-cpu", "target-features", "tune-cpu"})
    if (Attribute attribute = call.getFunction()->getFnAttribute(name); attribute.isValid())
      own.addAttribute(attribute);
  made->setAttributes(
      AttributeList::get(context, AttributeSet::get(context, own), call.getAttributes().getRetAttrs(), sets));
  made->setUWTableKind(call.getFunction()->getUWTableKind());
  return made;
}

/// Does what `like` does, with the arguments of the builder's function.
CallInst *StrandForms::callInside(IRBuilder<> &builder, CallBase &like, Value *strand) {
  Function &caller = *builder.GetInsertBlock()->getParent();
  Function *callee = like.getCalledFunction(), *form = callee ? formOf(callee) : nullptr;
  unsigned first = callee ? 0 : 1;
  SmallVector<Value *> args;
  for (unsigned i = 0; i < like.arg_size(); ++i)
    args.push_back(caller.getArg(first + i));
  if (form)
    args.push_back(strand);
  else
    enter(builder, strand);
  Value *target = callee ? cast<Value>(callee) : caller.getArg(0);
  CallInst *made = form ? builder.CreateCall(form, args) : builder.CreateCall(like.getFunctionType(), target, args);
  made->setAttributes(like.getAttributes().removeFnAttribute(module.getContext(), Attribute::Memory));
  made->setCallingConv(like.getCallingConv());
  return made;
}

Function *StrandForms::enteringForm(CallBase &call) {
  Function *callee = call.getCalledFunction();
  FunctionType *type = callerType(call, {pointer});
  Function *&made = entering[{callee, type}];
  if (made && callee)
    return made;
  made = createCaller(call, kEnteringSuffix, type);
  made->addFnAttr(Attribute::NoInline);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", made));
  returnResult(builder, callInside(builder, call, made->getArg(made->arg_size() - 1)));
  return made;
}

Function *StrandForms::spawnedForm(CallBase &call) {
  Function *callee = call.getCalledFunction();
  FunctionType *type = callerType(call, {pointer, i64});
  Function *&made = spawned[{callee, type}];
  if (made && callee)
    return made;
  made = createCaller(call, kSpawnedSuffix, type);
  if (!callee || !formOf(callee))
    made->addFnAttr(Attribute::NoInline);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", made));
  AllocaInst *strand = builder.CreateAlloca(record);
  unsigned count = made->arg_size();
  initialise(builder, strand, made->getArg(count - 1), made->getArg(count - 2));
  returnResult(builder, callInside(builder, call, strand));
  return made;
}
