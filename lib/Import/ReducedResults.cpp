// Lets recursive functions that only add to a reducer return what they add:
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
// This is right because
//
// - the operation is one on integers whose order does not matter, and the reducer's functions are known to be it;
// - no code that the function reaches reads the reducer, or may read it;
// - nothing leaves the function by an exception.
//
// Only one reducer is returned. Functions that return another value, and functions that update the reducer in a
// cilk_for or in a spawned block, are left as they are.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"
#include "ReducerFunctions.h"
#include "ReducerOperations.h"

#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// The reducer that a function updates: a variable of the program, or an argument of the function.
struct Reducer {
  Value *object = nullptr;
  CallBase *lookup = nullptr; ///< one of those that the function or a callee has

  bool isKnown() const { return object != nullptr; }
};

} // namespace

namespace {

/// Functions of a unit that can return what they add to a reducer.
class ReducingFunctions {
public:
  ReducingFunctions(Module &module, Monoids &monoids)
      : library{TargetLibraryInfoImpl(module.getTargetTriple()), /*hasCxx=*/false}, monoids(monoids) {
    for (Function &function : module)
      if (!function.isDeclaration() && canLookUp(function))
        touching.insert(&function);
    closeOverCallers();
    for (Function *function : touching)
      if (hasFittingShape(*function))
        fitting.insert(function);
    findReducers();
    dropUnfit();
    keepRecursive();
  }

  ArrayRef<Function *> getArrayRef() const { return fitting.getArrayRef(); }
  bool contains(Function *function) const { return fitting.contains(function); }
  const Reducer &reducerOf(Function *function) const { return reducers.find(function)->second; }

private:
  Function *calleeOf(const Instruction &inst) const {
    auto *call = dyn_cast<CallBase>(&inst);
    return call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
  }
  /// Returns true if the function itself looks up a view, or calls something unknown.
  bool canLookUp(Function &function) const {
    return any_of(instructions(function), [&](Instruction &inst) { return mayLookUp(inst, library); });
  }
  void closeOverCallers();
  bool hasFittingShape(Function &function) const;
  bool areSpawnsPlain(BasicBlock &block) const;
  void findReducers();
  bool takeFrom(Function &caller, CallBase &call);
  bool isFit(Function &function) const;
  void dropUnfit();
  void keepRecursive();

  const KnownLibraries library;
  Monoids &monoids;
  SetVector<Function *> touching; ///< may look up a view, themselves or by what they call
  SetVector<Function *> fitting;
  DenseMap<Function *, Reducer> reducers;
};

} // namespace

void ReducingFunctions::closeOverCallers() {
  for (unsigned i = 0; i < touching.size(); ++i)
    for (User *user : touching[i]->users())
      if (auto *inst = dyn_cast<Instruction>(user))
        touching.insert(inst->getFunction());
}

/// Returns true if each spawn of a block that may touch a reducer is a statement with one call.
bool ReducingFunctions::areSpawnsPlain(BasicBlock &block) const {
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

bool ReducingFunctions::hasFittingShape(Function &function) const {
  if (!function.getReturnType()->isVoidTy() || function.isVarArg() || function.hasOptNone() ||
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

/// Finds the reducers of functions that have lookups, and then those of their callers.
void ReducingFunctions::findReducers() {
  for (Function *function : fitting)
    for (Instruction &inst : instructions(function))
      if (calleeName(inst) == kHyperLookup && !reducers[function].isKnown())
        if (Value *object = writtenValue(cast<CallBase>(inst).getArgOperand(0)); isa<Constant, Argument>(object))
          reducers[function] = {object, cast<CallBase>(&inst)};
  for (bool changed = true; changed;) {
    changed = false;
    for (Function *function : fitting)
      for (Instruction &inst : instructions(function))
        if (fitting.contains(calleeOf(inst)))
          changed |= takeFrom(*function, cast<CallBase>(inst));
  }
}

/// Returns the reducer of a callee as its caller sees it.
static Value *objectAt(const Reducer &ofCallee, CallBase &call) {
  auto *argument = dyn_cast_or_null<Argument>(ofCallee.object);
  return argument ? writtenValue(call.getArgOperand(argument->getArgNo())) : ofCallee.object;
}

/// Takes the reducer of a callee if the caller has none. Returns true if it did.
bool ReducingFunctions::takeFrom(Function &caller, CallBase &call) {
  const Reducer ofCallee = reducers.lookup(calleeOf(call));
  Reducer &own = reducers[&caller];
  if (own.isKnown() || !ofCallee.isKnown())
    return false;
  Value *object = objectAt(ofCallee, call);
  if (!isa<Constant, Argument>(object))
    return false;
  own = {object, ofCallee.lookup};
  return true;
}

/// Returns true if a function only updates its reducer, and so do all functions that it calls.
bool ReducingFunctions::isFit(Function &function) const {
  const Reducer own = reducers.lookup(&function);
  const std::optional<Monoid> monoid = own.isKnown() ? monoids.of(*own.lookup) : std::nullopt;
  if (!monoid)
    return false;
  bool isInSpawn = false;
  for (Instruction &inst : instructions(function)) {
    if (calleeName(inst) == kSpawnBeginMarker || calleeName(inst) == kSpawnEndMarker)
      isInSpawn = calleeName(inst) == kSpawnBeginMarker;
    Function *callee = calleeOf(inst);
    if (calleeName(inst) == kHyperLookup) {
      auto &lookup = cast<CallBase>(inst);
      if (isInSpawn || writtenValue(lookup.getArgOperand(0)) != own.object || monoids.of(lookup) != monoid ||
          !findUpdate(lookup, *monoid))
        return false;
    } else if (fitting.contains(callee)) {
      const Reducer ofCallee = reducers.lookup(callee);
      if (objectAt(ofCallee, cast<CallBase>(inst)) != own.object || monoids.of(*ofCallee.lookup) != monoid)
        return false;
    } else if (mayLookUp(inst, library) || touching.contains(callee)) {
      return false;
    }
  }
  return true;
}

void ReducingFunctions::dropUnfit() {
  while (true) {
    SmallVector<Function *> unfit;
    for (Function *function : fitting)
      if (!isFit(*function))
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

namespace {

/// Makes the function that returns what another one adds.
class ReducedBody {
public:
  ReducedBody(Function &body, const Monoid &monoid, const DenseMap<Function *, Function *> &reduced)
      : body(body), monoid(monoid), reduced(reduced) {}

  void rewrite() {
    IRBuilder<> builder(&body.getEntryBlock(), body.getEntryBlock().begin());
    own = builder.CreateAlloca(monoid.type, nullptr, "own");
    children = builder.CreateAlloca(monoid.type, nullptr, "children");
    builder.CreateStore(monoid.neutral(), own);
    builder.CreateStore(monoid.neutral(), children);
    syncBeforeReturns();
    SmallVector<Instruction *> before; // rewriting erases loads and stores
    for (Instruction &inst : instructions(body))
      if (isa<CallBase, ReturnInst>(inst))
        before.push_back(&inst);
    for (Instruction *inst : before)
      rewrite(*inst);
  }

private:
  void rewrite(Instruction &inst);
  void update(CallBase &lookup);
  void addResult(CallBase &call);
  void addChildren(Instruction *before);
  void syncBeforeReturns();

  Function &body;
  const Monoid monoid;
  const DenseMap<Function *, Function *> &reduced;
  AllocaInst *own = nullptr, *children = nullptr;
  CallBase *spawn = nullptr; ///< the marker that begins the spawn at hand
};

} // namespace

void ReducedBody::rewrite(Instruction &inst) {
  const StringRef name = calleeName(inst);
  if (name == kHyperLookup) {
    update(cast<CallBase>(inst));
  } else if (name == kSpawnBeginMarker) {
    spawn = cast<CallBase>(&inst);
  } else if (name == kSpawnEndMarker) {
    spawn = nullptr;
  } else if (name == kSyncMarker || name == kReturnSyncMarker) {
    addChildren(inst.getNextNode());
  } else if (auto *call = dyn_cast<CallBase>(&inst);
             call && reduced.contains(dyn_cast<Function>(call->getCalledOperand()))) {
    addResult(*call);
  } else if (isa<ReturnInst>(inst)) {
    IRBuilder<> builder(&inst);
    builder.CreateRet(builder.CreateLoad(monoid.type, own));
    inst.eraseFromParent();
  }
}

/// Updates the own value in place of the view. Orders that the source does not have may overflow where it does not.
void ReducedBody::update(CallBase &lookup) {
  const ReducerUpdate update = *findUpdate(lookup, monoid);
  IRBuilder<> builder(update.load);
  update.load->replaceAllUsesWith(builder.CreateLoad(monoid.type, own));
  update.operation->dropPoisonGeneratingFlags();
  builder.SetInsertPoint(update.store);
  builder.CreateStore(update.operation, own);
  for (Instruction *inst :
       {cast<Instruction>(update.store), cast<Instruction>(update.load), cast<Instruction>(&lookup)})
    inst->eraseFromParent();
}

/// Calls the function that returns what it adds.
void ReducedBody::addResult(CallBase &call) {
  IRBuilder<> builder(&call);
  Function *callee = reduced.lookup(cast<Function>(call.getCalledOperand()));
  CallInst *result = builder.CreateCall(callee, SmallVector<Value *>(call.args()));
  result->setAttributes(call.getAttributes());
  result->setCallingConv(call.getCallingConv());
  if (spawn) {
    spawn->setArgOperand(1, children);
    builder.CreateAtomicRMW(monoid.atomic(), children, result, MaybeAlign(), AtomicOrdering::Monotonic);
  } else {
    builder.CreateStore(builder.CreateBinOp(monoid.operation, builder.CreateLoad(monoid.type, own), result), own);
  }
  call.eraseFromParent();
}

/// Adds what children have added, behind a sync.
void ReducedBody::addChildren(Instruction *before) {
  IRBuilder<> builder(before);
  Value *sum = builder.CreateBinOp(monoid.operation, builder.CreateLoad(monoid.type, own),
                                   builder.CreateLoad(monoid.type, children));
  builder.CreateStore(sum, own);
  builder.CreateStore(monoid.neutral(), children);
}

/// Inserts syncs where children may run when the function returns. A path without children gets none.
void ReducedBody::syncBeforeReturns() {
  // Blocks at whose ends children may run.
  SmallPtrSet<BasicBlock *, 16> outstanding;
  auto runsAtEnd = [&](BasicBlock &block, bool runs) {
    for (Instruction &inst : block)
      if (const StringRef name = calleeName(inst); name == kSpawnEndMarker)
        runs = true;
      else if (name == kSyncMarker || name == kReturnSyncMarker)
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

/// Returns a function with the same parameters and a result, and the code of a function in it. The result is not
/// written yet.
static Function *createReduced(Function &function, Type *type) {
  auto *functionType = FunctionType::get(type, function.getFunctionType()->params(), false);
  Function *result = Function::Create(functionType, GlobalValue::InternalLinkage, function.getAddressSpace(),
                                      function.getName() + ".reduced", function.getParent());
  ValueToValueMapTy map;
  for (auto [from, to] : zip(function.args(), result->args())) {
    to.setName(from.getName());
    map[&from] = &to;
  }
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(result, &function, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  result->setLinkage(GlobalValue::InternalLinkage);
  result->setVisibility(GlobalValue::DefaultVisibility);
  result->setComdat(nullptr);
  return result;
}

/// Lets a Cilk function add the result of the new function to its reducer, with a lookup that stands nowhere yet. The
/// sync keeps it a Cilk function.
static void callReduced(Function &function, Function &reduced, Instruction *lookup, const Monoid &monoid) {
  const GlobalValue::LinkageTypes linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  function.setSubprogram(nullptr);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  CallInst *result = builder.CreateCall(&reduced, arguments);
  result->setCallingConv(reduced.getCallingConv());
  AttributeList attributes = reduced.getAttributes();
  for (unsigned i = 0; i < function.arg_size(); ++i)
    for (Attribute attribute : attributes.getParamAttrs(i))
      result->addParamAttr(i, attribute);
  builder.CreateCall(function.getParent()->getOrInsertFunction(kSyncMarker, builder.getVoidTy()));
  builder.Insert(lookup);
  Value *sum = builder.CreateBinOp(monoid.operation, builder.CreateLoad(monoid.type, lookup), result);
  builder.CreateStore(sum, lookup);
  builder.CreateRetVoid();
}

/// Returns true if a function may become one of those that return what they add: it spawns, and has no result.
static bool isCandidate(Function &function) {
  return function.getReturnType()->isVoidTy() && !function.hasOptNone() &&
         any_of(instructions(function), [](Instruction &inst) { return calleeName(inst) == kSpawnBeginMarker; });
}

bool ReturnReducedPass::runOn(Module &module, Module &) {
  Function *lookup = module.getFunction(kHyperLookup);
  if (!lookup || lookup->use_empty())
    return true;
  for (Function &function : module)
    if (isCandidate(function))
      inlineMembers(function);
  Monoids known;
  const ReducingFunctions functions(module, known);
  DenseMap<Function *, Function *> reduced;
  MapVector<Function *, Monoid> monoids;
  for (Function *function : functions.getArrayRef()) {
    monoids.insert({function, *known.of(*functions.reducerOf(function).lookup)});
    reduced[function] = createReduced(*function, monoids[function].type);
  }
  for (auto &[function, monoid] : monoids)
    ReducedBody(*reduced[function], monoid, reduced).rewrite();
  MapVector<Function *, Instruction *> lookups; // copies, since the next loop erases code
  for (Function *task : findCilkFunctions(module))
    if (functions.contains(task)) {
      const Reducer &reducer = functions.reducerOf(task);
      auto *copy = cast<CallBase>(lookups[task] = reducer.lookup->clone());
      copy->setDebugLoc(DebugLoc());
      copy->setArgOperand(0, reducer.object);
    }
  for (auto &[task, copy] : lookups) {
    emitRemark(*task, "Reduced", lineOf(*task),
               quotedName(*task) + " returns what it adds to its reducer, so its tasks look up no views", false);
    callReduced(*task, *reduced[task], copy, monoids[task]);
  }
  return true;
}
