// Leaves a call of a hook (cilk2gpu/abi/RaceHooks.h) at each access that may race:
//
//   store i32 %v, ptr %p  ->  call @__cilk2gpu_race_write4(%p, @access); store i32 %v, ptr %p
//
// Runs on optimised code, where an access that is left is an access that the strand makes. Hooks of strands are calls
// of unknown functions, so no access has moved from one strand to another. Accesses of locals whose address does not
// escape have no hook.
#include "InstrumentPasses.h"
#include "LibraryEffects.h"
#include "RaceNames.h"
#include "Sites.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/abi/RaceHooks.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Instruments one function.
class AccessInserter {
public:
  AccessInserter(Function &function, Sites &sites)
      : function(function), module(*function.getParent()), layout(module.getDataLayout()), sites(sites),
        context(function.getContext()) {}

  void run();

private:
  /// A load or a store that gets a hook.
  struct Access {
    Instruction *inst;
    Value *address;
    uint64_t size;
    bool writes;
  };

  bool mayRace(Value *address);
  void collect(BasicBlock &block);
  void add(Instruction &inst, Value *address, Type *type, bool writes);
  void instrument(const Access &access);
  void instrumentAtomic(Instruction &inst, Value *address, Type *type, bool writes);
  void instrumentBlocks(MemIntrinsic &inst);
  void instrumentCall(CallBase &call);
  void instrumentEffect(CallBase &call, const LibraryEffect &effect, StringRef name);
  void markByValue();
  void markInlined();
  void range(IRBuilder<> &builder, Value *address, Value *size, unsigned how, Constant *record);
  Constant *record(Instruction &inst, unsigned kind, StringRef variable);
  FunctionCallee hook(StringRef name, ArrayRef<Type *> parameters);
  void resumeAtPad(InvokeInst &invoke);
  void instrumentOrder(IRBuilder<> &builder, CallBase &call, LibraryEffect::Extent kind, Value *lock);
  /// Returns the address that stands for the lock of all inlets.
  Value *inletLock() {
    return module.getOrInsertFunction(kBeginInlet, FunctionType::get(Type::getVoidTy(context), false)).getCallee();
  }
  Instruction *behind(CallBase &call);

  Function &function;
  Module &module;
  const DataLayout &layout;
  Sites &sites;
  LLVMContext &context;
  DenseMap<const AllocaInst *, bool> escapes;
  std::vector<Access> accesses;
  SmallVector<Instruction *> others;
  /// The last access of each address in the block since the last call, by its index in `accesses`.
  DenseMap<Value *, size_t> recent;
};

} // namespace

/// Returns true if no two tasks can access the memory in a way that counts.
bool AccessInserter::mayRace(Value *address) {
  if (address->getType()->getPointerAddressSpace() != 0)
    return false;
  Value *object = getUnderlyingObject(address);
  if (auto *local = dyn_cast<AllocaInst>(object)) {
    auto [it, isNew] = escapes.try_emplace(local, false);
    if (isNew)
      it->second = PointerMayBeCaptured(local, /*ReturnCaptures=*/true);
    return it->second;
  }
  auto *global = dyn_cast<GlobalVariable>(object);
  return !global || (!global->isConstant() && !global->getName().starts_with("__llvm") &&
                     !global->getName().starts_with("__prof"));
}

void AccessInserter::add(Instruction &inst, Value *address, Type *type, bool writes) {
  TypeSize size = layout.getTypeStoreSize(type);
  if (size.isScalable() || size.isZero() || inst.hasMetadata(LLVMContext::MD_invariant_load) || !mayRace(address))
    return;
  auto [it, isNew] = recent.try_emplace(address, accesses.size());
  if (!isNew) {
    Access &last = accesses[it->second];
    bool isCovered = last.size >= size.getFixedValue() && (last.writes || !writes);
    if (isCovered)
      return;
    // x += y: the write stands for the read. On different lines, reports need both.
    const DebugLoc &old = last.inst->getDebugLoc(), &now = inst.getDebugLoc();
    if (last.size == size.getFixedValue() && old && now && old.getLine() == now.getLine()) {
      last = {&inst, address, size.getFixedValue(), writes};
      return;
    }
    it->second = accesses.size();
  }
  accesses.push_back({&inst, address, size.getFixedValue(), writes});
}

void AccessInserter::collect(BasicBlock &block) {
  recent.clear();
  for (Instruction &inst : block) {
    if (auto *load = dyn_cast<LoadInst>(&inst); load && !load->isAtomic()) {
      add(inst, load->getPointerOperand(), load->getType(), /*writes=*/false);
    } else if (auto *store = dyn_cast<StoreInst>(&inst); store && !store->isAtomic()) {
      add(inst, store->getPointerOperand(), store->getValueOperand()->getType(), /*writes=*/true);
    } else if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, MemIntrinsic>(inst)) {
      others.push_back(&inst);
    } else if (auto *call = dyn_cast<CallBase>(&inst); call && !isa<IntrinsicInst>(call)) {
      others.push_back(&inst);
      recent.clear(); // the call may begin or end a strand
    }
  }
}

FunctionCallee AccessInserter::hook(StringRef name, ArrayRef<Type *> parameters) {
  FunctionCallee callee = module.getOrInsertFunction(
      ("__cilk2gpu_race_" + name).str(), FunctionType::get(Type::getVoidTy(context), parameters, /*isVarArg=*/false));
  if (auto *declaration = dyn_cast<Function>(callee.getCallee()))
    declaration->setDoesNotThrow();
  return callee;
}

/// Makes the record of Cilk2gpuAccess.
Constant *AccessInserter::record(Instruction &inst, unsigned kind, StringRef variable) {
  std::optional<Sites::Place> place = placeOfAccess(inst);
  return sites.makeAccess(place ? *place : sites.placeOf(function, inst.getDebugLoc()), kind, variable);
}

static void giveLocation(IRBuilder<> &builder, Function &function) {
  if (!builder.getCurrentDebugLocation() && function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(function.getContext(), 0, 0, function.getSubprogram()));
}

void AccessInserter::range(IRBuilder<> &builder, Value *address, Value *size, unsigned how, Constant *record) {
  Type *pointer = builder.getPtrTy(), *i64 = builder.getInt64Ty(), *i32 = builder.getInt32Ty();
  builder.CreateCall(hook("range", {pointer, i64, i32, pointer}),
                     {address, builder.CreateZExtOrTrunc(size, i64), builder.getInt32(how), record});
}

void AccessInserter::instrument(const Access &access) {
  IRBuilder<> builder(access.inst);
  giveLocation(builder, function);
  Constant *place = record(*access.inst, kCilk2gpuPlainAccess, nameOfAccess(*access.inst));
  if (access.size > 8 || !isPowerOf2_64(access.size))
    return range(builder, access.address, builder.getInt64(access.size),
                 access.writes ? kCilk2gpuWrites : kCilk2gpuReads, place);
  std::string name = (access.writes ? "write" : "read") + std::to_string(access.size);
  builder.CreateCall(hook(name, {builder.getPtrTy(), builder.getPtrTy()}), {access.address, place});
}

void AccessInserter::instrumentAtomic(Instruction &inst, Value *address, Type *type, bool writes) {
  if (!mayRace(address))
    return;
  IRBuilder<> builder(&inst);
  giveLocation(builder, function);
  range(builder, address, builder.getInt64(layout.getTypeStoreSize(type)),
        kCilk2gpuAtomic | (writes ? kCilk2gpuWrites : kCilk2gpuReads),
        record(inst, kCilk2gpuPlainAccess, nameOfAccess(inst)));
}

void AccessInserter::instrumentBlocks(MemIntrinsic &inst) {
  IRBuilder<> builder(&inst);
  giveLocation(builder, function);
  auto *transfer = dyn_cast<MemTransferInst>(&inst);
  StringRef name = !transfer ? "memset" : isa<MemMoveInst>(inst) ? "memmove" : "memcpy";
  if (transfer && mayRace(transfer->getSource()))
    range(builder, transfer->getSource(), inst.getLength(), kCilk2gpuReads, record(inst, kCilk2gpuLibraryAccess, name));
  if (!mayRace(inst.getDest()))
    return;
  std::string variable = nameOfAccess(inst);
  range(builder, inst.getDest(), inst.getLength(), kCilk2gpuWrites,
        variable.empty() ? record(inst, kCilk2gpuLibraryAccess, name) : record(inst, kCilk2gpuPlainAccess, variable));
}

/// Returns the instruction that runs when the call has returned.
Instruction *AccessInserter::behind(CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke)
    return call.getNextNode();
  BasicBlock *next = invoke->getNormalDest();
  if (!next->getSinglePredecessor())
    next = SplitEdge(invoke->getParent(), next);
  return &*next->getFirstInsertionPt();
}

/// Returns the length of the text of a number, with white space in front of it and the byte behind it.
static Value *lengthOfNumber(IRBuilder<> &builder, Value *text) {
  Type *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee span = module.getOrInsertFunction("strspn", i64, pointer, pointer);
  Value *space = builder.CreateCall(span, {text, builder.CreateGlobalString(" \t\n\v\f\r")});
  Value *digits = builder.CreateCall(span, {builder.CreateGEP(builder.getInt8Ty(), text, space),
                                            builder.CreateGlobalString("+-.0123456789abcdefABCDEFxXpPinftyINFTY")});
  return builder.CreateAdd(builder.CreateAdd(space, digits), builder.getInt64(1));
}

/// Returns the bytes that a search has read. The text ends only if the search has not found anything.
static Value *lengthOfSearch(IRBuilder<> &builder, CallBase &call, Value *text, Value *most) {
  Type *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Value *one = builder.getInt64(1), *isFound = builder.CreateIsNotNull(&call);
  Value *found =
      builder.CreateAdd(builder.CreateSub(builder.CreatePtrToInt(&call, i64), builder.CreatePtrToInt(text, i64)), one);
  if (!most) {
    FunctionCallee length = call.getModule()->getOrInsertFunction("strlen", i64, pointer);
    Value *searched = builder.CreateSelect(isFound, builder.CreateGlobalString(""), text);
    most = builder.CreateAdd(builder.CreateCall(length, {searched}), one);
  }
  return builder.CreateSelect(isFound, found, most);
}

/// Returns the bytes of an access whose size depends on memory, or on the result of the call.
static Value *limitedSize(IRBuilder<> &builder, CallBase &call, const LibraryEffect &effect) {
  Type *i64 = builder.getInt64Ty();
  Value *one = builder.getInt64(1), *zero = builder.getInt64(0);
  auto argument = [&] { return builder.CreateZExtOrTrunc(call.getArgOperand(effect.first), i64); };
  auto least = [&](Value *a, Value *b) { return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b); };
  Value *address = call.getArgOperand(effect.parameter);
  if (effect.extent == LibraryEffect::Found)
    return lengthOfSearch(builder, call, address, effect.first >= 0 ? argument() : nullptr);
  if (effect.extent == LibraryEffect::Number)
    return lengthOfNumber(builder, address);
  if (effect.extent == LibraryEffect::Pointer)
    return builder.CreateSelect(builder.CreateIsNull(address), zero,
                                builder.getInt64(call.getDataLayout().getPointerSize()));
  if (effect.extent == LibraryEffect::TextWithin) {
    FunctionCallee length = call.getModule()->getOrInsertFunction("strnlen", i64, builder.getPtrTy(), i64);
    Value *most = argument();
    Value *text = builder.CreateCall(length, {address, most});
    return least(builder.CreateAdd(text, one), most);
  }
  Value *result = builder.CreateSExtOrTrunc(&call, i64);
  if (effect.extent == LibraryEffect::Printed)
    return least(builder.CreateSelect(builder.CreateICmpSLT(result, zero), zero, builder.CreateAdd(result, one)),
                 argument());
  Value *count = builder.CreateBinaryIntrinsic(Intrinsic::smax, result, zero);
  return effect.first >= 0 ? builder.CreateMul(count, argument()) : count;
}

/// Resumes checking where an exception leaves a call.
void AccessInserter::resumeAtPad(InvokeInst &invoke) {
  SmallVector<BasicBlock *, 2> pads;
  BasicBlock *pad = invoke.getUnwindDest();
  if (pad->getSinglePredecessor())
    pads.push_back(pad);
  else
    SplitLandingPadPredecessors(pad, invoke.getParent(), ".once", ".others", pads);
  IRBuilder<> builder(&*pads.front()->getFirstInsertionPt());
  giveLocation(builder, function);
  builder.CreateCall(hook("resume", {}), {});
}

/// Calls the hooks of a function that takes or releases a lock, or initialises something once.
void AccessInserter::instrumentOrder(IRBuilder<> &builder, CallBase &call, LibraryEffect::Extent kind, Value *lock) {
  using Effect = LibraryEffect;
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  switch (kind) {
  case Effect::Lock: {
    Value *result =
        call.getType()->isIntegerTy() ? builder.CreateZExtOrTrunc(&call, i32) : cast<Value>(builder.getInt32(0));
    builder.CreateCall(hook("locked", {pointer, i32}), {lock, result});
    return;
  }
  case Effect::Unlock:
    builder.CreateCall(hook("unlock", {pointer}), {lock});
    return;
  case Effect::GuardBegin:
    builder.CreateCall(hook("pause", {i32}), {builder.CreateZExtOrTrunc(&call, i32)});
    return;
  case Effect::Once: {
    builder.CreateCall(hook("pause", {i32}), {builder.getInt32(1)});
    builder.SetInsertPoint(behind(call));
    giveLocation(builder, function);
    builder.CreateCall(hook("resume", {}), {});
    if (auto *invoke = dyn_cast<InvokeInst>(&call))
      resumeAtPad(*invoke);
    return;
  }
  case Effect::GuardEnd:
    builder.CreateCall(hook("resume", {}), {});
    return;
  default:
    llvm_unreachable("an access, not an order");
  }
}

void AccessInserter::instrumentEffect(CallBase &call, const LibraryEffect &effect, StringRef name) {
  using Effect = LibraryEffect;
  Value *address = effect.parameter == Effect::kInletLock ? inletLock() : call.getArgOperand(effect.parameter);
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  bool needsResult = is_contained({Effect::Result, Effect::Printed}, effect.extent);
  if (address->getType() != pointer || (needsResult && !call.getType()->isIntegerTy()))
    return;
  bool isLater = is_contained(
      {Effect::Lock, Effect::TextAfter, Effect::Found, Effect::Result, Effect::Printed, Effect::GuardBegin},
      effect.extent);
  bool isAccess =
      !is_contained({Effect::Lock, Effect::Unlock, Effect::GuardBegin, Effect::GuardEnd, Effect::Once}, effect.extent);
  if (isAccess && !mayRace(address))
    return;
  IRBuilder<> builder(isLater ? behind(call) : &call);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  giveLocation(builder, function);
  Value *how = builder.getInt32(effect.writes ? kCilk2gpuWrites : kCilk2gpuReads);
  auto size = [&](int index) { return builder.CreateZExtOrTrunc(call.getArgOperand(index), builder.getInt64Ty()); };
  switch (effect.extent) {
  case Effect::Bytes:
    return range(builder, address, size(effect.first), effect.writes ? kCilk2gpuWrites : kCilk2gpuReads,
                 record(call, kCilk2gpuLibraryAccess, name));
  case Effect::Product:
    return range(builder, address, builder.CreateMul(size(effect.first), size(effect.second)),
                 effect.writes ? kCilk2gpuWrites : kCilk2gpuReads, record(call, kCilk2gpuLibraryAccess, name));
  case Effect::TextWithin:
  case Effect::Found:
  case Effect::Number:
  case Effect::Pointer:
  case Effect::Result:
  case Effect::Printed:
    return range(builder, address, limitedSize(builder, call, effect), effect.writes ? kCilk2gpuWrites : kCilk2gpuReads,
                 record(call, kCilk2gpuLibraryAccess, name));
  case Effect::Text:
  case Effect::TextAfter: {
    Value *measured = effect.first >= 0 ? call.getArgOperand(effect.first)
                                        : cast<Value>(ConstantPointerNull::get(cast<PointerType>(pointer)));
    builder.CreateCall(hook("text", {pointer, pointer, i32, pointer}),
                       {address, measured, how, record(call, kCilk2gpuLibraryAccess, name)});
    return;
  }
  case Effect::Block:
    builder.CreateCall(hook("free", {pointer, pointer}), {address, record(call, kCilk2gpuFreeAccess, "")});
    return;
  case Effect::Lock:
  case Effect::Unlock:
  case Effect::GuardBegin:
  case Effect::Once:
  case Effect::GuardEnd:
    return instrumentOrder(builder, call, effect.extent, address);
  }
}

/// Returns the place where the parent copies an argument for `call`: in front of the hook, if the call is spawned.
static Instruction *placeOfCopy(CallBase &call, Value *argument) {
  for (Instruction *inst = call.getPrevNode(); inst && inst != argument; inst = inst->getPrevNode()) {
    auto *before = dyn_cast<CallBase>(inst);
    if (!before || isa<IntrinsicInst>(before))
      continue;
    Function *callee = before->getCalledFunction();
    return callee && callee->getName() == "__cilk2gpu_strand_spawn" ? before : &call;
  }
  return &call;
}

namespace {
/// A function that runs code in an order that the detector does not know.
struct Unchecked {
  StringLiteral function; ///< the beginning of its name
  StringLiteral what;
};
} // namespace

static constexpr StringLiteral kBlocks = "blocks of a dependency graph";
static constexpr Unchecked kUnchecked[] = {
    {kDependAddInElision, "tasks of #pragma cilk depend"},
    {"wf_launch_graph", kBlocks},
    {"_ZN2wf6detail10launchGridE", kBlocks},
    {"_ZN2wf6detail12launchArraysE", kBlocks},
};

void AccessInserter::instrumentCall(CallBase &call) {
  IRBuilder<> builder(&call);
  giveLocation(builder, function);
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.isByValArgument(i) && mayRace(call.getArgOperand(i))) {
      builder.SetInsertPoint(placeOfCopy(call, call.getArgOperand(i)));
      giveLocation(builder, function);
      range(builder, call.getArgOperand(i), builder.getInt64(layout.getTypeAllocSize(call.getParamByValType(i))),
            kCilk2gpuReads, record(call, kCilk2gpuPlainAccess, ""));
      builder.SetInsertPoint(&call);
    }
  auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (!callee || !callee->isDeclaration())
    return;
  for (const Unchecked &unchecked : kUnchecked)
    if (callee->getName().starts_with(unchecked.function)) {
      builder.CreateCall(hook("unchecked", {builder.getPtrTy()}), {record(call, kCilk2gpuPlainAccess, unchecked.what)});
      return;
    }
  for (const LibraryEffect &effect : libraryEffects(callee->getName()))
    if ((effect.parameter == LibraryEffect::kInletLock || effect.parameter < call.arg_size()) &&
        int(call.arg_size()) > std::max(effect.first, effect.second))
      instrumentEffect(call, effect, callee->getName());
}

/// Marks parameters that are passed by value in memory. The memory had other uses before.
void AccessInserter::markByValue() {
  for (Argument &argument : function.args())
    if (argument.hasByValAttr()) {
      IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      giveLocation(builder, function);
      builder.CreateCall(hook("local", {builder.getPtrTy(), builder.getInt64Ty()}),
                         {&argument, builder.getInt64(layout.getTypeAllocSize(argument.getParamByValType()))});
    }
}

/// Returns true if other functions may access the local, even if none keeps its address.
static bool isPassedOn(Instruction &address) {
  return any_of(address.users(), [&](User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() == &address;
    if (isa<LoadInst, MemIntrinsic>(user))
      return false;
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(user))
      return !intrinsic->isLifetimeStartOrEnd();
    auto *part = dyn_cast<GetElementPtrInst>(user);
    return !part || isPassedOn(*part);
  });
}

/// Marks locals of functions that were inlined. Until then, the end of the frame ended their lives.
void AccessInserter::markInlined() {
  SmallVector<std::pair<IntrinsicInst *, AllocaInst *>> starts;
  for (Instruction &inst : instructions(function))
    if (auto *start = dyn_cast<IntrinsicInst>(&inst); start && start->getIntrinsicID() == Intrinsic::lifetime_start)
      if (auto *local = dyn_cast<AllocaInst>(start->getArgOperand(0)); local && isPassedOn(*local))
        starts.emplace_back(start, local);
  for (auto [start, local] : starts) {
    std::optional<TypeSize> size = local->getAllocationSize(layout);
    auto *next = dyn_cast<CallInst>(start->getNextNode());
    bool isMarked = next && next->arg_size() && next->getArgOperand(0) == local && next->getCalledFunction() &&
                    next->getCalledFunction()->getName() == "__cilk2gpu_race_local";
    if (isMarked || !size || size->isScalable())
      continue;
    IRBuilder<> builder(start->getNextNode());
    giveLocation(builder, function);
    builder.CreateCall(hook("local", {builder.getPtrTy(), builder.getInt64Ty()}),
                       {local, builder.getInt64(size->getFixedValue())});
  }
}

void AccessInserter::run() {
  dropSeparators(function);
  for (BasicBlock &block : function)
    collect(block);
  for (const Access &access : accesses)
    instrument(access);
  for (Instruction *inst : others) {
    if (auto *load = dyn_cast<LoadInst>(inst))
      instrumentAtomic(*inst, load->getPointerOperand(), load->getType(), /*writes=*/false);
    else if (auto *store = dyn_cast<StoreInst>(inst))
      instrumentAtomic(*inst, store->getPointerOperand(), store->getValueOperand()->getType(), /*writes=*/true);
    else if (auto *change = dyn_cast<AtomicRMWInst>(inst))
      instrumentAtomic(*inst, change->getPointerOperand(), change->getType(), /*writes=*/true);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(inst))
      instrumentAtomic(*inst, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), /*writes=*/true);
    else if (auto *blocks = dyn_cast<MemIntrinsic>(inst))
      instrumentBlocks(*blocks);
    else
      instrumentCall(cast<CallBase>(*inst));
  }
  markByValue();
  markInlined();
  function.removeFnAttr(Attribute::SanitizeThread);
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree,
                                   Attribute::NoCallback, Attribute::Speculatable})
    function.removeFnAttr(kind);
}

PreservedAnalyses RaceAccessesPass::run(Module &module, ModuleAnalysisManager &) {
  // Clang may register the passes twice.
  if (module.getNamedMetadata("cilk2gpu.races"))
    return PreservedAnalyses::all();
  module.getOrInsertNamedMetadata("cilk2gpu.races");
  Sites sites(module);
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclarationForLinker() && !function.hasFnAttribute(Attribute::Naked))
      functions.push_back(&function);
  for (Function *function : functions)
    AccessInserter(*function, sites).run();
  return PreservedAnalyses::none();
}
