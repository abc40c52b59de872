// See HostCalls.h.
#include "HostCalls.h"
#include "HostThunks.h"
#include "PersistentKernel.h"

#include "abi/Requests.h"
#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Target/Device/DeviceModule.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

// Of the device runtime.
static constexpr char kCall[] = "__cilk2gpu_device_call", kShare[] = "__cilk2gpu_device_share",
                      kUnshare[] = "__cilk2gpu_device_unshare";

/// As what a function is called: the operators that a program may replace are the host's, so that memory goes back to
/// where it came from, on either side.
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

//===-- Locals --------------------------------------------------------------------------------------------------===//

static bool isLifetime(const User *user) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(user);
  return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

/// Whether a local can be put elsewhere: it has a size, and only generic pointers lead to it.
static bool isMovable(const AllocaInst &local) {
  return local.isStaticAlloca() && (local.getAddressSpace() == 0 || all_of(local.users(), [](const User *user) {
           auto *cast = dyn_cast<AddrSpaceCastInst>(user);
           return isLifetime(user) || (cast && cast->getDestAddressSpace() == 0);
         }));
}

/// Finds the locals that a pointer, which the host gets, may lead to. False if one cannot be put elsewhere.
bool HostCalls::addOrigins(Value *pointer) {
  SmallVector<const Value *> origins;
  getUnderlyingObjects(pointer, origins, nullptr, /*MaxLookup=*/0);
  bool canMove = true;
  for (const Value *constOrigin : origins) {
    auto *origin = const_cast<Value *>(constOrigin);
    if (!seen.insert(origin).second)
      continue;
    if (auto *local = dyn_cast<AllocaInst>(origin)) {
      canMove &= isMovable(*local);
      shared.insert(local);
    } else if (auto *argument = dyn_cast<Argument>(origin)) {
      for (Use &use : argument->getParent()->uses())
        if (auto *call = dyn_cast<CallBase>(use.getUser()); call && call->isCallee(&use))
          canMove &= addOrigins(call->getArgOperand(argument->getArgNo()));
    } else if (auto *call = dyn_cast<CallBase>(origin)) {
      for (Value *operand : call->args()) // it may return one of them
        if (operand->getType()->isPointerTy())
          canMove &= addOrigins(operand);
    }
  }
  return canMove;
}

/// Whether a pointer leads to constants without pointers in them, such as a format or a text, or nowhere.
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

/// Which argument is a stream of the C library: no local, and nothing that leads to one.
static std::optional<unsigned> streamOf(const CallBase &call) {
  return StringSwitch<std::optional<unsigned>>(calleeOf(call)->getName())
      .Cases({"fprintf", "__fprintf_chk"}, 0)
      .Case("fputs", 1)
      .Case("fwrite", 3)
      .Default(std::nullopt);
}

/// Whether a number may be an address: it was made of a pointer, or is of what has room for one and is not seen to be
/// made of anything else.
static bool mayBeAddress(const Value *number) {
  SmallSetVector<const Value *, 16> parts;
  parts.insert(number);
  for (unsigned i = 0; i < parts.size(); ++i) {
    const Value *part = parts[i];
    if (isa<PtrToIntInst>(part))
      return true;
    bool isComputed = isa<Instruction>(part) && !isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(part) &&
                      (!isa<CallBase>(part) || isa<IntrinsicInst>(part));
    uint64_t bits = part->getType()->getPrimitiveSizeInBits(); // 0: several
    if (!isComputed && !isa<Constant>(part) && (bits == 0 || bits >= 64))
      return true;
    if (isComputed && !isa<CmpInst>(part))
      for (const Use &operand : cast<Instruction>(part)->operands())
        parts.insert(operand);
  }
  return false;
}

/// Locals that the host gets a pointer to, or may find one to in memory: those that are stored, or made numbers,
/// anywhere. What is freed is no local, and nobody looks for any in it.
bool HostCalls::findShared(const SmallVectorImpl<CallBase *> &calls) {
  bool canMove = true, getsPointers = false;
  auto thatLook =
      make_filter_range(calls, [](const CallBase *call) { return kindOf(*call) == abi::HostFunction::Thunk; });
  for (CallBase *call : thatLook)
    for (auto [i, argument] : enumerate(call->args()))
      if (!argument->getType()->isPointerTy()) {
        getsPointers |= known.lookup(hostCallKey(*call)) && mayBeAddress(argument);
      } else if (i != streamOf(*call)) {
        getsPointers |= !isText(argument);
        canMove &= addOrigins(argument);
      }
  if (!getsPointers)
    return true;
  auto ofTasks = make_filter_range(program, [](const Function &function) { return !isOfRuntime(function); });
  for (Function &function : ofTasks)
    for (Instruction &inst : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&inst); local && PointerMayBeCaptured(local, /*ReturnCaptures=*/true)) {
        canMove &= isMovable(*local);
        shared.insert(local);
      }
  return canMove;
}

/// Gives a local a place in the host's memory as long as its function runs.
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

//===-- Calls ---------------------------------------------------------------------------------------------------===//

static Value *toWord(IRBuilder<> &builder, Value *value) {
  if (value->getType()->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  Value *bits = builder.CreateBitCast(value, builder.getIntNTy(unsigned(value->getType()->getPrimitiveSizeInBits())));
  return builder.CreateZExt(bits, builder.getInt64Ty());
}

static Value *fromWord(IRBuilder<> &builder, Value *word, Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(word, type);
  return builder.CreateBitCast(builder.CreateTrunc(word, builder.getIntNTy(unsigned(type->getPrimitiveSizeInBits()))), type);
}

void HostCalls::lowerCall(CallBase &call) {
  Type *word = Type::getInt64Ty(program.getContext()), *generic = PointerType::get(program.getContext(), 0);
  GlobalVariable *slot = addressSlotOf(program, hostCallKey(call));
  if (calleeOf(call)->hasExternalWeakLinkage()) { // the thunk is there
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

/// What could have been inlined of functions that are defined elsewhere.
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
  if (!findShared(calls))
    return;
  for (AllocaInst *local : shared)
    share(*local);
  for (CallBase *call : calls) {
    if (standsFor(*call->getFunction()).empty()) // else it is not known who calls
      report(*call);
    lowerCall(*call);
  }
}
