// See Retarget.h.
#include "Retarget.h"
#include "HostLayout.h"
#include "PersistentKernel.h"
#include "StackChecks.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/abi/BlockImage.h"
#include "cilk2gpu/abi/GraphLanes.h"
#include "cilk2gpu/abi/Requests.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace cilk2gpu;

//===-- Functions -------------------------------------------------------------------------------------------------===//

/// Drops attributes for the host's code generator, and marks the function as one in which lanes may act together.
static void setAttributes(Function &function) {
  AttributeMask host;
  for (Attribute attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute() && attribute.getKindAsString() != kDeviceKernelAttr &&
        attribute.getKindAsString() != kDeviceElidesAttr && attribute.getKindAsString() != kPointedAtAttr &&
        attribute.getKindAsString() != kGraphKernelAttr && attribute.getKindAsString() != kBlockCallAttr)
      host.addAttribute(attribute.getKindAsString());
  for (Attribute::AttrKind kind :
       {Attribute::UWTable, Attribute::StackProtect, Attribute::StackProtectStrong, Attribute::StackProtectReq,
        Attribute::SafeStack, Attribute::SanitizeAddress, Attribute::SanitizeThread, Attribute::NonLazyBind})
    host.addAttribute(kind);
  function.removeFnAttrs(host);
  if (function.isIntrinsic())
    return;
  function.addFnAttr(Attribute::Convergent);
  function.addFnAttr(Attribute::NoUnwind);
  function.setCallingConv(CallingConv::C);
  function.setDSOLocal(true);
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  function.setSection("");
  for (Argument &argument : function.args())
    argument.removeAttr(Attribute::StructRet);
}

/// Removes unwinding, which a GPU lacks. A throw is refused as a call of the C++ library.
static void dropUnwinding(Function &function) {
  for (BasicBlock &block : function)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()))
      changeToCall(invoke);
  if (function.hasPersonalityFn())
    function.setPersonalityFn(nullptr);
  removeUnreachableBlocks(function);
}

/// Makes a callee copy its by-value arguments itself, because targets disagree about where these arguments live.
static void copyByValue(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (Argument &argument : function.args()) {
    Type *type = argument.getParamByValType();
    if (!type)
      continue;
    Align align = std::max(argument.getParamAlign().valueOrOne(), layout.getPrefTypeAlign(type));
    AllocaInst *copy = builder.CreateAlloca(type);
    copy->setAlignment(align);
    Value *generic = builder.CreateAddrSpaceCast(copy, argument.getType());
    argument.replaceAllUsesWith(generic);
    builder.CreateMemCpy(generic, align, &argument, argument.getParamAlign().valueOrOne(),
                         layout.getTypeAllocSize(type));
  }
}

/// Turns a tail call that must be one (musttail) into one that may be, if it passes no address in the caller's frame. A
/// recursion then becomes a loop.
static void relaxTailCall(CallInst &call) {
  bool copies = any_of(call.getFunction()->args(), [](const Argument &argument) { return argument.hasByValAttr(); });
  bool isMust = call.isMustTailCall();
  if (isMust)
    call.addFnAttr(Attribute::get(call.getContext(), kMustTailAttr));
  call.setTailCallKind(isMust && !copies ? CallInst::TCK_Tail : CallInst::TCK_None);
}

static void dropPassingAttributes(Module &program) {
  auto drop = [](auto &where, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      for (Attribute::AttrKind kind :
           {Attribute::ByVal, Attribute::StructRet, Attribute::InAlloca, Attribute::Nest, Attribute::InReg})
        where.removeParamAttr(i, kind);
  };
  for (Function &function : program)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst))
        relaxTailCall(*call);
  for (Function &function : program) {
    if (!function.isIntrinsic())
      drop(function, function.arg_size());
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst)) {
        drop(*call, call->arg_size());
        call->setCallingConv(CallingConv::C);
      }
  }
}

/// Saves or restores the stack in the target's address space; the saved pointer stays generic.
static void moveStackPointer(IntrinsicInst &inst, unsigned space) {
  IRBuilder<> builder(&inst);
  PointerType *stack = builder.getPtrTy(space);
  if (inst.getIntrinsicID() == Intrinsic::stacksave) {
    Value *saved = builder.CreateIntrinsic(Intrinsic::stacksave, {stack}, {});
    inst.replaceAllUsesWith(builder.CreateAddrSpaceCast(saved, inst.getType()));
  } else {
    Value *saved = builder.CreateAddrSpaceCast(inst.getArgOperand(0), stack);
    builder.CreateIntrinsic(Intrinsic::stackrestore, {stack}, {saved});
  }
  inst.eraseFromParent();
}

/// Moves locals to private memory, which has an address space of its own on AMD's targets. Drops their lifetimes.
static void moveLocals(Function &function, unsigned space) {
  SmallVector<AllocaInst *> locals;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    if (auto *local = dyn_cast<AllocaInst>(&inst))
      locals.push_back(local);
    else if (intrinsic && intrinsic->isLifetimeStartOrEnd())
      intrinsic->eraseFromParent();
    else if (intrinsic && space &&
             is_contained({Intrinsic::stacksave, Intrinsic::stackrestore}, intrinsic->getIntrinsicID()))
      moveStackPointer(*intrinsic, space);
  }
  for (AllocaInst *local : locals) {
    if (local->getAddressSpace() == space)
      continue;
    IRBuilder<> builder(local);
    auto *moved = new AllocaInst(local->getAllocatedType(), space, local->getArraySize(), local->getAlign(),
                                 local->getName(), local->getIterator());
    moved->setDebugLoc(local->getDebugLoc());
    local->replaceAllUsesWith(builder.CreateAddrSpaceCast(moved, local->getType()));
    local->eraseFromParent();
  }
}

/// Replaces aliases of variables by the variables. Only the host defines the variables, but an alias needs a
/// definition.
static void resolveAliases(Module &program) {
  for (GlobalAlias &alias : make_early_inc_range(program.aliases()))
    if (isa_and_nonnull<GlobalVariable>(alias.getAliaseeObject())) {
      alias.replaceAllUsesWith(alias.getAliasee());
      alias.eraseFromParent();
    }
}

void cilk2gpu::retarget(Module &program, const DeviceTarget &target, const DataLayout &layout) {
  resolveAliases(program);
  for (Function &function : program)
    if (!function.isDeclaration())
      copyByValue(function);
  keepHostLayout(program, layout);
  program.setTargetTriple(target.triple);
  program.setDataLayout(layout);
  stripNonLineTableDebugInfo(program);
  if (NamedMDNode *flags = program.getModuleFlagsMetadata())
    flags->eraseFromParent();
  program.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  // The oldest sufficient version is used, because drivers do not load newer versions than they know.
  if (target.isAMD())
    program.addModuleFlag(Module::Error, "amdhsa_code_object_version", target.amd->isGeneric() ? 600 : 500);
  for (Function &function : program) {
    setAttributes(function);
    if (function.isDeclaration())
      continue;
    dropUnwinding(function);
    moveLocals(function, layout.getAllocaAddrSpace());
  }
  dropPassingAttributes(program);
  // The host's code may write to any variable, so a device module must not rely on its contents.
  for (GlobalVariable &variable : program.globals())
    if (!variable.isConstant() && !variable.getName().starts_with("llvm.")) {
      variable.setInitializer(nullptr);
      if (!variable.hasExternalWeakLinkage()) // the host may lack the variable
        variable.setLinkage(GlobalValue::ExternalLinkage);
      variable.setDSOLocal(true);
    }
}

static constexpr char kSharedMark[] = "__cilk2gpu_device_global";

void cilk2gpu::keepSharedMarks(Module &program) {
  Function *mark = program.getFunction(kSharedMark);
  if (!mark)
    return;
  mark->removeFnAttr(Attribute::Convergent);
  for (Attribute::AttrKind kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::Speculatable, Attribute::NoSync, Attribute::NoFree})
    mark->addFnAttr(kind);
  mark->setDoesNotAccessMemory();
}

/// Copies of memory of which an end is in memory that all lanes share, with these ends, the destination first. They are
/// replaced after the walk over uses, because both ends of a copy may be uses of one pointer.
using SharedCopies = MapVector<MemCpyInst *, std::array<Value *, 2>>;

/// Turns accesses through `old` into accesses through `shared`, the same pointer to global memory. Other uses keep the
/// generic pointer.
static void accessThrough(Value *old, Value *shared, SharedCopies &copies) {
  for (Use &use : make_early_inc_range(old->uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (isa_and_nonnull<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(user) && use.getOperandNo() == 0) {
      use.set(shared);
    } else if (isa_and_nonnull<StoreInst>(user) && use.getOperandNo() == StoreInst::getPointerOperandIndex()) {
      use.set(shared);
    } else if (auto *address = dyn_cast_or_null<GetElementPtrInst>(user); address && use.getOperandNo() == 0) {
      Instruction *moved =
          GetElementPtrInst::Create(address->getSourceElementType(), shared, SmallVector<Value *>(address->indices()),
                                    address->getNoWrapFlags(), address->getName(), address->getIterator());
      accessThrough(address, moved, copies);
    } else if (auto *copy = dyn_cast_or_null<MemCpyInst>(user); copy && !copy->isVolatile() && use.getOperandNo() < 2) {
      auto &ends = copies.insert({copy, {copy->getRawDest(), copy->getRawSource()}}).first->second;
      ends[use.getOperandNo()] = shared;
    }
  }
}

static void replaceCopies(const SharedCopies &copies) {
  for (auto &[copy, ends] : copies) {
    IRBuilder<> builder(copy);
    builder.CreateMemCpy(ends[0], copy->getDestAlign(), ends[1], copy->getSourceAlign(), copy->getLength());
    copy->eraseFromParent();
  }
}

void cilk2gpu::lowerSharedMarks(Module &program) {
  Function *mark = program.getFunction(kSharedMark);
  if (!mark)
    return;
  Type *global = PointerType::get(program.getContext(), kGlobalSpace);
  SharedCopies copies;
  for (User *user : mark->users()) {
    auto *call = cast<CallInst>(user);
    accessThrough(call, new AddrSpaceCastInst(call->getArgOperand(0), global, "", call->getIterator()), copies);
  }
  replaceCopies(copies);
  for (User *user : make_early_inc_range(mark->users())) {
    auto *call = cast<CallInst>(user);
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  mark->eraseFromParent();
}

bool cilk2gpu::isMarkedKernel(const Function &function) {
  return is_contained({CallingConv::AMDGPU_KERNEL, CallingConv::PTX_Kernel}, function.getCallingConv());
}

void cilk2gpu::markKernels(Module &program, const DeviceTarget &target) {
  for (GlobalValue &value : program.global_values()) {
    auto *function = dyn_cast<Function>(&value);
    bool isKernel = function && !function->isDeclaration() && function->hasFnAttribute(kDeviceKernelAttr);
    bool isKept =
        value.getName().starts_with("llvm.") || isForStackChecks(value.getName()) ||
        is_contained({CILK2GPU_REQUESTS_SYMBOL, CILK2GPU_GRAPH_LANES_SYMBOL, abi::kLaneTable, abi::kLaneNames},
                     value.getName());
    if (!value.isDeclarationForLinker() && !isKernel && !isKept)
      value.setLinkage(GlobalValue::InternalLinkage);
    if (!isKernel)
      continue;
    function->removeFnAttr(kDeviceKernelAttr);
    function->setVisibility(target.isAMD() ? GlobalValue::ProtectedVisibility : GlobalValue::DefaultVisibility);
    function->setCallingConv(target.isAMD() ? CallingConv::AMDGPU_KERNEL : CallingConv::PTX_Kernel);
    StringRef most = function->getName() == abi::kBlocksKernel ? "1024" : "256"; // threads of a workgroup
    if (target.isAMD()) {
      function->addFnAttr("amdgpu-flat-work-group-size", ("1," + most).str());
      function->addFnAttr("uniform-work-group-size", "true");
    } else {
      function->addFnAttr("nvvm.maxntid", most);
    }
  }
}

//===-- Variables -------------------------------------------------------------------------------------------------===//

/// Attribute of a variable that only the host has.
static constexpr char kHostsAttr[] = "cilk2gpu-hosts";

/// Turns constant expressions over a variable into instructions, one at each use.
static void expandConstantUses(GlobalValue &value) { convertUsersOfConstantsToInstructions({&value}); }

/// Replaces each use of `value` in a function by the value that `create` builds at that function's beginning.
static void replaceInFunctions(GlobalValue &value, function_ref<Value *(IRBuilder<> &)> create) {
  expandConstantUses(value);
  DenseMap<Function *, Value *> made;
  for (Use &use : make_early_inc_range(value.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    // A direct call needs no address.
    if (auto *call = dyn_cast<CallBase>(user); call && call->isCallee(&use))
      continue;
    Value *&address = made[user->getFunction()];
    if (!address) {
      IRBuilder<> builder(&*user->getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      address = create(builder);
    }
    use.set(address);
  }
}

GlobalVariable *cilk2gpu::addConstant(Module &program, Constant *value, StringRef name) {
  auto *variable = new GlobalVariable(program, value->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                                      value, name, nullptr, GlobalValue::NotThreadLocal, kGlobalSpace);
  variable->setVisibility(GlobalValue::ProtectedVisibility);
  variable->setAlignment(Align(8));
  return variable;
}

/// Attribute of a slot that must be filled. Its value is the name of the variable or function.
static constexpr char kAddressOfAttr[] = "cilk2gpu-address-of";

GlobalVariable *cilk2gpu::addressSlotOf(Module &program, StringRef name, bool isOptional) {
  if (GlobalVariable *slot = program.getNamedGlobal(addressSlot(name)))
    return slot;
  auto *slot =
      new GlobalVariable(program, PointerType::get(program.getContext(), 0), false, GlobalValue::ExternalLinkage,
                         ConstantPointerNull::get(PointerType::get(program.getContext(), 0)), addressSlot(name),
                         nullptr, GlobalValue::NotThreadLocal, kGlobalSpace);
  slot->setExternallyInitialized(true);
  slot->setVisibility(GlobalValue::ProtectedVisibility);
  if (!isOptional)
    slot->addAttribute(kAddressOfAttr, name);
  return slot;
}

std::vector<std::string> cilk2gpu::listAddresses(Module &program) {
  std::string names;
  std::vector<std::string> symbols;
  for (GlobalVariable &variable : program.globals())
    if (variable.hasAttribute(kAddressOfAttr) && !variable.use_empty()) {
      StringRef of = variable.getAttribute(kAddressOfAttr).getValueAsString(), symbol = symbolOf(of);
      names += variable.getName().str() + '\0' + writtenName(of) + '\0';
      if (withoutPrefix(symbol) == symbol && !variable.hasAttribute(kWeakAttr))
        symbols.push_back(symbol.ltrim('\1').str());
    }
  if (!names.empty())
    addConstant(program, ConstantDataArray::getString(program.getContext(), names, /*AddNull=*/false),
                abi::kAddressNames);
  return symbols;
}

/// Returns true if a function's address is taken, other than by the image's table of lanes.
static bool isPointedAtInCode(const Function &function) {
  return function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false, /*IgnoreAssumeLikeCalls=*/false,
                                  /*IgnoreLLVMUsed=*/true) &&
         any_of(function.users(), [](const User *user) {
           auto *table = dyn_cast<ConstantArray>(user);
           return !table || any_of(table->users(), [](const User *user) {
             auto *variable = dyn_cast<GlobalVariable>(user);
             return !variable || variable->getName() != abi::kLaneTable;
           });
         });
}

/// Replaces a variable by a new one in `space`. Every use still has a generic pointer.
static void moveTo(GlobalVariable &variable, unsigned space, bool isCopy) {
  bool isKnown = variable.hasDefinitiveInitializer();
  GlobalValue::LinkageTypes linkage = isCopy                              ? GlobalValue::InternalLinkage
                                      : isKnown                           ? GlobalValue::AvailableExternallyLinkage
                                      : variable.hasExternalWeakLinkage() ? GlobalValue::ExternalWeakLinkage
                                                                          : GlobalValue::ExternalLinkage;
  auto *moved = new GlobalVariable(*variable.getParent(), variable.getValueType(), variable.isConstant(), linkage,
                                   isKnown ? variable.getInitializer() : nullptr, "", &variable,
                                   GlobalValue::NotThreadLocal, space);
  moved->copyAttributesFrom(&variable);
  moved->setSection("");
  moved->takeName(&variable);
  if (!isCopy)
    moved->addAttribute(kHostsAttr);
  variable.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
  variable.eraseFromParent();
}

void cilk2gpu::moveVariables(Module &program, const DeviceTarget &target) {
  SmallVector<std::pair<GlobalVariable *, bool>> variables;
  for (GlobalVariable &variable : program.globals())
    if (!variable.getName().starts_with("llvm.") && variable.getAddressSpace() == 0 && !variable.isThreadLocal())
      variables.emplace_back(&variable, isPrivateConstant(variable));
  for (auto &[variable, isCopy] : variables)
    moveTo(*variable, isCopy && target.isAMD() ? kConstantSpace : kGlobalSpace, isCopy);
}

/// Reads the host's address of a variable or function from its slot. Keeps known facts about the address.
static Value *loadAddress(IRBuilder<> &builder, GlobalValue &value) {
  Module &program = *value.getParent();
  LLVMContext &context = program.getContext();
  LoadInst *address =
      builder.CreateLoad(value.getType(), addressSlotOf(program, value.getName(), value.hasExternalWeakLinkage()));
  address->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  bool canBeNull = false, canBeFreed = false;
  uint64_t bytes = value.getPointerDereferenceableBytes(program.getDataLayout(), canBeNull, canBeFreed);
  if (!isa<GlobalVariable>(value) || !bytes || canBeNull)
    return address;
  auto keep = [&](unsigned kind, uint64_t number) {
    address->setMetadata(kind, MDNode::get(context, ConstantAsMetadata::get(builder.getInt64(number))));
  };
  keep(LLVMContext::MD_dereferenceable, bytes);
  keep(LLVMContext::MD_align, value.getPointerAlignment(program.getDataLayout()).value());
  return address;
}

void cilk2gpu::placeAddresses(Module &program) {
  SmallVector<GlobalValue *> values;
  for (GlobalVariable &variable : program.globals())
    if (variable.hasAttribute(kHostsAttr))
      values.push_back(&variable);
  for (Function &function : program)
    if (!function.isIntrinsic() && isPointedAtInCode(function) && !isOwn(function))
      values.push_back(&function);
  for (GlobalValue *value : values) {
    replaceInFunctions(*value, [&](IRBuilder<> &builder) { return loadAddress(builder, *value); });
    value->removeDeadConstantUsers();
  }
}

//===-- Atomics ---------------------------------------------------------------------------------------------------===//

/// NVIDIA: puts fences around read-modify-writes, because the back end drops their order.
static void fenceUpdate(AtomicRMWInst &update) {
  AtomicOrdering order = update.getOrdering();
  if (!isStrongerThanMonotonic(order))
    return;
  update.setOrdering(AtomicOrdering::Monotonic);
  IRBuilder<> builder(&update);
  bool isSequential = order == AtomicOrdering::SequentiallyConsistent;
  if (isReleaseOrStronger(order))
    builder.CreateFence(isSequential ? order : AtomicOrdering::Release, update.getSyncScopeID());
  builder.SetInsertPoint(update.getNextNode());
  if (isAcquireOrStronger(order))
    builder.CreateFence(isSequential ? order : AtomicOrdering::Acquire, update.getSyncScopeID());
}

/// Returns the order that an operation still needs if a fence in front of it releases.
static AtomicOrdering withoutRelease(AtomicOrdering order) {
  return order == AtomicOrdering::Release          ? AtomicOrdering::Monotonic
         : order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Acquire
                                                   : order;
}

/// Calls `release` to emit a release before a releasing operation, which then needs no release of its own.
static void splitRelease(Instruction &inst, function_ref<void()> release) {
  auto split = [&](AtomicOrdering order, auto set) {
    if (isReleaseOrStronger(order)) {
      release();
      set(withoutRelease(order));
    }
  };
  if (auto *store = dyn_cast<StoreInst>(&inst))
    split(store->getOrdering(), [&](AtomicOrdering order) { store->setOrdering(order); });
  else if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    split(update->getOrdering(), [&](AtomicOrdering order) { update->setOrdering(order); });
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    split(exchange->getSuccessOrdering(), [&](AtomicOrdering order) { exchange->setSuccessOrdering(order); });
}

/// Emits a wait for AMD's instruction that writes back the L2 cache (buffer_wbl2), on GPUs that have it. LLVM 22 does
/// not wait for it if no other access is under way. Adds a wait after a fence, and a fence with a wait before a
/// releasing operation.
static void awaitWriteBack(Instruction &inst) {
  IRBuilder<> builder(&inst);
  constexpr unsigned kAllAccesses = 0xf70; // s_waitcnt vmcnt(0)
  auto wait = [&] { builder.CreateIntrinsic(Intrinsic::amdgcn_s_waitcnt, {builder.getInt32(kAllAccesses)}); };
  if (auto *fence = dyn_cast<FenceInst>(&inst); fence && isReleaseOrStronger(fence->getOrdering())) {
    builder.SetInsertPoint(fence->getNextNode());
    wait();
    return;
  }
  splitRelease(inst, [&] {
    builder.CreateFence(AtomicOrdering::Release, *getAtomicSyncScopeID(&inst));
    wait();
  });
}

/// NVIDIA: keeps subnormal numbers, which only atom.add.f32 treats as zero. A subtraction instead of the addition
/// becomes a loop of compare-and-swap with the arithmetic of ordinary code.
static void keepSubnormals(AtomicRMWInst &update) {
  if (update.getOperation() != AtomicRMWInst::FAdd || !update.getType()->isFloatTy())
    return;
  IRBuilder<> builder(&update);
  update.setOperand(1, builder.CreateFNeg(update.getValOperand()));
  update.setOperation(AtomicRMWInst::FSub);
}

/// NVIDIA: gives an atomic operation a path for local memory, which atomic instructions do not support. For example, a
/// pointer may lead to a variable of a function that runs as its serial elision. There the operation need not be
/// atomic.
static void keepFromLocals(Instruction &inst) {
  const Value *pointer = getLoadStorePointerOperand(&inst);
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    pointer = update->getPointerOperand();
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    pointer = exchange->getPointerOperand();
  auto isGlobal = [](const Value *pointer) { return pointer->getType()->getPointerAddressSpace() != 0; };
  if (!inst.isAtomic() || !pointer || isGlobal(pointer) || isGlobal(getUnderlyingObject(pointer)))
    return;
  IRBuilder<> builder(&inst);
  Value *isLocal = builder.CreateIntrinsic(Intrinsic::nvvm_isspacep_local, {const_cast<Value *>(pointer)});
  Instruction *own = inst.clone(), *whereOwn, *whereShared;
  SplitBlockAndInsertIfThenElse(isLocal, &inst, &whereOwn, &whereShared);
  own->insertBefore(whereOwn->getIterator());
  PHINode *result = nullptr;
  if (!inst.getType()->isVoidTy()) {
    builder.SetInsertPoint(&inst);
    result = builder.CreatePHI(inst.getType(), 2);
    inst.replaceAllUsesWith(result);
    result->addIncoming(own, whereOwn->getParent());
    result->addIncoming(&inst, whereShared->getParent());
  }
  inst.moveBefore(whereShared->getIterator());
  if (auto *load = dyn_cast<LoadInst>(own))
    load->setAtomic(AtomicOrdering::NotAtomic);
  else if (auto *store = dyn_cast<StoreInst>(own))
    store->setAtomic(AtomicOrdering::NotAtomic);
  else if (auto *update = dyn_cast<AtomicRMWInst>(own))
    lowerAtomicRMWInst(update);
  else
    lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(own));
}

static void mendForNvidia(Instruction &inst) {
  keepFromLocals(inst);
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst)) {
    keepSubnormals(*update);
    fenceUpdate(*update);
  } else if (auto *fence = dyn_cast<FenceInst>(&inst); fence && fence->getSyncScopeID() == SyncScope::SingleThread) {
    fence->eraseFromParent(); // orders against a signal handler, and a lane has none
  }
}

void cilk2gpu::mendAtomics(Module &program, const DeviceTarget &target) {
  bool writesBack = target.amd && target.amd->writeBack == target_info::WriteBack::Instruction;
  SmallVector<Instruction *> all; // mending changes the blocks
  for (Function &function : program)
    for (Instruction &inst : instructions(function))
      if (inst.isAtomic())
        all.push_back(&inst);
  for (Instruction *inst : all)
    if (!target.isAMD())
      mendForNvidia(*inst);
    else if (writesBack)
      awaitWriteBack(*inst);
}
