// See HostCalls.h.
#include "HostCalls.h"
#include "HostThunks.h"
#include "PersistentKernel.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/abi/Requests.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

// Functions of the device runtime.
static constexpr char kCall[] = "__cilk2gpu_device_call", kShare[] = "__cilk2gpu_device_share",
                      kUnshare[] = "__cilk2gpu_device_unshare";

/// Returns the kind of the host function. Operators new and delete, which a program may replace, always run on the
/// host. So the side that allocated memory also frees it.
static abi::HostFunction kindOf(const CallBase &call) {
  return StringSwitch<abi::HostFunction>(calleeOf(call)->getName())
      .Cases({"_Znwm", "_ZnwmSt11align_val_t", "_ZnwmRKSt9nothrow_t", "_ZnwmSt11align_val_tRKSt9nothrow_t"},
             abi::HostFunction::New)
      .Cases({"_Znam", "_ZnamSt11align_val_t", "_ZnamRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t"},
             abi::HostFunction::New)
      .Cases({"_ZdlPv", "_ZdlPvm", "_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t"}, abi::HostFunction::Delete)
      .Cases({"_ZdaPv", "_ZdaPvm", "_ZdaPvSt11align_val_t", "_ZdaPvmSt11align_val_t"}, abi::HostFunction::Delete)
      .Cases({"_ZdlPvRKSt9nothrow_t", "_ZdlPvSt11align_val_tRKSt9nothrow_t"}, abi::HostFunction::Delete)
      .Cases({"_ZdaPvRKSt9nothrow_t", "_ZdaPvSt11align_val_tRKSt9nothrow_t"}, abi::HostFunction::Delete)
      .Default(abi::HostFunction::Thunk);
}

HostCalls::HostCalls(Module &program, const Module &runtime) : program(program) {
  if (const NamedMDNode *keys = program.getNamedMetadata(kHostCallKeys))
    for (const MDNode *key : keys->operands())
      known[cast<MDString>(key->getOperand(0))->getString()] =
          mdconst::extract<ConstantInt>(key->getOperand(1))->isOne();
  bool mayCall = any_of(program, [&](const Function &caller) {
    return any_of(instructions(caller), [&](const Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      const Function *own = call && isCallable(*call) ? runtime.getFunction(calleeOf(*call)->getName()) : nullptr;
      return call && isCallable(*call) && (!own || own->isDeclaration());
    });
  });
  if (!mayCall)
    return;
  LLVMContext &context = program.getContext();
  Type *pointer = PointerType::get(context, 0), *word = Type::getInt64Ty(context), *none = Type::getVoidTy(context),
       *number = Type::getInt32Ty(context);
  SmallVector<GlobalValue *> used;
  for (FunctionCallee callee :
       {program.getOrInsertFunction(kCall, word, number, pointer, pointer, number, pointer),
        program.getOrInsertFunction(kShare, pointer, word, word), program.getOrInsertFunction(kUnshare, none, pointer)})
    used.push_back(cast<GlobalValue>(callee.getCallee()));
  appendToCompilerUsed(program, used);
  isNeeded = true;
}

bool HostCalls::isCallable(const CallBase &call) const {
  const Function *callee = calleeOf(call);
  return callee && callee->isDeclarationForLinker() && !callee->isIntrinsic() && !looksAtErrno(call) &&
         known.contains(hostCallKey(call));
}

//===-- Locals ----------------------------------------------------------------------------------------------------===//

static bool isLifetime(const User *user) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(user);
  return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

/// Returns true if a local can be moved: it has a constant size, and only generic pointers lead to it.
static bool isMovable(const AllocaInst &local) {
  return local.isStaticAlloca() && (local.getAddressSpace() == 0 || all_of(local.users(), [](const User *user) {
                                      auto *cast = dyn_cast<AddrSpaceCastInst>(user);
                                      return isLifetime(user) || (cast && cast->getDestAddressSpace() == 0);
                                    }));
}

/// Adds the locals to which a pointer may lead that the host gets.
static void addOrigins(Value *pointer, SmallPtrSetImpl<Value *> &seen, SetVector<AllocaInst *> &locals) {
  SmallVector<const Value *> origins;
  getUnderlyingObjects(pointer, origins, nullptr, /*MaxLookup=*/0);
  for (const Value *constOrigin : origins) {
    auto *origin = const_cast<Value *>(constOrigin);
    if (!seen.insert(origin).second)
      continue;
    if (auto *local = dyn_cast<AllocaInst>(origin)) {
      locals.insert(local);
    } else if (auto *argument = dyn_cast<Argument>(origin)) {
      for (Use &use : argument->getParent()->uses())
        if (auto *call = dyn_cast<CallBase>(use.getUser()); call && call->isCallee(&use))
          addOrigins(call->getArgOperand(argument->getArgNo()), seen, locals);
    } else if (auto *call = dyn_cast<CallBase>(origin)) {
      for (Value *operand : call->args()) // the call may return one of them
        if (operand->getType()->isPointerTy())
          addOrigins(operand, seen, locals);
    }
  }
}

/// Returns true if a pointer is null or leads to constants without pointers, such as a format or a text.
static bool isText(const Value *pointer) {
  SmallVector<const Value *> origins;
  getUnderlyingObjects(pointer, origins, nullptr, /*MaxLookup=*/0);
  return all_of(origins, [](const Value *origin) {
    auto *variable = dyn_cast<GlobalVariable>(origin);
    return isa<ConstantPointerNull>(origin) ||
           (variable && variable->isConstant() && variable->hasDefinitiveInitializer() &&
            isa<ConstantDataSequential, ConstantAggregateZero>(variable->getInitializer()));
  });
}

/// Returns the index of the argument that is a stream of the C library. It neither is a local nor leads to one.
static std::optional<unsigned> streamOf(const CallBase &call) {
  return StringSwitch<std::optional<unsigned>>(calleeOf(call)->getName())
      .Cases({"fprintf", "__fprintf_chk"}, 0)
      .Case("fputs", 1)
      .Case("fwrite", 3)
      .Default(std::nullopt);
}

/// Returns true if the function is one of the C++ library that throw. These functions only read a text.
static bool throwsOnly(const CallBase &call) {
  StringRef name = calleeOf(call)->getName();
  return name.starts_with("_ZSt") && name.contains("__throw_");
}

/// Returns true if a call may find pointers to locals in memory: it gets a pointer, or its function may access any
/// memory. A call that frees memory accesses no local.
bool HostCalls::looksAround(const CallBase &call) const {
  if (kindOf(call) != abi::HostFunction::Thunk || isNoModRef(call.getMemoryEffects().getModRef(IRMemLocation::Other)))
    return false;
  if (known.lookup(hostCallKey(call)) && !throwsOnly(call))
    return true;
  return any_of(enumerate(call.args()), [&](const auto &entry) {
    auto [i, argument] = entry;
    return argument->getType()->isPointerTy() && i != streamOf(call) && !isText(argument);
  });
}

/// Returns the functions that may run while `function` runs. Calls through a pointer may be of any function whose
/// address is taken.
static SmallSetVector<Function *, 16> reachedFrom(Function &function) {
  SmallSetVector<Function *, 16> reached;
  reached.insert(&function);
  bool addedPointedAt = false;
  for (unsigned i = 0; i < reached.size(); ++i)
    for (Instruction &inst : instructions(*reached[i])) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call || call->isInlineAsm())
        continue;
      if (Function *callee = calleeOf(*call))
        reached.insert(callee);
      else if (!std::exchange(addedPointedAt, true))
        for (Function &other : *function.getParent())
          if (other.hasAddressTaken())
            reached.insert(&other);
    }
  return reached;
}

static std::string placeOf(const AllocaInst &local) {
  const DebugLoc &place = local.getDebugLoc();
  return place ? ("in line " + Twine(place.getLine())).str()
               : ("of '" + writtenName(local.getFunction()->getName()) + "'");
}

/// Notes the locals that a call may access. If one cannot be moved, the host does not make the call.
void HostCalls::show(Locals &locals, CallBase &call) {
  for (AllocaInst *local : locals)
    if (isMovable(*local))
      shared.insert(local);
    else
      call.addFnAttr(Attribute::get(call.getContext(), kShowsUnmovableAttr, placeOf(*local)));
}

/// Collects the locals to which the host gets a pointer, or may find a pointer in memory. The latter are locals whose
/// address is stored, or converted to a number, in a function that has not returned yet.
void HostCalls::findShared(const SmallVectorImpl<CallBase *> &calls) {
  MapVector<Function *, SmallVector<CallBase *>> looking;
  for (CallBase *call : calls) {
    if (kindOf(*call) != abi::HostFunction::Thunk)
      continue;
    Locals locals;
    SmallPtrSet<Value *, 16> seen;
    for (auto [i, argument] : enumerate(call->args()))
      if (argument->getType()->isPointerTy() && i != streamOf(*call))
        addOrigins(argument, seen, locals);
    show(locals, *call);
    if (looksAround(*call))
      looking[call->getFunction()].push_back(call);
  }
  auto ofTasks = make_filter_range(program, [](const Function &function) { return !isOfRuntime(function); });
  for (Function &function : ofTasks) {
    Locals captured;
    for (Instruction &inst : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&inst); local && PointerMayBeCaptured(local, /*ReturnCaptures=*/true))
        captured.insert(local);
    if (captured.empty() || looking.empty())
      continue;
    for (Function *reached : reachedFrom(function))
      for (CallBase *call : looking.lookup(reached))
        show(captured, *call);
  }
}

/// Moves a local to the host's memory while its function runs.
void HostCalls::share(AllocaInst &local) {
  Function &function = *local.getFunction();
  uint64_t bytes = local.getAllocationSize(program.getDataLayout())->getFixedValue();
  IRBuilder<> builder(&local);
  Value *place = builder.CreateCall(program.getFunction(kShare),
                                    {builder.getInt64(bytes), builder.getInt64(local.getAlign().value())}, "shared");
  for (User *user : make_early_inc_range(local.users()))
    if (isLifetime(user))
      cast<Instruction>(user)->eraseFromParent();
  if (local.getType() == place->getType())
    local.replaceAllUsesWith(place);
  for (User *user : make_early_inc_range(local.users())) {
    user->replaceAllUsesWith(place);
    cast<Instruction>(user)->eraseFromParent();
  }
  local.eraseFromParent();
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (isa<ReturnInst>(inst))
      IRBuilder<>(&inst).CreateCall(program.getFunction(kUnshare), {place});
}

//===-- Calls -----------------------------------------------------------------------------------------------------===//

static Value *toWord(IRBuilder<> &builder, Value *value) {
  if (value->getType()->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  Value *bits = builder.CreateBitCast(value, builder.getIntNTy(unsigned(value->getType()->getPrimitiveSizeInBits())));
  return builder.CreateZExt(bits, builder.getInt64Ty());
}

static Value *fromWord(IRBuilder<> &builder, Value *word, Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(word, type);
  return builder.CreateBitCast(builder.CreateTrunc(word, builder.getIntNTy(unsigned(type->getPrimitiveSizeInBits()))),
                               type);
}

void HostCalls::lowerCall(CallBase &call) {
  Type *word = Type::getInt64Ty(program.getContext()), *generic = PointerType::get(program.getContext(), 0);
  GlobalVariable *slot = addressSlotOf(program, hostCallKey(call));
  if (calleeOf(call)->hasExternalWeakLinkage()) { // the program may lack the function, but has the thunk
    slot->addAttribute(kWeakAttr);
    call.getFunction()->addFnAttr(kWeakAttr);
  }
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  IRBuilder<> top(&entry, entry.getFirstInsertionPt()), builder(&call);
  unsigned count = std::max(call.arg_size(), 1u);
  Value *words = top.CreateAddrSpaceCast(top.CreateAlloca(ArrayType::get(word, count)), generic);
  for (auto [i, argument] : enumerate(call.args()))
    builder.CreateStore(toWord(builder, argument), builder.CreateConstGEP1_32(word, words, unsigned(i)));
  auto *pair = dyn_cast<StructType>(call.getType());
  Value *second = pair ? top.CreateAddrSpaceCast(top.CreateAlloca(word), generic)
                       : ConstantPointerNull::get(cast<PointerType>(generic));
  Value *thunk = builder.CreateLoad(generic, slot);
  CallInst *result = builder.CreateCall(program.getFunction(kCall), {builder.getInt32(uint32_t(kindOf(call))), thunk,
                                                                     words, builder.getInt32(call.arg_size()), second});
  result->setDebugLoc(call.getDebugLoc());
  if (pair) {
    Value *first = fromWord(builder, result, pair->getElementType(0));
    Value *rest = fromWord(builder, builder.CreateLoad(word, second), pair->getElementType(1));
    call.replaceAllUsesWith(
        builder.CreateInsertValue(builder.CreateInsertValue(PoisonValue::get(pair), first, 0), rest, 1));
  } else if (!call.getType()->isVoidTy()) {
    call.replaceAllUsesWith(fromWord(builder, result, call.getType()));
  }
  call.eraseFromParent();
}

/// Drops bodies that are only there for inlining. Their functions are defined elsewhere.
static void dropInlineBodies(Module &program) {
  for (Function &function : program)
    if (function.hasAvailableExternallyLinkage())
      function.deleteBody();
}

void HostCalls::lower(function_ref<void(const CallBase &)> report) {
  dropInlineBodies(program);
  SmallVector<CallBase *> calls;
  for (Function &function : program)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && isCallable(*call))
        calls.push_back(call);
  findShared(calls);
  for (AllocaInst *local : shared)
    share(*local);
  for (CallBase *call : calls) {
    if (call->hasFnAttr(kShowsUnmovableAttr))
      continue;
    if (standsFor(*call->getFunction()).empty()) // the caller of a stand-in is not known
      report(*call);
    lowerCall(*call);
  }
}
