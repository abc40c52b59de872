// Brings marked spawns into normal form (Markers.h): the call, and at most the store of its result. Other work of the
// child after the call (conversions, struct copies, sanitizer checks with their control flow) moves to a task function,
// together with the call. A call through a pointer moves, too, unless the pointer leads to a Cilk function of this
// module.
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/UpdateMarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace cilk2gpu;

static bool isCallOf(Instruction &inst, StringRef name) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

/// Returns true for calls that are added to the user's calls: intrinsics, also outlined ones, reports of sanitizers,
/// and the code for exceptions.
static bool isInserted(CallBase &call) {
  Function *callee = call.getCalledFunction();
  return callee && (callee->isIntrinsic() || callee->getName().starts_with(kOutlinedPrefix) ||
                    callee->getName().starts_with("__ubsan_") || callee->getName() == kOpenSlot ||
                    callee->getName() == kDeferException);
}

namespace {

/// A marked spawn: the child's part runs from `call` up to `end`.
struct Spawn {
  CallInst *begin, *call = nullptr, *end = nullptr;
  CallInst *open = nullptr; ///< in front of a call whose exception the child looks at
  /// Returns the first instruction of the child.
  Instruction *first() const { return open ? open : call; }
  bool hasObjects = false; ///< class objects are constructed before the call, or destroyed after it
};

} // namespace

/// Returns the spawned call among the calls of a spawn with objects: the last call of `target`, or else the last call
/// through a pointer. Constructors of arguments come before it, and only destructors after it.
static CallInst *findSpawned(ArrayRef<CallInst *> calls, Value *target) {
  auto called = [](CallInst *call) { return call->getCalledOperand()->stripPointerCasts(); };
  for (CallInst *call : reverse(calls))
    if (called(call) == target)
      return call;
  for (CallInst *call : reverse(calls))
    if (!isa<Function>(called(call)))
      return call;
  return calls.back();
}

/// Finds the spawned call and the end marker, following control flow from the begin marker.
static bool find(Spawn &spawn) {
  SmallSetVector<BasicBlock *, 8> blocks;
  SmallVector<CallInst *> calls;
  CallInst *callee = nullptr;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end())) {
      if (isCallOf(inst, kSpawnEndMarker) && cast<CallInst>(inst).getArgOperand(0) == spawn.begin->getArgOperand(0)) {
        spawn.end = cast<CallInst>(&inst);
        return;
      }
      auto *call = dyn_cast<CallInst>(&inst);
      if (call && isCallOf(*call, kOpenSlot))
        spawn.open = call;
      if (call && isCallOf(*call, kSpawnCalleeMarker))
        callee = call;
      else if (call && !isInserted(*call))
        calls.push_back(call);
    }
    blocks.insert_range(successors(block));
  };
  scan(std::next(spawn.begin->getIterator()), spawn.begin->getParent());
  for (unsigned i = 0; i < blocks.size(); ++i)
    scan(blocks[i]->begin(), blocks[i]);
  if (!spawn.end || calls.empty())
    return reportError(*spawn.begin,
                       "a spawned call must return, but this one never does; spawn a function that returns"),
           false;
  if (callee) {
    spawn.hasObjects = true;
    spawn.call = findSpawned(calls, callee->getArgOperand(0)->stripPointerCasts());
    callee->eraseFromParent();
    return true;
  }
  if (calls.size() != 1)
    return reportError(
               *calls[1],
               "between a spawn's arguments and its assignment there must be one call, but there is another, for "
               "a conversion or copy; assign to a variable of the function's own result type"),
           false;
  spawn.call = calls.front();
  return true;
}

/// Returns the type of an aggregate that is passed by value as the address of the caller's copy, as on AArch64, or null
/// if argument `arg` is none. The copy must live until the child has run, and the parent may make the next copy before
/// that.
static Type *typeOfCopy(const CallBase &call, unsigned arg) {
  auto *copy = dyn_cast<AllocaInst>(call.getArgOperand(arg)->stripPointerCasts());
  return copy && call.paramHasAttr(arg, Attribute::DeadOnReturn) ? copy->getAllocatedType() : nullptr;
}

static bool passesCopies(const CallBase &call) {
  return any_of(seq(call.arg_size()), [&](unsigned arg) { return typeOfCopy(call, arg) != nullptr; });
}

/// Returns true if only the store of the result to its destination follows the call.
static bool isPlain(const Spawn &spawn) {
  if (spawn.hasObjects || passesCopies(*spawn.call))
    return false;
  Instruction *next = spawn.call->getNextNode();
  if (spawn.call->getParent() != spawn.end->getParent())
    return false;
  if (next == spawn.end)
    return true;
  auto *store = dyn_cast<StoreInst>(next);
  return store && store->getValueOperand() == spawn.call && store->isSimple() && store->getNextNode() == spawn.end &&
         store->getPointerOperand() == spawn.begin->getArgOperand(1)->stripPointerCasts();
}

/// Returns the number of the member of the call's result that `store` writes, if it writes the member at its place in a
/// result at `dest`.
static std::optional<unsigned> memberStored(StoreInst &store, CallInst &call, Value *dest) {
  auto *member = dyn_cast<ExtractValueInst>(store.getValueOperand());
  if (!member || member->getAggregateOperand() != &call || member->getNumIndices() != 1 || !store.isSimple())
    return {};
  const DataLayout &dataLayout = call.getDataLayout();
  APInt offset(dataLayout.getIndexTypeSizeInBits(dest->getType()), 0);
  Value *base =
      store.getPointerOperand()->stripAndAccumulateConstantOffsets(dataLayout, offset, /*AllowNonInbounds=*/true);
  unsigned number = member->getIndices().front();
  uint64_t place = dataLayout.getStructLayout(cast<StructType>(call.getType()))->getElementOffset(number);
  return base == dest && offset == place ? std::optional(number) : std::nullopt;
}

/// Returns true if `inst` stores an unknown value, for example copied padding.
static bool storesNothing(const Instruction &inst) {
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return store->isSimple() && isa<UndefValue>(store->getValueOperand());
  auto *copy = dyn_cast<MemCpyInst>(&inst);
  auto *source = copy && !copy->isVolatile() ? dyn_cast<AllocaInst>(copy->getRawSource()) : nullptr;
  auto isRead = [&](const User *user) {
    auto *other = dyn_cast<MemCpyInst>(user);
    return other && other->getRawSource() == source && other->getRawDest() != source;
  };
  return source && all_of(source->users(), isRead);
}

/// Joins the stores of members of a struct that is returned in registers. If nothing else follows the call, there is
/// one store of the whole struct afterwards.
static void joinMembers(Spawn &spawn) {
  auto *type = dyn_cast<StructType>(spawn.call->getType());
  if (!type || spawn.hasObjects || spawn.call->getParent() != spawn.end->getParent())
    return;
  Value *dest = spawn.begin->getArgOperand(1)->stripPointerCasts();
  SmallVector<Instruction *> part;
  SmallBitVector stored(type->getNumElements());
  for (Instruction *inst = spawn.call->getNextNode(); inst != spawn.end; inst = inst->getNextNode()) {
    part.push_back(inst);
    if (isa<ExtractValueInst, GetElementPtrInst>(inst))
      continue;
    if (storesNothing(*inst))
      continue;
    auto *store = dyn_cast<StoreInst>(inst);
    std::optional<unsigned> member = store ? memberStored(*store, *spawn.call, dest) : std::nullopt;
    if (!member || stored[*member])
      return;
    stored.set(*member);
  }
  auto isUsedElsewhere = [&](Instruction *inst) {
    return any_of(inst->users(), [&](User *user) { return !is_contained(part, user); });
  };
  if (!stored.all() || any_of(part, isUsedElsewhere))
    return;
  new StoreInst(spawn.call, dest, /*isVolatile=*/false, Align(1), spawn.end->getIterator());
  for (Instruction *inst : reverse(part))
    inst->eraseFromParent();
}

/// Returns true if only the spawning function, copies, and calls that return their result there access the memory at
/// `address`, a local variable. The address does not escape.
static bool isOwn(Value *address) {
  return all_of(address->users(), [&](User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() != address;
    if (isa<GetElementPtrInst>(user))
      return isOwn(user);
    auto *call = dyn_cast<CallBase>(user);
    if (!call || isa<AnyMemIntrinsic>(call) || call->isLifetimeStartOrEnd() || isCallOf(*call, kSpawnBeginMarker))
      return call || isa<LoadInst>(user);
    return all_of(call->args(), [&](Use &arg) {
      return arg != address || call->paramHasAttr(call->getArgOperandNo(&arg), Attribute::StructRet);
    });
  });
}

/// call f(tmp) [sret]; memcpy(dest, tmp) -> call f(dest) [sret]. The callee writes a struct that is returned in memory
/// directly to the destination, if it cannot access the destination otherwise. A call of a function that may throw is
/// left as it is, because an exception must leave the old value there.
static void returnInPlace(Spawn &spawn) {
  auto *dest = dyn_cast<AllocaInst>(spawn.begin->getArgOperand(1)->stripPointerCasts());
  if (!dest || spawn.hasObjects || !spawn.call->hasStructRetAttr() || !spawn.call->doesNotThrow() ||
      spawn.call->getParent() != spawn.end->getParent())
    return;
  auto *copy = dyn_cast<MemCpyInst>(spawn.call->getNextNode());
  auto *temporary = dyn_cast<AllocaInst>(spawn.call->getArgOperand(0));
  if (!copy || copy->getNextNode() != spawn.end || copy->isVolatile() || !temporary || temporary == dest ||
      copy->getRawSource() != temporary || copy->getRawDest() != dest || !temporary->hasNUses(2))
    return;
  const DataLayout &dataLayout = spawn.call->getDataLayout();
  auto *length = dyn_cast<ConstantInt>(copy->getLength());
  uint64_t size = dataLayout.getTypeAllocSize(spawn.call->getParamStructRetType(0));
  if (!length || length->getValue() != size || dest->getAllocationSize(dataLayout) != TypeSize::getFixed(size) ||
      dest->getAlign() < spawn.call->getParamAlign(0).valueOrOne() || !isOwn(dest))
    return;
  spawn.call->setArgOperand(0, dest);
  copy->eraseFromParent();
  temporary->eraseFromParent();
}

/// Stores a bool without its extension to a byte, because the store itself extends it.
static void storeBool(Spawn &spawn) {
  auto *wide = dyn_cast<ZExtInst>(spawn.call->getNextNode());
  if (!wide || wide->getOperand(0) != spawn.call || !spawn.call->getType()->isIntegerTy(1) ||
      !wide->getType()->isIntegerTy(8) || !wide->hasOneUse() || !spawn.call->hasOneUse())
    return;
  if (auto *store = dyn_cast<StoreInst>(wide->getNextNode()); store && store->getValueOperand() == wide) {
    store->setOperand(0, spawn.call);
    wide->eraseFromParent();
  }
}

/// Returns the functions of this module that `call` may call through its pointer. They would run as one task if called
/// through a pointer.
static SmallVector<Function *> possibleTasks(CallInst &call) {
  SmallVector<Function *> found;
  for (Function &function : *call.getModule()) {
    if (!function.hasFnAttribute(kAddressTakenAttr) || function.getFunctionType() != call.getFunctionType() ||
        function.getCallingConv() != call.getCallingConv())
      continue;
    bool sameArguments = all_of(seq(call.arg_size()), [&](unsigned arg) {
      return call.getParamByValType(arg) == function.getParamByValType(arg) &&
             call.getParamStructRetType(arg) == function.getParamStructRetType(arg);
    });
    if (sameArguments)
      found.push_back(&function);
  }
  return found;
}

/// spawn p(x) -> if (p == f) spawn f(x) else spawn p(x). A Cilk function that is called through a pointer would run as
/// its elision. Appends the new spawns.
static void promote(Spawn &spawn, Function *task, unsigned id, SmallVectorImpl<Spawn> &spawns) {
  spawn.begin->moveBefore(spawn.first()->getIterator());
  IRBuilder<> builder(spawn.begin);
  Value *isTask = builder.CreateICmpEQ(spawn.call->getCalledOperand(), task);
  Instruction *then, *otherwise;
  SplitBlockAndInsertIfThenElse(isTask, spawn.begin->getIterator(), &then, &otherwise);
  SmallVector<Instruction *> part;
  for (Instruction *inst = spawn.begin; inst != spawn.end; inst = inst->getNextNode())
    part.push_back(inst);
  part.push_back(spawn.end);
  ValueToValueMapTy mapping;
  for (Instruction *inst : part) {
    inst->moveBefore(otherwise->getIterator());
    Instruction *copy = inst->clone();
    copy->insertBefore(then->getIterator());
    mapping[inst] = copy;
    RemapInstruction(copy, mapping, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
  }
  Spawn direct{cast<CallInst>(mapping[spawn.begin]), cast<CallInst>(mapping[spawn.call]),
               cast<CallInst>(mapping[spawn.end])};
  direct.call->setCalledFunction(task);
  for (CallInst *marker : {direct.begin, direct.end})
    marker->setArgOperand(0, builder.getInt32(id));
  spawns.push_back(direct);
}

SmallVector<AllocaInst *> cilk2gpu::sinkPrivates(ArrayRef<BasicBlock *> part) {
  SmallPtrSet<BasicBlock *, 8> inside(part.begin(), part.end());
  SmallVector<AllocaInst *> privates;
  for (Instruction &inst : part.front()->getParent()->getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->use_empty() && alloca->isStaticAlloca())
      if (all_of(alloca->users(), [&](User *user) { return inside.contains(cast<Instruction>(user)->getParent()); }))
        privates.push_back(alloca);
  for (AllocaInst *alloca : privates)
    alloca->moveBefore(part.front()->getFirstInsertionPt());
  return privates;
}

/// Copies by-value arguments whose address is also the destination, as in `x = spawn f(x)` for a struct. The wrapper
/// gets the argument as its own copy, but the destination must stay the parent's variable.
static void separateByValueArguments(Spawn &spawn, BasicBlock *first) {
  const DataLayout &dataLayout = spawn.call->getDataLayout();
  IRBuilder<> builder(first->getSinglePredecessor()->getTerminator());
  for (unsigned arg = 0; arg < spawn.call->arg_size(); ++arg) {
    Value *value = spawn.call->getArgOperand(arg);
    if (!spawn.call->isByValArgument(arg) || value->hasOneUse())
      continue;
    Type *type = spawn.call->getParamByValType(arg);
    BasicBlock &entry = first->getParent()->getEntryBlock();
    auto *copy =
        new AllocaInst(type, 0, nullptr, spawn.call->getParamAlign(arg).value_or(dataLayout.getABITypeAlign(type)), "",
                       entry.getFirstInsertionPt());
    builder.CreateMemCpy(copy, copy->getAlign(), value, spawn.call->getParamAlign(arg),
                         dataLayout.getTypeAllocSize(type));
    spawn.call->setArgOperand(arg, copy);
  }
}

/// Returns the parent's part: instructions that may run from the begin marker to the call.
static SmallPtrSet<Instruction *, 32> parentsPart(const Spawn &spawn) {
  SmallPtrSet<Instruction *, 32> found;
  SmallSetVector<BasicBlock *, 8> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end())) {
      if (&inst == spawn.first())
        return;
      found.insert(&inst);
    }
    blocks.insert_range(successors(block));
  };
  scan(spawn.begin->getIterator(), spawn.begin->getParent());
  for (unsigned i = 0; i < blocks.size(); ++i)
    scan(blocks[i]->begin(), blocks[i]);
  return found;
}

/// Returns the objects that the parent constructs for the call and that the child uses or destroys. All other memory
/// that serves only the call is included, because its address may be in these objects. `isChilds` returns true for
/// instructions of the child's part.
static SmallVector<AllocaInst *> objectsOf(const Spawn &spawn, function_ref<bool(Instruction *)> isChilds) {
  SmallPtrSet<Instruction *, 32> parents = parentsPart(spawn);
  auto isParents = [&](User *user) { return parents.contains(cast<Instruction>(user)); };
  SmallVector<AllocaInst *> objects;
  for (Instruction &inst : spawn.begin->getFunction()->getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && alloca->isStaticAlloca())
      if (any_of(alloca->users(), isParents) &&
          all_of(alloca->users(), [&](User *user) { return isChilds(cast<Instruction>(user)) || isParents(user); }))
        objects.push_back(alloca);
  return objects;
}

/// Clears `hasObjects` if the result's class needs no destructor and no argument is an object.
static void forgetObjects(Spawn &spawn) {
  BasicBlock *block = spawn.call->getParent();
  if (!spawn.hasObjects || block != spawn.begin->getParent() || block != spawn.end->getParent())
    return;
  auto isChilds = [&](Instruction *inst) {
    return inst->getParent() == block && !inst->comesBefore(spawn.call) && inst->comesBefore(spawn.end);
  };
  auto isCall = [&](Instruction &inst) { return isa<CallBase>(inst) && !isInserted(cast<CallBase>(inst)); };
  bool callsElse = any_of(make_range(std::next(spawn.begin->getIterator()), spawn.end->getIterator()),
                          [&](Instruction &inst) { return &inst != spawn.call && isCall(inst); });
  spawn.hasObjects = callsElse || passesCopies(*spawn.call) || !objectsOf(spawn, isChilds).empty();
}

/// Moves the objects to storage from the runtime. Each spawn has a block of its own, because the parent may spawn again
/// before the child runs.
static void moveObjects(Spawn &spawn, const SmallSetVector<BasicBlock *, 8> &part) {
  SmallVector<AllocaInst *> objects =
      objectsOf(spawn, [&](Instruction *inst) { return part.contains(inst->getParent()); });
  if (objects.empty())
    return;
  const DataLayout &layout = spawn.call->getDataLayout();
  Module &module = *spawn.call->getModule();
  IRBuilder<> builder(spawn.begin->getNextNode());
  Type *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  CallInst *block = builder.CreateCall(
      module.getOrInsertFunction("__cilk2gpu_objects", FunctionType::get(pointer, {i64, i64}, false)),
      {builder.getInt64(0), builder.getInt64(0)});
  uint64_t size = 0;
  Align align(16);
  for (AllocaInst *object : objects) {
    size = alignTo(size, object->getAlign());
    align = std::max(align, object->getAlign());
    object->replaceAllUsesWith(builder.CreatePtrAdd(block, builder.getInt64(size)));
    size += layout.getTypeAllocSize(object->getAllocatedType());
    object->eraseFromParent();
  }
  block->setArgOperand(0, builder.getInt64(size));
  block->setArgOperand(1, builder.getInt64(align.value()));
  builder.SetInsertPoint(spawn.end->getParent()->getSinglePredecessor()->getTerminator());
  builder.CreateCall(module.getOrInsertFunction("__cilk2gpu_release_objects",
                                                FunctionType::get(builder.getVoidTy(), {pointer}, false)),
                     {block});
}

/// Returns true if the only atomic operation of the child's part is the update of `x += spawn f()`.
static bool hasUpdate(const Spawn &spawn, ArrayRef<BasicBlock *> part) {
  AtomicRMWInst *update = nullptr;
  for (BasicBlock *block : part)
    for (Instruction &inst : *block) {
      if (!inst.isAtomic())
        continue;
      if (update || !isa<AtomicRMWInst>(inst))
        return false;
      update = cast<AtomicRMWInst>(&inst);
    }
  return update && update->use_empty() && update->getOrdering() == AtomicOrdering::Monotonic && !update->isVolatile() &&
         update->getPointerOperand() == spawn.begin->getArgOperand(1)->stripPointerCasts();
}

using ByValueAttributes = std::vector<std::pair<Value *, AttrBuilder>>; // an AttrBuilder cannot be assigned

/// Returns the arguments of the spawned call that are copies of aggregates, with their by-value attributes.
static ByValueAttributes byValueAttributes(const Spawn &spawn) {
  ByValueAttributes found;
  LLVMContext &context = spawn.call->getContext();
  for (unsigned arg = 0; arg < spawn.call->arg_size(); ++arg)
    if (spawn.call->isByValArgument(arg)) {
      found.emplace_back(spawn.call->getArgOperand(arg), AttrBuilder(context, spawn.call->getParamAttributes(arg)));
    } else if (Type *type = spawn.hasObjects ? nullptr : typeOfCopy(*spawn.call, arg)) {
      Value *copy = spawn.call->getArgOperand(arg)->stripPointerCasts();
      AttrBuilder attrs(context);
      attrs.addByValAttr(type).addAlignmentAttr(cast<AllocaInst>(copy)->getAlign());
      found.emplace_back(copy, std::move(attrs));
    }
  return found;
}

/// Makes by-value aggregates of the call by-value again, so that the element contains the copy and not the parent's
/// address.
static void passByValue(CallInst &call, const ByValueAttributes &attributes) {
  for (auto &[value, attrs] : attributes)
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (call.getArgOperand(index) == value) {
        call.getCalledFunction()->addParamAttrs(index, attrs);
        call.addParamAttrs(index, attrs);
      }
}

/// Returns the blocks from `first` up to `rest`.
static SmallSetVector<BasicBlock *, 8> blocksBetween(BasicBlock *first, const BasicBlock *rest) {
  SmallSetVector<BasicBlock *, 8> part;
  part.insert(first);
  for (unsigned i = 0; i < part.size(); ++i)
    for (BasicBlock *next : successors(part[i]))
      if (next != rest)
        part.insert(next);
  return part;
}

/// Makes a function from the child's part; null after an error.
static Function *extractChild(const Spawn &spawn, ArrayRef<BasicBlock *> part, unsigned number) {
  SmallVector<AllocaInst *> privates = sinkPrivates(part);
  std::string name = (part.front()->getParent()->getName() + ".spawn" + Twine(number)).str();
  SetVector<Value *> outputs;
  Function *wrapper = extractPart(part, outputs);
  if (!wrapper || !outputs.empty())
    return reportError(*spawn.begin,
                       "the child must be able to run the whole assignment of a spawned result, but the rest of the "
                       "function enters or uses a part of it; assign to a plain variable"),
           nullptr;
  wrapper->setName(name);
  giveLine(*wrapper, spawn.begin->getDebugLoc());
  dropTaskMarks(*wrapper);
  wrapper->addFnAttr(kTaskFunctionAttr);
  for (AllocaInst *alloca : privates)
    alloca->moveBefore(wrapper->getEntryBlock().getFirstInsertionPt());
  return wrapper;
}

/// Moves the child's part into an internal task function and spawns this function.
static bool outline(Spawn &spawn, unsigned number) {
  BasicBlock *first = SplitBlock(spawn.call->getParent(), spawn.first()->getIterator());
  BasicBlock *rest = SplitBlock(spawn.end->getParent(), spawn.end->getIterator());
  SmallSetVector<BasicBlock *, 8> part = blocksBetween(first, rest);
  bool isUpdate = hasUpdate(spawn, part.getArrayRef());
  if (spawn.hasObjects)
    moveObjects(spawn, part);
  separateByValueArguments(spawn, first);
  ByValueAttributes attributes = byValueAttributes(spawn);
  Function *wrapper = extractChild(spawn, part.getArrayRef(), number);
  if (!wrapper)
    return false;
  if (isUpdate)
    wrapper->addFnAttr(kUpdateFunctionAttr);
  auto *call = cast<CallInst>(*wrapper->user_begin());
  passByValue(*call, attributes);
  // Puts the begin marker, the wrapper's call and the end marker into one block again.
  spawn.begin->moveBefore(call->getIterator());
  MergeBlockIntoPredecessor(spawn.end->getParent());
  return true;
}

/// Replaces spawns through pointers by direct spawns of the Cilk functions to which the pointers may lead.
static void promoteAll(SmallVectorImpl<Spawn> &spawns) {
  unsigned next = 0;
  for (Spawn &spawn : spawns)
    next = std::max<unsigned>(next, cast<ConstantInt>(spawn.begin->getArgOperand(0))->getZExtValue() + 1);
  for (unsigned index = 0, count = spawns.size(); index < count; ++index) {
    Spawn spawn = spawns[index];
    if (spawn.call->getCalledFunction() || isa<Constant>(spawn.call->getCalledOperand()) || !isPlain(spawn))
      continue;
    for (Function *task : possibleTasks(*spawn.call))
      promote(spawn, task, next++, spawns);
  }
}

static bool normaliseSpawns(Function &function) {
  SmallVector<Spawn> spawns;
  for (Instruction &inst : instructions(function))
    if (isCallOf(inst, kSpawnBeginMarker))
      spawns.push_back({cast<CallInst>(&inst)});
  for (Spawn &spawn : spawns)
    if (!find(spawn))
      return false;
  for (Spawn &spawn : spawns) {
    forgetObjects(spawn);
    joinMembers(spawn);
    storeBool(spawn);
    returnInPlace(spawn);
  }
  promoteAll(spawns);
  unsigned number = 0;
  for (Spawn &spawn : spawns) {
    // Code before the call belongs to the parent. If it has control flow (a sanitizer's checks), the begin marker moves
    // to the call. With objects it stays, because their storage is needed from the begin marker on.
    if (!spawn.hasObjects && spawn.begin->getParent() != spawn.call->getParent())
      spawn.begin->moveBefore(spawn.first()->getIterator());
    bool isNormal = isPlain(spawn) && spawn.call->getCalledFunction();
    if (!isNormal && !outline(spawn, number++))
      return false;
  }
  return true;
}

bool NormaliseSpawnsPass::runOn(Module &module, Module &) {
  bool ok = true;
  for (Function &function : module)
    if (!function.isDeclaration())
      ok &= normaliseSpawns(function);
  return ok;
}
