// Makes a thunk in the host's code for each function that the host may call for a unit's kernels. The thunk takes the
// arguments from words, calls the function, and stores the result in the first word. So the host's own compiler passes
// arguments of every type.
#include "HostThunks.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/abi/Requests.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cilk2gpu;

//===-- Keys ------------------------------------------------------------------------------------------------------===//

/// Attributes that, besides its type, determine how an argument is passed. A struct by value is a pointer, whatever its
/// size.
static constexpr Attribute::AttrKind kPassing[] = {Attribute::ByVal, Attribute::StructRet, Attribute::SExt,
                                                   Attribute::ZExt,  Attribute::InReg,     Attribute::Nest};

/// Attribute of a call. It describes how its thunk takes the arguments. It is set before retargeting drops the
/// attributes above.
static constexpr char kPassingAttr[] = "cilk2gpu-passing";

static std::string describePassing(const CallBase &call) {
  std::string text;
  raw_string_ostream os(text);
  const DataLayout &layout = call.getModule()->getDataLayout();
  for (auto [i, argument] : enumerate(call.args())) { // the type of a variadic function lacks some arguments
    for (Attribute::AttrKind kind : kPassing)
      if (kind == Attribute::ByVal && call.isByValArgument(unsigned(i)))
        os << " byval(" << layout.getTypeAllocSize(call.getParamByValType(unsigned(i))) << ", "
           << call.getParamAlign(unsigned(i)).valueOrOne().value() << ")";
      else if (call.paramHasAttr(unsigned(i), kind))
        os << " " << Attribute::getNameFromAttrKind(kind);
    os << " " << *argument->getType();
  }
  return text;
}

std::string cilk2gpu::hostCallKey(const CallBase &call) {
  std::string key;
  raw_string_ostream os(key);
  os << "host " << calleeOf(call)->getName() << " " << *call.getFunctionType();
  Attribute noted = call.getFnAttr(kPassingAttr);
  os << (noted.isValid() ? noted.getValueAsString().str() : describePassing(call));
  return key;
}

//===-- Which -----------------------------------------------------------------------------------------------------===//

/// Returns true if a function must not run on the thread that serves the lanes:
/// - it waits for other tasks, which this thread would have to serve;
/// - it returns twice, or at another place;
/// - it distinguishes workers, but lanes are not workers;
/// - it asks for a view of a reducer, which a strand has and a lane does not;
/// - it is a part of exception handling.
static bool isBoundToLane(StringRef name) {
  if (name.starts_with("__cilk2gpu_depend_")) // tables of ordered tasks are memory of the host
    return false;
  for (StringRef prefix :
       {"__cilk2gpu_", "__builtin_", "__cxa_", "_Unwind_", "__ubsan_", "__asan_", "__tsan_", "__msan_", "pthread_",
        "sem_", "mtx_", "cnd_", "thrd_", "__clang_call_terminate", "_ZSt9terminate", "llvm."})
    if (name.starts_with(prefix))
      return true;
  return StringSwitch<bool>(name)
      .Cases({"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"},
             true)
      .Cases({"fork", "vfork", "flockfile", "lockf", "flock", "__tls_get_addr", "alloca", "getcontext", "swapcontext"},
             true)
      .Cases({"__cilkrts_get_worker_number", kHyperLookup, kReducerRegister, kReducerUnregister}, true)
      .Default(false);
}

/// Returns true if a format has a conversion %m.
static bool printsErrno(StringRef format) {
  for (size_t at = format.find('%'); at != StringRef::npos; at = format.find('%', at + 1)) {
    at = format.find_first_not_of("-+ #0'123456789.*$", at + 1);
    if (at == StringRef::npos)
      return false;
    if (format[at] == 'm')
      return true;
  }
  return false;
}

bool cilk2gpu::looksAtErrno(const CallBase &call) {
  const Function *callee = calleeOf(call);
  if (!callee || !callee->isDeclaration())
    return false;
  StringRef text;
  return callee->getName() == "__errno_location" || callee->getName() == "perror" ||
         (callee->isVarArg() && any_of(call.args(), [&](const Value *argument) {
            return argument->getType()->isPointerTy() && getConstantStringInfo(argument, text) && printsErrno(text);
          }));
}

/// Returns true if a vector fits into a word. Complex numbers of floats are vectors on x86-64.
static bool isSmallVector(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && !vector->getElementType()->isPointerTy() && vector->getPrimitiveSizeInBits() <= 64;
}

static bool isWord(Type *type) {
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() || isSmallVector(type) ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

/// Returns true if calls return a type as two words: complex numbers, and the results of functions such as div.
static bool isPair(Type *type) {
  auto *record = dyn_cast<StructType>(type);
  return record && record->isLiteral() && record->getNumElements() == 2 && all_of(record->elements(), isWord);
}

/// Returns true if the host may make a call. A weak function counts, because another file without device code may
/// define it.
static bool mayBeHosts(const CallBase &call) {
  const Function *callee = calleeOf(call);
  if (!callee || !(callee->isDeclarationForLinker() || callee->isInterposable()) || callee->isIntrinsic() ||
      call.hasOperandBundles() || isBoundToLane(withoutPrefix(callee->getName())) || looksAtErrno(call) ||
      callee->hasFnAttribute(Attribute::ReturnsTwice) || call.arg_size() + 1 > abi::kRequestArguments)
    return false;
  return (call.getType()->isVoidTy() || isWord(call.getType()) || isPair(call.getType())) &&
         all_of(call.args(), [](const Value *argument) { return isWord(argument->getType()); });
}

//===-- Thunks ----------------------------------------------------------------------------------------------------===//

static Value *fromWord(IRBuilder<> &builder, Value *word, Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(word, type);
  Value *bits = builder.CreateTrunc(word, builder.getIntNTy(unsigned(type->getPrimitiveSizeInBits())));
  return builder.CreateBitCast(bits, type);
}

static Value *toWord(IRBuilder<> &builder, Value *value) {
  if (value->getType()->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  Value *bits = builder.CreateBitCast(value, builder.getIntNTy(unsigned(value->getType()->getPrimitiveSizeInBits())));
  return builder.CreateZExt(bits, builder.getInt64Ty());
}

/// Returns the attributes that pass arguments, without facts about one call, such as an unused result.
static AttributeList passing(const CallBase &call) {
  LLVMContext &context = call.getContext();
  AttributeList result;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    for (Attribute::AttrKind kind : kPassing)
      if (Attribute attribute = call.getParamAttr(i, kind); attribute.isValid())
        result = result.addParamAttribute(context, i, attribute);
    if (MaybeAlign align = call.getParamAlign(i); align && call.isByValArgument(i))
      result = result.addParamAttribute(context, i, Attribute::getWithAlignment(context, *align));
  }
  for (Attribute::AttrKind kind : {Attribute::SExt, Attribute::ZExt, Attribute::InReg})
    if (call.hasRetAttr(kind))
      result = result.addRetAttribute(context, Attribute::get(context, kind));
  return result;
}

/// Creates `void THUNK(uint64_t *words) { words[0] = CALLEE(words[0], ...); }`. The second word of a pair goes to
/// words[1]. An exception ends the process with a message.
static Function *createThunk(Module &module, const CallBase &call) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *word = Type::getInt64Ty(context), *none = Type::getVoidTy(context);
  const Function &callee = *calleeOf(call);
  FunctionCallee target = module.getOrInsertFunction(callee.getName(), callee.getFunctionType());
  auto *thunk = Function::Create(FunctionType::get(none, {pointer}, false), GlobalValue::InternalLinkage,
                                 kHostThunk + callee.getName(), module);
  thunk->setUWTableKind(UWTableKind::Async);
  thunk->setPersonalityFn(cast<Constant>(
      module.getOrInsertFunction("__cilk2gpu_personality", FunctionType::get(Type::getInt32Ty(context), true))
          .getCallee()));
  BasicBlock *entry = BasicBlock::Create(context, "", thunk), *done = BasicBlock::Create(context, "done", thunk),
             *thrown = BasicBlock::Create(context, "thrown", thunk);
  IRBuilder<> builder(entry);
  SmallVector<Value *> arguments;
  for (auto [i, argument] : enumerate(call.args())) {
    Value *at = builder.CreateConstGEP1_32(word, thunk->getArg(0), unsigned(i));
    arguments.push_back(fromWord(builder, builder.CreateLoad(word, at), argument->getType()));
  }
  InvokeInst *result = builder.CreateInvoke(call.getFunctionType(), target.getCallee(), done, thrown, arguments);
  result->setCallingConv(call.getCallingConv());
  result->setAttributes(passing(call));
  builder.SetInsertPoint(done);
  for (unsigned i = 0, count = isPair(call.getType()) ? 2 : 0; i < count; ++i)
    builder.CreateStore(toWord(builder, builder.CreateExtractValue(result, i)),
                        builder.CreateConstGEP1_32(word, thunk->getArg(0), i));
  if (isWord(call.getType()))
    builder.CreateStore(toWord(builder, result), thunk->getArg(0));
  builder.CreateRetVoid();
  builder.SetInsertPoint(thrown);
  builder.CreateLandingPad(StructType::get(context, {pointer, Type::getInt32Ty(context)}), 0)->setCleanup(true);
  builder.CreateCall(module.getOrInsertFunction("__cilk2gpu_exception", none))->setDoesNotReturn();
  builder.CreateUnreachable();
  return thunk;
}

/// Returns true if the function may access all memory to which the program points, or memory at addresses stored as
/// numbers. Functions of the C library do not, because they get pointers as pointers.
static bool mayLookAnywhere(const CallBase &call, const TargetLibraryInfoImpl &library) {
  LibFunc known;
  return !library.getLibFunc(*calleeOf(call), known);
}

void cilk2gpu::createHostThunks(Module &module, Module &device,
                                function_ref<void(StringRef key, Function &thunk)> add) {
  TargetLibraryInfoImpl library(module.getTargetTriple());
  StringSet<> made;
  NamedMDNode *keys = nullptr;
  for (Function &function : device)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      bool isThroughPointer = call && !call->isInlineAsm() && !calleeOf(*call); // optimisation may find the callee
      if (!call || !(isThroughPointer || mayBeHosts(*call)))
        continue;
      call->addFnAttr(Attribute::get(call->getContext(), kPassingAttr, describePassing(*call)));
      if (isThroughPointer)
        continue;
      std::string key = hostCallKey(*call);
      if (!made.insert(key).second)
        continue;
      add(key, *createThunk(module, *call));
      if (!keys)
        keys = device.getOrInsertNamedMetadata(kHostCallKeys);
      LLVMContext &context = device.getContext();
      Constant *anywhere = ConstantInt::getBool(context, mayLookAnywhere(*call, library));
      keys->addOperand(MDNode::get(context, {MDString::get(context, key), ConstantAsMetadata::get(anywhere)}));
    }
}
