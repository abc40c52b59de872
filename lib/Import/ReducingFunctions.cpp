// See ReducingFunctions.h. Functions are taken out of the set until each of them fits, and all that it calls.
#include "ReducingFunctions.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

bool cilk2gpu::isSync(const Instruction &inst) {
  return calleeName(inst) == kSyncMarker || calleeName(inst) == kReturnSyncMarker;
}

/// Returns true if each spawn of a block that may touch a reducer is a statement with one call.
static bool areSpawnsPlain(BasicBlock &block) {
  bool isInSpawn = false;
  unsigned calls = 0;
  for (Instruction &inst : block) {
    if (calleeName(inst) == kSpawnBeginMarker) {
      isInSpawn = true;
      calls = 0;
    } else if (calleeName(inst) == kSpawnEndMarker) {
      if (!isInSpawn || calls > 1)
        return false;
      isInSpawn = false;
    } else if (isInSpawn && isa<CallBase>(inst) && !isa<IntrinsicInst>(inst)) {
      ++calls;
    }
  }
  return !isInSpawn;
}

/// Returns true for types of results that can be returned together with updates.
static bool isFittingResult(Type *type) {
  return type->isVoidTy() || type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy() || type->isPointerTy();
}

bool cilk2gpu::hasFittingShape(Function &function) {
  if (!isFittingResult(function.getReturnType()) || function.isVarArg() || function.hasOptNone() ||
      function.isInterposable() || function.hasAvailableExternallyLinkage() || !function.doesNotThrow() ||
      function.hasFnAttribute(Attribute::ReturnsTwice) || function.getName() == "main")
    return false;
  for (BasicBlock &block : function) {
    if (!areSpawnsPlain(block))
      return false;
    for (Instruction &inst : block) {
      const StringRef name = calleeName(inst);
      if (isa<InvokeInst, CallBrInst>(inst) ||
          (name.starts_with("__cilk2gpu_") && !is_contained({kSpawnBeginMarker, kSpawnEndMarker, kSyncMarker,
                                                             kReturnSyncMarker, kCheckMarker, kReturnCheckMarker},
                                                            name)))
        return false;
      if (is_contained({"exit", "longjmp"}, name)) // what has been added so far would be lost
        return false;
      if (auto *call = dyn_cast<CallBase>(&inst); call && call->isMustTailCall())
        return false;
    }
  }
  return true;
}

ReducingFunctions::ReducingFunctions(Module &module, Monoids &monoids)
    : library{TargetLibraryInfoImpl(module.getTargetTriple()), /*hasCxx=*/false}, monoids(monoids) {
  for (Function &function : module)
    if (!function.isDeclaration() && canLookUp(function))
      touching.insert(&function);
  closeOverCallers();
  for (Function *function : touching)
    if (hasFittingShape(*function))
      fitting.insert(function);
  findReducers();
  fitting.remove_if([this](Function *function) { return !fitsReducers(*function); });
  dropUnfit();
  keepRecursive();
}

/// Returns true if the function itself looks up a view, or calls something unknown.
bool ReducingFunctions::canLookUp(Function &function) const {
  return any_of(instructions(function), [&](Instruction &inst) { return mayLookUp(inst, library); });
}

void ReducingFunctions::closeOverCallers() {
  for (unsigned i = 0; i < touching.size(); ++i)
    for (User *user : touching[i]->users())
      if (auto *inst = dyn_cast<Instruction>(user))
        touching.insert(inst->getFunction());
}

//===-- Reducers --------------------------------------------------------------------------------------------------===//

/// Adds a reducer to those of a function. Returns true if it is a new one.
bool ReducingFunctions::addTo(Function &function, Value *object, CallBase &lookup) {
  auto &own = reducers[&function];
  if (!isa<Constant, Argument>(object) ||
      any_of(own, [object](const UpdatedReducer &reducer) { return reducer.object == object; }))
    return false;
  own.push_back({object, &lookup});
  return true;
}

/// Finds the reducers of functions that have lookups, and then those of their callers.
void ReducingFunctions::findReducers() {
  for (Function *function : fitting)
    for (Instruction &inst : instructions(function))
      if (calleeName(inst) == kHyperLookup)
        addTo(*function, writtenValue(cast<CallBase>(inst).getArgOperand(0)), cast<CallBase>(inst));
  for (bool changed = true; changed;) {
    changed = false;
    for (Function *function : fitting)
      for (Instruction &inst : instructions(function))
        if (fitting.contains(calleeOf(inst)))
          changed |= takeFrom(*function, cast<CallBase>(inst));
  }
}

/// Returns the reducer of a callee as its caller sees it.
static Value *objectAt(const UpdatedReducer &ofCallee, CallBase &call) {
  auto *argument = dyn_cast<Argument>(ofCallee.object);
  return argument ? writtenValue(call.getArgOperand(argument->getArgNo())) : ofCallee.object;
}

/// Adds the reducers of a callee to those of the caller. Returns true if there are new ones.
bool ReducingFunctions::takeFrom(Function &caller, CallBase &call) {
  bool changed = false;
  for (const UpdatedReducer &ofCallee : SmallVector<UpdatedReducer>(reducers[calleeOf(call)]))
    changed |= addTo(caller, objectAt(ofCallee, call), *ofCallee.lookup);
  return changed;
}

unsigned ReducingFunctions::numberAt(CallBase &call, const UpdatedReducer &ofCallee) const {
  ArrayRef<UpdatedReducer> own = reducersOf(call.getFunction());
  Value *object = objectAt(ofCallee, call);
  return find_if(own, [object](const UpdatedReducer &reducer) { return reducer.object == object; }) - own.begin();
}

/// Returns true if a function does nothing with its own views but update them.
bool ReducingFunctions::fitsReducers(Function &function) {
  constexpr size_t kMostReducers = 8;
  ArrayRef<UpdatedReducer> own = reducers[&function];
  if (own.empty() || own.size() > kMostReducers)
    return false;
  for (const UpdatedReducer &reducer : own) {
    const std::optional<Monoid> monoid = monoids.of(*reducer.lookup);
    auto isLookup = [&](CallBase &call) {
      return calleeName(call) == kHyperLookup && writtenValue(call.getArgOperand(0)) == reducer.object;
    };
    bool isSame = all_of(instructions(function), [&](Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      return !call || !isLookup(*call) || monoids.of(*call) == monoid;
    });
    if (!monoid || !isSame || !onlyAccumulates(function, *monoid, isLookup))
      return false;
  }
  return true;
}

//===-- Calls and spawns ------------------------------------------------------------------------------------------===//

/// Returns true if a function only updates its reducers, and so do all functions that it calls.
bool ReducingFunctions::fitsCalls(Function &function) const {
  ArrayRef<UpdatedReducer> own = reducersOf(&function);
  auto isOwn = [&](Value *object, const std::optional<Monoid> &monoid) {
    return any_of(own, [&](const UpdatedReducer &reducer) {
      return reducer.object == object && monoids.of(*reducer.lookup) == monoid;
    });
  };
  bool isInSpawn = false;
  for (Instruction &inst : instructions(function)) {
    if (calleeName(inst) == kSpawnBeginMarker || calleeName(inst) == kSpawnEndMarker)
      isInSpawn = calleeName(inst) == kSpawnBeginMarker;
    Function *callee = calleeOf(inst);
    if (calleeName(inst) == kHyperLookup) {
      auto &lookup = cast<CallBase>(inst);
      if (isInSpawn || !isOwn(writtenValue(lookup.getArgOperand(0)), monoids.of(lookup)))
        return false;
    } else if (fitting.contains(callee)) {
      for (const UpdatedReducer &ofCallee : reducersOf(callee))
        if (!isOwn(objectAt(ofCallee, cast<CallBase>(inst)), monoids.of(*ofCallee.lookup)))
          return false;
    } else if (mayLookUp(inst, library) || touching.contains(callee)) {
      return false;
    }
  }
  return true;
}

SmallVector<SpawnedUpdate> ReducingFunctions::spawnsOf(Function &function) const {
  SmallVector<SpawnedUpdate> spawns;
  CallBase *begin = nullptr, *call = nullptr;
  for (Instruction &inst : instructions(function))
    if (calleeName(inst) == kSpawnBeginMarker) {
      begin = cast<CallBase>(&inst);
      call = nullptr;
    } else if (calleeName(inst) == kSpawnEndMarker && call) {
      auto *store = call->hasOneUse() ? dyn_cast<StoreInst>(call->user_back()) : nullptr;
      spawns.push_back({begin, cast<CallBase>(&inst), call, store});
    } else if (begin && fitting.contains(calleeOf(inst))) {
      call = cast<CallBase>(&inst);
    }
  return spawns;
}

bool ReducingFunctions::needsSlots(Function &function) const {
  return returnsStruct(function) ||
         any_of(spawnsOf(function), [this](SpawnedUpdate &spawn) { return returnsStruct(*calleeOf(*spawn.call)); });
}

/// Returns true if a spawn stores its result to a local variable as it is, or does nothing with it.
static bool storesPlainly(const SpawnedUpdate &spawn) {
  Value *destination = spawn.begin->getArgOperand(1)->stripPointerCasts();
  if (!spawn.store)
    return spawn.call->use_empty() && isa<ConstantPointerNull>(destination);
  auto *variable = dyn_cast<AllocaInst>(spawn.store->getPointerOperand());
  return variable && variable == destination && variable->isStaticAlloca() && spawn.store->isSimple() &&
         spawn.store->getValueOperand() == spawn.call && spawn.store->getNextNode() == spawn.end &&
         variable->getAllocatedType() == spawn.call->getType() && spawn.call->getNextNode() == spawn.store;
}

/// Returns true if two spawns with one variable call the same function, with the same reducers.
bool ReducingFunctions::canShare(const SpawnedUpdate &spawn, const SpawnedUpdate &other) const {
  if (!spawn.store || !other.store || spawn.variable() != other.variable())
    return true;
  Function *callee = calleeOf(*spawn.call);
  return callee == calleeOf(*other.call) && all_of(reducersOf(callee), [&](const UpdatedReducer &reducer) {
           return numberAt(*spawn.call, reducer) == numberAt(*other.call, reducer);
         });
}

/// Returns true if another spawn with the same variable may run before the next sync.
static bool mayRepeat(const SpawnedUpdate &spawn, ArrayRef<SpawnedUpdate> spawns) {
  SmallPtrSet<const Instruction *, 4> same = {spawn.begin};
  for (const SpawnedUpdate &other : spawns)
    if (spawn.store && other.variable() == spawn.variable())
      same.insert(other.begin);
  SmallSetVector<BasicBlock *, 16> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end()))
      if (same.contains(&inst) || isSync(inst))
        return same.contains(&inst);
    blocks.insert_range(successors(block));
    return false;
  };
  bool repeats = scan(std::next(spawn.end->getIterator()), spawn.end->getParent());
  for (unsigned i = 0; i < blocks.size() && !repeats; ++i)
    repeats = scan(blocks[i]->begin(), blocks[i]);
  return repeats;
}

/// Returns true if each spawn can have a variable for its results.
bool ReducingFunctions::fitsSpawns(Function &function) const {
  constexpr size_t kMostSpawns = 16;
  if (!needsSlots(function))
    return true;
  const SmallVector<SpawnedUpdate> spawns = spawnsOf(function);
  return spawns.size() <= kMostSpawns && all_of(spawns, [&](const SpawnedUpdate &spawn) {
           return storesPlainly(spawn) && !mayRepeat(spawn, spawns) &&
                  all_of(spawns, [&](const SpawnedUpdate &other) { return canShare(spawn, other); });
         });
}

//===-- Selection -------------------------------------------------------------------------------------------------===//

void ReducingFunctions::dropUnfit() {
  while (true) {
    SmallVector<Function *> unfit;
    for (Function *function : fitting)
      if (!fitsCalls(*function) || !fitsSpawns(*function))
        unfit.push_back(function);
    if (unfit.empty())
      return;
    for (Function *function : unfit)
      fitting.remove(function);
  }
}

/// Keeps the functions that spawn one of these functions, and what they call. Others gain nothing.
void ReducingFunctions::keepRecursive() {
  SetVector<Function *> kept;
  for (Function *function : fitting) {
    bool isInSpawn = false;
    for (Instruction &inst : instructions(function)) {
      if (calleeName(inst) == kSpawnBeginMarker || calleeName(inst) == kSpawnEndMarker)
        isInSpawn = calleeName(inst) == kSpawnBeginMarker;
      if (isInSpawn && fitting.contains(calleeOf(inst)))
        kept.insert(function);
    }
  }
  for (unsigned i = 0; i < kept.size(); ++i)
    for (Instruction &inst : instructions(kept[i]))
      if (Function *callee = calleeOf(inst); fitting.contains(callee))
        kept.insert(callee);
  fitting = std::move(kept);
}
