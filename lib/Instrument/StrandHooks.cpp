// Makes the instrumented elision of a translation unit. Markers become calls of hooks, and a cilk_for becomes a loop:
//
//   spawn_begin(1); %r = call @f(%x); store %r; spawn_end(1)
//   ->  call strand_spawn(@site); %r = call @f(%x); store %r; call strand_return()
//
// A spawned block is a child with the parts of a function: `spawn`, `enter`, the block, `leave`, `return`.
//
// An exception may leave a child, an iteration or the function. So each landing pad calls `unwind`, and each way out of
// the function calls `leave`.
#include "InstrumentPasses.h"
#include "Sites.h"

#include "Import/Extract.h"
#include "Import/SerialLoop.h"
#include "cilk2gpu/Support/DoacrossPlan.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/abi/Records.h"
#include "cilk2gpu/abi/StrandHooks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Replaces the markers of one function.
class HookInserter {
public:
  HookInserter(Function &function, Sites &sites)
      : function(function), module(*function.getParent()), sites(sites), context(function.getContext()) {}

  void run();

private:
  FunctionCallee hook(StringRef name, ArrayRef<Type *> parameters, Type *result = nullptr);
  CallInst *call(Instruction *before, StringRef name, ArrayRef<Value *> arguments);
  Constant *site(const Instruction &at, unsigned kind, StringRef callee = "") {
    return sites.make(function, at.getDebugLoc(), kind, callee);
  }
  void replaceLoops();
  void replaceSpawns();
  void replaceBlocks();
  std::pair<Value *, unsigned> partAt(BasicBlock *pad, unsigned loops);
  void replaceSyncs();
  void enter();
  void unwindAtPads();
  void leave();

  Function &function;
  Module &module;
  Sites &sites;
  LLVMContext &context;
  Value *token = nullptr; ///< the number of this call of the function
  /// The hooks that begin loops, with the blocks from which control reaches the end of the same loop.
  DenseMap<Instruction *, SmallPtrSet<BasicBlock *, 16>> loopBlocks;
  SmallPtrSet<Instruction *, 4> loopEnds;
  /// The hooks that enter spawned blocks, with the hook that leaves the same block and the number of loops around it.
  MapVector<Instruction *, std::pair<Instruction *, unsigned>> spawnedBlocks;
};

} // namespace

FunctionCallee HookInserter::hook(StringRef name, ArrayRef<Type *> parameters, Type *result) {
  FunctionCallee callee = module.getOrInsertFunction(
      ("__cilk2gpu_strand_" + name).str(),
      FunctionType::get(result ? result : Type::getVoidTy(context), parameters, /*isVarArg=*/false));
  if (auto *declaration = dyn_cast<Function>(callee.getCallee()))
    declaration->setDoesNotThrow();
  return callee;
}

CallInst *HookInserter::call(Instruction *before, StringRef name, ArrayRef<Value *> arguments) {
  SmallVector<Type *, 2> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  IRBuilder<> builder(before);
  if (!builder.getCurrentDebugLocation() && function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(context, 0, 0, function.getSubprogram()));
  return builder.CreateCall(hook(name, types), arguments);
}

/// Returns the blocks from which control reaches `end` without a new start of the loop. An exception that leaves the
/// loop leads to other blocks.
static SmallPtrSet<BasicBlock *, 16> blocksOfLoop(Instruction *start, Instruction *end) {
  SmallPtrSet<BasicBlock *, 16> blocks;
  SmallVector<BasicBlock *> work(predecessors(end->getParent()));
  while (!work.empty())
    if (BasicBlock *block = work.pop_back_val(); block != start->getParent() && blocks.insert(block).second)
      append_range(work, predecessors(block));
  return blocks;
}

/// Returns the blocks to which exceptions lead, directly or through other blocks.
static SmallPtrSet<BasicBlock *, 16> blocksBehindPads(Function &function) {
  SmallPtrSet<BasicBlock *, 16> blocks;
  SmallVector<BasicBlock *> work;
  for (BasicBlock &block : function)
    if (block.isLandingPad())
      work.push_back(&block);
  while (!work.empty())
    if (BasicBlock *block = work.pop_back_val(); blocks.insert(block).second)
      append_range(work, successors(block));
  return blocks;
}

void HookInserter::replaceLoops() {
  SmallVector<std::pair<Instruction *, Instruction *>> loops;
  for (CallInst *begin : markersIn(function, kForBeginMarker)) {
    CallInst *end = findLoopEnd(*begin);
    if (!end)
      continue;
    Constant *place = site(*begin, kCilk2gpuLoopSite);
    SerialLoop loop = makeSerialLoop(begin, end);
    call(loop.start, "loop", {place, loop.count});
    Instruction *startHook = loop.start->getPrevNode();
    call(&*loop.body->getFirstInsertionPt(), "iteration", {loop.index});
    Instruction *first = &*loop.after->getFirstInsertionPt();
    call(first, "loop_end", {});
    loopEnds.insert(first->getPrevNode());
    loops.emplace_back(startHook, first->getPrevNode());
  }
  for (auto [start, end] : loops) // the blocks are final now
    loopBlocks[start] = blocksOfLoop(start, end);
}

/// Returns true for calls that Clang adds to the user's calls.
static bool isAdded(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && (callee->isIntrinsic() || callee->getName().starts_with("__ubsan_") ||
                    callee->getName().starts_with("__cilk2gpu_race_"));
}

/// A marked spawn: its calls in order, and its markers.
struct MarkedSpawn {
  SmallVector<CallBase *> calls;
  CallInst *callee = nullptr, *end = nullptr;
};

/// Follows control flow from the begin marker to the end marker, without the ways that exceptions take.
static MarkedSpawn followSpawn(CallInst &begin) {
  MarkedSpawn spawn;
  SmallSetVector<BasicBlock *, 8> blocks;
  auto scan = [&](BasicBlock::iterator first, BasicBlock *block) {
    for (Instruction &inst : make_range(first, block->end())) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call)
        continue;
      StringRef name = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
      if (name == kSpawnEndMarker && call->getArgOperand(0) == begin.getArgOperand(0)) {
        spawn.end = cast<CallInst>(call);
        return;
      }
      if (name == kSpawnCalleeMarker)
        spawn.callee = cast<CallInst>(call);
      else if (!isAdded(*call))
        spawn.calls.push_back(call);
    }
    if (auto *invoke = dyn_cast<InvokeInst>(block->getTerminator()))
      blocks.insert(invoke->getNormalDest());
    else
      blocks.insert_range(successors(block));
  };
  scan(std::next(begin.getIterator()), begin.getParent());
  for (unsigned i = 0; i < blocks.size(); ++i)
    scan(blocks[i]->begin(), blocks[i]);
  return spawn;
}

/// Returns the call that the child begins with. Calls before it construct arguments, and calls behind it convert the
/// result and destroy objects.
static CallBase *findSpawned(const MarkedSpawn &spawn) {
  if (spawn.calls.empty())
    return nullptr;
  if (!spawn.callee)
    return spawn.calls.front();
  auto called = [](CallBase *call) { return call->getCalledOperand()->stripPointerCasts(); };
  Value *target = spawn.callee->getArgOperand(0)->stripPointerCasts();
  for (CallBase *call : reverse(spawn.calls))
    if (called(call) == target)
      return call;
  for (CallBase *call : reverse(spawn.calls))
    if (!isa<Function>(called(call)))
      return call;
  return spawn.calls.back();
}

void HookInserter::replaceSpawns() {
  for (CallInst *begin : markersIn(function, kSpawnBeginMarker)) {
    MarkedSpawn spawn = followSpawn(*begin);
    // A spawned function that became an instruction of the processor leaves no call.
    CallBase *first = findSpawned(spawn);
    auto *target = first ? dyn_cast<Function>(first->getCalledOperand()->stripPointerCasts()) : nullptr;
    Constant *place = site(*begin, kCilk2gpuSpawnSite, target ? nameInSource(*target) : "(pointer)");
    call(first ? cast<Instruction>(first) : begin, "spawn", {place});
    // The parent copies arguments that are passed by value. Inlining would move the copies behind the hook.
    for (unsigned i = 0; first && i < first->arg_size(); ++i)
      if (first->isByValArgument(i))
        first->setIsNoInline();
    if (spawn.end) {
      call(spawn.end, "return", {});
      spawn.end->eraseFromParent();
    }
    if (spawn.callee)
      spawn.callee->eraseFromParent();
    begin->eraseFromParent();
  }
}

void HookInserter::replaceBlocks() {
  SmallVector<CallInst *> ends = markersIn(function, kSpawnedBlockEndMarker);
  for (CallInst *begin : markersIn(function, kSpawnedBlockBeginMarker)) {
    call(begin, "spawn", {site(*begin, kCilk2gpuSpawnSite, "(block)")});
    IRBuilder<> builder(begin);
    CallInst *part = builder.CreateCall(hook("enter", {builder.getPtrTy()}, builder.getInt32Ty()),
                                        {site(*begin, kCilk2gpuFunctionSite)});
    auto end = find_if(ends, [&](CallInst *each) { return each->getArgOperand(0) == begin->getArgOperand(0); });
    if (end != ends.end()) {
      call(*end, "leave", {part});
      spawnedBlocks[part] = {(*end)->getPrevNode(), 0};
      call(*end, "return", {});
      (*end)->eraseFromParent();
      ends.erase(end);
    }
    begin->eraseFromParent();
  }
}

/// Returns the number of the innermost function or spawned block whose code handles exceptions at `pad`, and the number
/// of its loops around the pad.
std::pair<Value *, unsigned> HookInserter::partAt(BasicBlock *pad, unsigned loops) {
  std::pair<Value *, unsigned> result{token, loops};
  size_t smallest = function.size() + 1;
  for (auto &[begin, end] : spawnedBlocks) {
    if (begin->getParent() == end.first->getParent())
      continue; // no pad
    SmallPtrSet<BasicBlock *, 16> inside = blocksOfLoop(begin, end.first);
    if (!inside.contains(pad) || inside.size() >= smallest)
      continue;
    smallest = inside.size();
    result = {begin, loops - std::min(loops, end.second)};
  }
  return result;
}

void HookInserter::replaceSyncs() {
  for (const char *name : {kSyncMarker, kReturnSyncMarker})
    for (CallInst *marker : markersIn(function, name)) {
      CallInst *sync = call(marker, "sync", {site(*marker, kCilk2gpuSyncSite)});
      if (name == kReturnSyncMarker)
        sync->setMetadata(kReturnSyncMetadata, MDNode::get(context, {}));
      marker->eraseFromParent();
    }
}

void HookInserter::enter() {
  BasicBlock::iterator at = function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> builder(&*at);
  if (DISubprogram *program = function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(context, program->getScopeLine(), 0, program));
  Constant *place = sites.make(function, DebugLoc(), kCilk2gpuFunctionSite);
  token = builder.CreateCall(hook("enter", {builder.getPtrTy()}, builder.getInt32Ty()), {place});
}

/// Calls `unwind` in each block to which an exception leads, and where ways of exceptions out of different loops join.
void HookInserter::unwindAtPads() {
  using Loops = SmallVector<Instruction *, 4>;
  DenseMap<BasicBlock *, Loops> atEnd;
  MapVector<BasicBlock *, unsigned> pads;
  ReversePostOrderTraversal<Function *> order(&function);
  SmallPtrSet<BasicBlock *, 16> behindPads = blocksBehindPads(function);
  auto isInside = [&](Instruction *loop, BasicBlock *block) {
    return loopBlocks[loop].contains(block) || !behindPads.contains(block) ||
           any_of(*block, [&](Instruction &inst) { return loopEnds.contains(&inst); });
  };
  auto common = [](const Loops &left, const Loops &right) {
    Loops result;
    for (auto [one, other] : zip(left, right)) {
      if (one != other)
        break;
      result.push_back(one);
    }
    return result;
  };
  for (bool changed = true; std::exchange(changed, false);)
    for (BasicBlock *block : order) {
      std::optional<Loops> open;
      bool differs = false;
      for (BasicBlock *before : predecessors(block))
        if (auto it = atEnd.find(before); it != atEnd.end()) {
          differs |= open && *open != it->second;
          open = open ? common(*open, it->second) : it->second;
        }
      Loops loops = open.value_or(Loops());
      while (!loops.empty() && !isInside(loops.back(), block)) {
        loops.pop_back();
        differs = true;
      }
      if (block->isLandingPad() || differs)
        pads[block] = loops.size();
      for (Instruction &inst : *block) {
        if (auto part = spawnedBlocks.find(&inst); part != spawnedBlocks.end())
          part->second.second = loops.size();
        if (loopBlocks.contains(&inst))
          loops.push_back(&inst);
        else if (loopEnds.contains(&inst) && !loops.empty())
          loops.pop_back();
      }
      auto [it, isNew] = atEnd.try_emplace(block, loops);
      changed |= isNew || it->second != loops;
      it->second = loops;
    }
  for (auto [block, loops] : pads) {
    auto [part, own] = partAt(block, loops);
    call(&*block->getFirstInsertionPt(), "unwind", {part, ConstantInt::get(Type::getInt32Ty(context), own)});
  }
}

void HookInserter::leave() {
  EscapeEnumerator exits(function, "cilk2gpu.leave", /*HandleExceptions=*/true);
  while (IRBuilder<> *builder = exits.Next()) {
    if (!builder->getCurrentDebugLocation() && function.getSubprogram())
      builder->SetCurrentDebugLocation(DILocation::get(context, 0, 0, function.getSubprogram()));
    builder->CreateCall(hook("leave", {builder->getInt32Ty()}), {token});
  }
}

void HookInserter::run() {
  // Spawns first: a search for a spawned call must not meet hooks.
  replaceSpawns();
  replaceBlocks();
  replaceSyncs();
  replaceLoops();
  enter();
  unwindAtPads();
  leave();
  function.removeFnAttr(Attribute::Memory);
  function.removeFnAttr(Attribute::WillReturn);
}

PreservedAnalyses StrandHooksPass::run(Module &module, ModuleAnalysisManager &) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  Sites sites(module);
  for (Function *function : functions)
    HookInserter(*function, sites).run();
  // A function that spawns nothing may still have returns that wait.
  if (Function *wait = module.getFunction(kReturnSyncMarker))
    for (User *user : make_early_inc_range(wait->users()))
      if (auto *call = dyn_cast<CallInst>(user))
        call->eraseFromParent();
  if (Function *add = module.getFunction(kDependAdd); add && isInOrder)
    add->replaceAllUsesWith(
        module.getOrInsertFunction(kDependAddInElision, add->getFunctionType(), add->getAttributes()).getCallee());
  // Tiles of the fixed sizes show missing dependences between them.
  if (Function *plan = module.getFunction(kDoacrossPlan))
    for (User *user : make_early_inc_range(plan->users())) {
      user->replaceAllUsesWith(ConstantInt::get(user->getType(), abi::kDoacrossFixed));
      cast<CallInst>(user)->eraseFromParent();
    }
  for (const char *name :
       {kSpawnBeginMarker, kSpawnCalleeMarker, kSpawnEndMarker, kSyncMarker, kReturnSyncMarker, kForBeginMarker,
        kForEndMarker, kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker, kDependAdd})
    if (Function *marker = module.getFunction(name); marker && marker->use_empty())
      marker->eraseFromParent();
  return PreservedAnalyses::none();
}
