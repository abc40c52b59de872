// Lets recursive functions that only add to reducers return what they add:
//
//   void walk(int n) {                        long walk.reduced(int n) {
//     if (n < 2) {                              long own = 0, children = 0;
//       sum += n;                               if (n < 2) {
//       return;                                   own += n;
//     }                              =>           return own;
//     cilk_spawn walk(n - 1);                   }
//     walk(n - 2);                              children += cilk_spawn walk.reduced(n - 1);
//   }                                           own += walk.reduced(n - 2);
//                                               cilk_sync;
//                                               return own + children;
//                                             }
//                                             void walk(int n) { sum += walk.reduced(n); }
//
// The new functions look up no views, so they run in vectors, and their results are combined as those of other
// functions. `sum` is a reducer of the program or an argument that all calls hand on.
//
// A function with several reducers, or with a result of its own, returns all numbers in a structure. Each spawn then
// has a variable for the structure, because a child adds to one variable only:
//
//     first = cilk_spawn walk.reduced(n - 1);
//     ...
//     cilk_sync;
//     own.sum += first.sum, own.most = max(own.most, first.most);
//
// This is right because
//
// - the operations are ones on integers whose order does not matter, and the reducers' functions are known to be them;
// - no code that the function reaches reads the reducers, or may read them;
// - nothing leaves the function by an exception.
//
// Functions that update reducers in a cilk_for or in a spawned block are left as they are. So are functions with
// several numbers that spawn in a loop without a sync, because the loop's spawns would share a variable.
#include "Extract.h"
#include "ImportPasses.h"
#include "ReducedForms.h"

#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// A variable for the results of a spawn, or of several spawns of which one runs before each sync.
struct ResultSlot {
  AllocaInst *variable = nullptr;
  const ReducedForm *callee = nullptr;
  SmallVector<unsigned> numbers;               ///< of the caller's reducers, for each of the callee's
  SmallPtrSet<const Instruction *, 2> markers; ///< the ends of the spawns
};

/// A call of a function that returns its updates.
struct ReducedCall {
  CallBase *call = nullptr;
  CallBase *spawn = nullptr;  ///< the begin marker, for a spawn
  StoreInst *store = nullptr; ///< of a spawn's result
  ResultSlot *slot = nullptr; ///< of a spawn
  const ReducedForm *callee = nullptr;
  SmallVector<unsigned> numbers; ///< of the caller's reducers, for each of the callee's
};

/// Makes the function that returns what another one adds.
class ReducedBody {
public:
  /// `reduced` has the new forms of functions, and `functions` what is known of the originals. `copies` leads from the
  /// original function's code to the code of its form.
  ReducedBody(Function &original, const ReducedForms &reduced, const ReducingFunctions &functions,
              ValueToValueMapTy &copies)
      : form(reduced.find(&original)->second), body(*form.function), reduced(reduced),
        usesSlots(functions.needsSlots(original)) {
    findCalls(original, functions, copies);
    findLookups(original, functions, copies);
  }

  void rewrite() {
    createVariables();
    syncBeforeReturns();
    for (ReducedCall &call : calls)
      addResult(call);
    addChildren();
    returnUpdates();
    useVariables();
  }

private:
  void findCalls(Function &original, const ReducingFunctions &functions, ValueToValueMapTy &copies);
  void findLookups(Function &original, const ReducingFunctions &functions, ValueToValueMapTy &copies);
  AllocaInst *createVariable(Type *type, const Twine &name) {
    return IRBuilder<>(&body.getEntryBlock(), body.getEntryBlock().begin()).CreateAlloca(type, nullptr, name);
  }
  void createVariables();
  void createSlot(ReducedCall &call);
  void useVariables();
  void addResult(ReducedCall &call);
  void combine(IRBuilderBase &builder, unsigned number, Value *update);
  void addChildren();
  void addSlot(const ResultSlot &slot, ArrayRef<Instruction *> syncs);
  void returnUpdates();
  void syncBeforeReturns();

  const ReducedForm &form;
  Function &body;
  const ReducedForms &reduced;
  const bool usesSlots;
  SmallVector<ReducedCall> calls;
  SmallVector<SmallVector<CallBase *>> lookups; ///< for each reducer
  SmallVector<AllocaInst *> own;                ///< for each reducer, the updates so far
  AllocaInst *children = nullptr;               ///< the updates of children, without slots
  SmallVector<std::unique_ptr<ResultSlot>> slots;
};

} // namespace

//===-- The function at hand --------------------------------------------------------------------------------------===//

void ReducedBody::findCalls(Function &original, const ReducingFunctions &functions, ValueToValueMapTy &copies) {
  auto copyOf = [&copies](auto *value) { return cast<std::remove_pointer_t<decltype(value)>>(copies[value]); };
  DenseMap<CallBase *, SpawnedUpdate> spawns;
  for (const SpawnedUpdate &spawn : functions.spawnsOf(original))
    spawns[spawn.call] = spawn;
  DenseMap<Value *, ResultSlot *> byVariable;
  for (Instruction &inst : instructions(original)) {
    auto *call = dyn_cast<CallBase>(&inst);
    auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
    if (!callee || !functions.contains(callee))
      continue;
    ReducedCall &found = calls.emplace_back();
    found.call = copyOf(call);
    found.callee = &reduced.find(callee)->second;
    for (const UpdatedReducer &reducer : functions.reducersOf(callee))
      found.numbers.push_back(functions.numberAt(*call, reducer));
    auto spawn = spawns.find(call);
    if (spawn == spawns.end())
      continue;
    found.spawn = copyOf(spawn->second.begin);
    if (!usesSlots)
      continue;
    found.store = spawn->second.store ? copyOf(spawn->second.store) : nullptr;
    ResultSlot *&slot = byVariable[found.store ? found.store->getPointerOperand() : found.call];
    if (!slot) {
      slots.push_back(std::make_unique<ResultSlot>());
      slot = slots.back().get();
      slot->callee = found.callee;
      slot->numbers = found.numbers;
    }
    slot->markers.insert(copyOf(spawn->second.end));
    found.slot = slot;
  }
}

void ReducedBody::findLookups(Function &original, const ReducingFunctions &functions, ValueToValueMapTy &copies) {
  for (const UpdatedReducer &reducer : functions.reducersOf(&original)) {
    lookups.emplace_back();
    for (Instruction &inst : instructions(original))
      if (calleeName(inst) == kHyperLookup && writtenValue(cast<CallBase>(inst).getArgOperand(0)) == reducer.object)
        lookups.back().push_back(cast<CallBase>(copies[&inst]));
  }
}

//===-- Variables -------------------------------------------------------------------------------------------------===//

void ReducedBody::createVariables() {
  IRBuilder<> builder(body.getContext());
  auto create = [&](const Monoid &monoid, const char *name) {
    AllocaInst *variable = createVariable(monoid.type, name);
    builder.SetInsertPoint(variable->getNextNode());
    builder.CreateStore(monoid.neutral(), variable);
    return variable;
  };
  for (const Monoid &monoid : form.monoids)
    own.push_back(create(monoid, "own"));
  if (!usesSlots)
    children = create(form.monoids.front(), "children");
  for (ReducedCall &call : calls)
    if (call.slot && !call.slot->variable)
      createSlot(call);
}

/// Makes the variable of a spawn. It takes the place of the variable that gets the spawned function's own result.
void ReducedBody::createSlot(ReducedCall &call) {
  auto *old = call.store ? cast<AllocaInst>(call.store->getPointerOperand()) : nullptr;
  AllocaInst *slot = createVariable(call.callee->function->getReturnType(), old ? old->getName() : "child");
  call.slot->variable = slot;
  if (!old)
    return;
  slot->setAlignment(std::max(slot->getAlign(), old->getAlign()));
  for (User *user : make_early_inc_range(old->users()))
    if (isa<LifetimeIntrinsic>(user)) // the updates have another lifetime
      cast<Instruction>(user)->eraseFromParent();
  old->replaceAllUsesWith(slot);
  old->eraseFromParent();
}

/// Updates the variables in place of the views.
void ReducedBody::useVariables() {
  for (auto [variable, views, monoid] : zip(own, lookups, form.monoids)) {
    for (CallBase *lookup : views) {
      lookup->replaceAllUsesWith(variable);
      lookup->eraseFromParent();
    }
    inlineUpdatesOf(*variable, monoid);
  }
}

//===-- Results ---------------------------------------------------------------------------------------------------===//

/// Combines an update with a reducer's own updates.
void ReducedBody::combine(IRBuilderBase &builder, unsigned number, Value *update) {
  Value *before = builder.CreateLoad(form.monoids[number].type, own[number]);
  builder.CreateStore(form.monoids[number].combine(builder, before, update), own[number]);
}

/// Returns attributes of a function or a call without those of its result.
static AttributeList withoutResult(AttributeList attributes, LLVMContext &context) {
  return attributes.removeAttributesAtIndex(context, AttributeList::ReturnIndex);
}

/// Calls the function that returns what it adds.
void ReducedBody::addResult(ReducedCall &found) {
  CallBase &call = *found.call;
  IRBuilder<> builder(&call);
  CallInst *result = builder.CreateCall(found.callee->function, SmallVector<Value *>(call.args()));
  result->setAttributes(withoutResult(call.getAttributes(), call.getContext()));
  result->setCallingConv(call.getCallingConv());
  if (found.slot) {
    found.spawn->setArgOperand(1, found.slot->variable);
    builder.CreateStore(result, found.slot->variable);
    if (found.store)
      found.store->eraseFromParent();
  } else if (found.spawn) {
    found.spawn->setArgOperand(1, children);
    builder.CreateAtomicRMW(form.monoids.front().operation, children, result, MaybeAlign(), AtomicOrdering::Monotonic);
  } else {
    for (auto [index, number] : enumerate(found.numbers))
      combine(builder, number, found.callee->update(builder, result, index));
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(builder.CreateExtractValue(result, 0));
  }
  call.eraseFromParent();
}

/// Adds what children have added, behind each sync.
void ReducedBody::addChildren() {
  SmallVector<Instruction *> syncs;
  for (Instruction &inst : instructions(body))
    if (isSync(inst))
      syncs.push_back(&inst);
  for (const auto &slot : slots)
    addSlot(*slot, syncs);
  if (usesSlots)
    return;
  for (Instruction *sync : syncs) {
    IRBuilder<> builder(sync->getNextNode());
    combine(builder, 0, builder.CreateLoad(form.monoids.front().type, children));
    builder.CreateStore(form.monoids.front().neutral(), children);
  }
}

/// Finds the last event before a sync, on each path: a spawn of the slot, or an earlier sync, or the start of the
/// function.
static void findLast(const ResultSlot &slot, Instruction &sync, bool &isSpawned, bool &isNotSpawned) {
  SmallSetVector<BasicBlock *, 16> blocks;
  auto scan = [&](BasicBlock &block, BasicBlock::reverse_iterator from) {
    for (Instruction &inst : make_range(from, block.rend()))
      if (slot.markers.contains(&inst) || isSync(inst)) {
        (slot.markers.contains(&inst) ? isSpawned : isNotSpawned) = true;
        return;
      }
    isNotSpawned |= block.isEntryBlock();
    blocks.insert_range(predecessors(&block));
  };
  scan(*sync.getParent(), std::next(sync.getReverseIterator()));
  for (unsigned i = 0; i < blocks.size(); ++i)
    scan(*blocks[i], blocks[i]->rbegin());
}

/// Adds the updates in a slot behind the syncs that its spawns may come before. If they may also be missing there, the
/// slot has neutral updates first.
void ReducedBody::addSlot(const ResultSlot &slot, ArrayRef<Instruction *> syncs) {
  SmallPtrSet<Instruction *, 4> reached;
  bool mayBeMissing = false;
  for (Instruction *sync : syncs) {
    bool isSpawned = false, isNotSpawned = false;
    findLast(slot, *sync, isSpawned, isNotSpawned);
    if (isSpawned)
      reached.insert(sync);
    mayBeMissing |= isSpawned && isNotSpawned;
  }
  auto clear = [&](IRBuilder<> &builder) {
    for (auto [index, number] : enumerate(slot.numbers))
      builder.CreateStore(form.monoids[number].neutral(), slot.callee->updateIn(builder, slot.variable, index));
  };
  IRBuilder<> builder(slot.variable->getNextNode());
  if (mayBeMissing)
    clear(builder);
  for (Instruction *sync : syncs) {
    builder.SetInsertPoint(sync->getNextNode());
    for (auto [index, number] : enumerate(slot.numbers))
      if (reached.contains(sync))
        combine(builder, number,
                builder.CreateLoad(form.monoids[number].type, slot.callee->updateIn(builder, slot.variable, index)));
    if (mayBeMissing)
      clear(builder);
  }
}

/// Returns the updates, behind the function's own result.
void ReducedBody::returnUpdates() {
  for (BasicBlock &block : body) {
    auto *old = dyn_cast<ReturnInst>(block.getTerminator());
    if (!old)
      continue;
    IRBuilder<> builder(old);
    form.createReturn(builder, old->getReturnValue(), own);
    old->eraseFromParent();
  }
}

/// Inserts syncs where children may run when the function returns. A path without children gets none.
void ReducedBody::syncBeforeReturns() {
  // Blocks at whose ends children may run.
  SmallPtrSet<BasicBlock *, 16> outstanding;
  auto runsAtEnd = [&](BasicBlock &block, bool runs) {
    for (Instruction &inst : block)
      if (calleeName(inst) == kSpawnEndMarker)
        runs = true;
      else if (isSync(inst))
        runs = false;
    return runs;
  };
  auto mayRun = [&](BasicBlock *block) { return outstanding.contains(block); };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : body)
      if (!outstanding.contains(&block) && runsAtEnd(block, any_of(predecessors(&block), mayRun)))
        changed = outstanding.insert(&block).second;
  }
  FunctionCallee sync = body.getParent()->getOrInsertFunction(kSyncMarker, Type::getVoidTy(body.getContext()));
  for (BasicBlock &block : make_early_inc_range(body)) {
    if (!isa<ReturnInst>(block.getTerminator()) || !outstanding.contains(&block))
      continue;
    const bool spawnsItself = runsAtEnd(block, false);
    SmallVector<BasicBlock *> before;
    if (!spawnsItself)
      append_range(before, make_filter_range(predecessors(&block), mayRun));
    if (before.empty())
      IRBuilder<>(block.getTerminator()).CreateCall(sync);
    else
      IRBuilder<>(SplitBlockPredecessors(&block, before, ".sync")->getTerminator()).CreateCall(sync);
  }
}

//===-- The unit --------------------------------------------------------------------------------------------------===//

/// Returns a function with the same parameters that returns updates, and the code of a function in it. The updates are
/// not written yet.
static ReducedForm createReduced(Function &function, ArrayRef<UpdatedReducer> reducers, Monoids &monoids,
                                 ValueToValueMapTy &copies) {
  ReducedForm form;
  form.ownResult = function.getReturnType();
  SmallVector<Type *> types;
  if (!form.ownResult->isVoidTy())
    types.push_back(form.ownResult);
  for (const UpdatedReducer &reducer : reducers) {
    form.monoids.push_back(*monoids.of(*reducer.lookup));
    types.push_back(form.monoids.back().type);
  }
  Type *type = types.size() == 1 ? types.front() : StructType::get(function.getContext(), types);
  auto *functionType = FunctionType::get(type, function.getFunctionType()->params(), false);
  Function *result = form.function = copyWithType(function, functionType, ".reduced", copies);
  result->setAttributes(withoutResult(result->getAttributes(), function.getContext()));
  return form;
}

/// Lets a Cilk function add the results of the new function to its reducers, with lookups that stand nowhere yet. The
/// sync keeps it a Cilk function.
static void callReduced(Function &function, const ReducedForm &form, ArrayRef<Instruction *> lookups) {
  const GlobalValue::LinkageTypes linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  function.setSubprogram(nullptr);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  CallInst *result = builder.CreateCall(form.function, arguments);
  result->setCallingConv(form.function->getCallingConv());
  AttributeList attributes = form.function->getAttributes();
  for (unsigned i = 0; i < function.arg_size(); ++i)
    for (Attribute attribute : attributes.getParamAttrs(i))
      result->addParamAttr(i, attribute);
  builder.CreateCall(function.getParent()->getOrInsertFunction(kSyncMarker, builder.getVoidTy()));
  for (auto [index, lookup, monoid] : enumerate(lookups, form.monoids)) {
    builder.Insert(lookup);
    Value *before = builder.CreateLoad(monoid.type, lookup);
    builder.CreateStore(monoid.combine(builder, before, form.update(builder, result, index)), lookup);
  }
  if (form.ownResult->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(builder.CreateExtractValue(result, 0));
}

/// Returns copies of a function's lookups, one for each reducer.
static SmallVector<Instruction *> copyLookups(ArrayRef<UpdatedReducer> reducers) {
  SmallVector<Instruction *> lookups;
  for (const UpdatedReducer &reducer : reducers) {
    auto *copy = cast<CallBase>(reducer.lookup->clone());
    copy->setDebugLoc(DebugLoc());
    copy->setArgOperand(0, reducer.object);
    lookups.push_back(copy);
  }
  return lookups;
}

/// Returns true if a function may become one of those that return what they add, and spawns.
static bool isCandidate(Function &function) {
  return !function.isDeclaration() && hasFittingShape(function) &&
         any_of(instructions(function), [](Instruction &inst) { return calleeName(inst) == kSpawnBeginMarker; });
}

static void remark(Function &task, bool hasSeveral) {
  emitRemark(task, "Reduced", lineOf(task),
             quotedName(task) + " returns what it adds to its reducer" + (hasSeveral ? "s" : "") +
                 ", so its tasks look up no views",
             false);
}

bool ReturnReducedPass::runOn(Module &module, Module &) {
  Function *lookup = module.getFunction(kHyperLookup);
  if (!lookup || lookup->use_empty())
    return true;
  for (Function &function : module)
    if (isCandidate(function)) {
      SmallPtrSet<const Instruction *, 32> spawned; // a spawned call stays one
      markRegions(function, kSpawnBeginMarker, kSpawnEndMarker, spawned);
      inlineMembers(function, spawned);
    }
  Monoids monoids;
  const ReducingFunctions functions(module, monoids);
  ReducedForms reduced;
  std::vector<std::unique_ptr<ValueToValueMapTy>> copies;
  for (Function *function : functions.getArrayRef()) {
    copies.push_back(std::make_unique<ValueToValueMapTy>());
    reduced[function] = createReduced(*function, functions.reducersOf(function), monoids, *copies.back());
  }
  createUpdatingElisions(functions, reduced);
  for (auto [function, copiesOf] : zip(functions.getArrayRef(), copies))
    ReducedBody(*function, reduced, functions, *copiesOf).rewrite();
  MapVector<Function *, SmallVector<Instruction *>> lookups; // copies, since the next loop erases code
  for (Function *task : findCilkFunctions(module))
    if (functions.contains(task))
      lookups[task] = copyLookups(functions.reducersOf(task));
  for (auto &[task, views] : lookups) {
    remark(*task, views.size() > 1);
    callReduced(*task, reduced[task], views);
  }
  return true;
}
