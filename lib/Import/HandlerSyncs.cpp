// Inserts syncs where an exception lands in a task with outstanding children. Children that a try block spawned may use
// its locals, which are destroyed before the handler runs. A thrown exception belongs to its thread, but a task may go
// on in another thread after a sync. So an object holds the exception during the sync, and it is thrown again behind
// the sync.
#include "DeferExceptions.h"
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// A state of control: a block, the number of handlers around it, and true if children may be outstanding. `table` is
/// the table of ordered children that may not have started, or null.
struct State {
  BasicBlock *block;
  unsigned depth;
  bool outstanding;
  Value *table = nullptr;
  auto operator<=>(const State &) const = default;
};

/// Finds the invokes outside of handlers at which children may be outstanding. In a handler there are none: a handler
/// does not spawn, and earlier children end before the handler begins.
class OutstandingWalk {
public:
  OutstandingWalk(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions) : cilkFunctions(cilkFunctions) {
    enter({&function.getEntryBlock(), 0, false});
    for (unsigned i = 0; i < worklist.size(); ++i)
      scan(worklist[i]);
  }
  SmallMapVector<InvokeInst *, Value *, 4> found; ///< with the tables of their ordered children

private:
  void enter(State state) {
    if (seen.insert({state.block, state.depth * 4 + state.outstanding * 2 + (state.table != nullptr)}).second)
      worklist.push_back(state);
  }
  void scan(State state);
  void step(CallBase &call, State &state);

  const SmallPtrSetImpl<Function *> &cilkFunctions;
  DenseSet<std::pair<BasicBlock *, unsigned>> seen;
  SmallVector<State> worklist;
};

} // namespace

void OutstandingWalk::step(CallBase &call, State &state) {
  Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  if (name == "__cxa_begin_catch")
    ++state.depth;
  else if (name == "__cxa_end_catch" && state.depth)
    --state.depth;
  else if (name == kSpawnEndMarker || name == kSpawnedBlockEndMarker)
    state.outstanding = true;
  else if (name == kDependAdd)
    state.table = call.getArgOperand(0);
  else if (name == kSyncMarker || name == kReturnSyncMarker || name == kForBeginMarker || name == kForEndMarker ||
           cilkFunctions.contains(callee))
    state.outstanding = false;
  if (name == kSyncMarker || name == kReturnSyncMarker || name == kForBeginMarker)
    state.table = nullptr;
}

void OutstandingWalk::scan(State state) {
  bool isSpawned = false;
  for (Instruction &inst : *state.block)
    if (auto *call = dyn_cast<CallBase>(&inst)) {
      // The call between the markers of a spawn does not sync.
      bool before = state.outstanding;
      StringRef name = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
      step(*call, state);
      isSpawned = name == kSpawnBeginMarker || (isSpawned && name != kSpawnEndMarker);
      if (isSpawned)
        state.outstanding |= before;
    }
  auto *invoke = dyn_cast<InvokeInst>(state.block->getTerminator());
  if (!invoke) {
    for (BasicBlock *next : successors(state.block))
      enter({next, state.depth, state.outstanding, state.table});
    return;
  }
  enter({invoke->getNormalDest(), state.depth, state.outstanding, state.table});
  bool syncs = (state.outstanding || state.table) && state.depth == 0;
  if (syncs)
    if (Value *&table = found[invoke]; !table)
      table = state.table;
  enter({invoke->getUnwindDest(), state.depth, state.outstanding && !syncs, syncs ? nullptr : state.table});
}

/// Returns the function that runs the ordered children of a table.
static Function *runOf(Value *table) {
  for (User *user : table->users())
    if (auto *call = dyn_cast<CallBase>(user))
      if (Function *run = calledRun(*call))
        return run;
  return nullptr;
}

/// Makes a landing pad that lands the same exceptions as `pad`, syncs, and throws them again to `pad`. Runs the ordered
/// children of `table`, unless it is null, before the sync.
static BasicBlock *createHoldingPad(BasicBlock *pad, Value *table) {
  Function &function = *pad->getParent();
  Module &module = *function.getParent();
  BasicBlock *holding = BasicBlock::Create(module.getContext(), "", &function, pad);
  BasicBlock *never = BasicBlock::Create(module.getContext(), "", &function);
  new UnreachableInst(module.getContext(), never);
  Instruction *landing = pad->getLandingPadInst()->clone();
  landing->insertInto(holding, holding->end());
  IRBuilder<> builder(holding);
  builder.SetCurrentDebugLocation(landing->getDebugLoc());
  Type *pointer = builder.getPtrTy();
  Value *held = builder.CreateCall(
      module.getOrInsertFunction("__cilk2gpu_hold_exception", FunctionType::get(pointer, {pointer}, false)),
      {builder.CreateExtractValue(landing, 0)});
  if (Function *run = table ? runOf(table) : nullptr)
    builder.CreateCall(run, {table});
  createSync(builder);
  FunctionCallee rethrow =
      module.getOrInsertFunction("__cilk2gpu_throw_held", FunctionType::get(builder.getVoidTy(), {pointer}, false));
  InvokeInst *thrown = builder.CreateInvoke(rethrow, never, pad, {held});
  thrown->setDoesNotReturn();
  return holding;
}

static void syncBeforeHandlers(Function &function, const SmallPtrSetImpl<Function *> &cilkFunctions,
                               function_ref<bool(BasicBlock *)> isTasks) {
  SmallMapVector<std::pair<BasicBlock *, Value *>, SmallVector<InvokeInst *>, 4> pads;
  for (auto [invoke, table] : OutstandingWalk(function, cilkFunctions).found)
    if (isTasks(invoke->getUnwindDest()) || table)
      pads[{invoke->getUnwindDest(), table}].push_back(invoke);
  for (auto &[key, invokes] : pads) {
    assert(key.first->phis().empty() && "Clang's code for unwinding has values in variables");
    BasicBlock *holding = createHoldingPad(key.first, key.second);
    for (InvokeInst *invoke : invokes)
      invoke->setUnwindDest(holding);
  }
}

/// Handles the landing pads of tasks. main is not a task, but iterations of its loops are.
bool SyncBeforeHandlersPass::runOn(Module &module, Module &) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  SmallPtrSet<Function *, 16> cilkFunctions(functions.begin(), functions.end());
  for (Function *function : functions) {
    bool lands = any_of(*function, [](BasicBlock &block) { return block.isLandingPad(); });
    if (!lands || function->hasFnAttribute(kDefersAttr))
      continue;
    bool isMain = function->getName() == "main";
    SmallPtrSet<BasicBlock *, 4> loopPads = isMain ? padsInLoops(*function) : SmallPtrSet<BasicBlock *, 4>();
    syncBeforeHandlers(*function, cilkFunctions, [&](BasicBlock *pad) { return !isMain || loopPads.contains(pad); });
  }
  return true;
}
