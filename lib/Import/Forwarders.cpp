// Makes forwarders part of the graph. A forwarder is an ordinary function through which a task calls a Cilk function.
// Without this pass, the Cilk function's entry would find that it runs in a task, and would run its elision. The call
// with all that it does would be one task.
//
//   long half(T *p) { return solve(p->next); }         solve is a Cilk function, half is its forwarder
//   x = cilk_spawn half(p);  ->  x = cilk_spawn half.cilk(p);   a copy of half that is a Cilk function
//   x = half(p);             ->  x = solve(p->next);            inlined, or
//                                x = half.cilk(p);              if it cannot be, and always calls solve
//
// Inlined code waits only where it calls a Cilk function, and costs nothing elsewhere. A copy costs a task for each
// call, which takes a hundred times as long as a call. So a copy pays only if each of its calls has a task anyway.
//
// A call stays as it is if the program could observe that the Cilk function becomes a task:
// - a handler in the caller would catch exceptions of the Cilk function;
// - other tasks would wait for a lock that the caller holds;
// - the caller would find changes in data of its thread.
// Such a call runs as one task, as it would without this pass.
#include "Extract.h"
#include "HeldState.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"
#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <set>

using namespace llvm;
using namespace cilk2gpu;

/// Attribute of a call that is to become part of the graph. The value is the way: inlined, called or spawned.
static constexpr char kForwardAttr[] = "cilk2gpu-forward";
static constexpr StringLiteral kSpawned = "spawned", kCalled = "called", kInlined = "inlined";

/// Most bytes of locals of all functions that are inlined into one function. The locals may move into frames, and each
/// task has a frame.
static constexpr uint64_t kMostGrownLocals = 2048;

/// Most instructions in Clang's unoptimised code: of a function that is inlined, and of all functions that are inlined
/// into one function.
static constexpr unsigned kMostInlined = 500, kMostGrowth = 4000;

/// Most calls of tasks that inlining adds to one function. Each call begins a kernel, which contains all code behind
/// the call.
static constexpr unsigned kMostGrownCalls = 16;

/// Reasons in remarks why a call stays as it is.
static constexpr char kHeld[] = "the caller may hold a lock, or use data of its thread, across the call";
static constexpr char kNotWorthIt[] =
    "not every call of the function leads there, and it is too large, or recursive, to be inlined";

using Functions = SmallPtrSet<const Function *, 16>;

//===-- Which calls can be of tasks -------------------------------------------------------------------------------===//

namespace {

/// Answers questions about the surroundings of an instruction: spawns, loops and handlers.
class Surroundings {
public:
  explicit Surroundings(Function &function, const Functions &cilkFunctions);
  bool isInSpawn(const Instruction &inst) const { return spawned.contains(&inst); }
  bool isInLoop(const Instruction &inst) const { return loops.lookup(&inst) != nullptr; }
  bool isInHandler(const Instruction &inst) const { return handled.contains(&inst); }
  /// Returns true if the iterations of the cilk_for around an instruction become single tasks anyway.
  bool isInCilkLoop(const Instruction &inst) const { return cilkLoops.contains(loops.lookup(&inst)); }
  /// Returns true if children that were spawned after a call may still run when control reaches the call again.
  bool isAmongSpawns(const CallBase &call) const;

private:
  void markHandlers(const Function &function);
  void markBlock(CallInst &begin);
  bool leavesBlock(const Instruction &end, const CallBase &call) const;

  const Functions &cilkFunctions;
  SmallPtrSet<const Instruction *, 32> spawned, handled;
  DenseMap<const Instruction *, const CallInst *> loops; ///< instruction -> begin of the innermost cilk_for around it
  SmallPtrSet<const CallInst *, 4> cilkLoops;
  DenseMap<const Value *, SmallPtrSet<const Instruction *, 16>> blocks; ///< number of a spawned block -> its code
};

} // namespace

Surroundings::Surroundings(Function &function, const Functions &cilkFunctions) : cilkFunctions(cilkFunctions) {
  SmallVector<CallInst *> begins;
  for (Instruction &inst : instructions(function)) {
    if (calleeName(inst) == kSpawnBeginMarker)
      markRegion(cast<CallInst>(inst), kSpawnEndMarker, [&](const Instruction &inside) { spawned.insert(&inside); });
    if (calleeName(inst) == kForBeginMarker)
      begins.push_back(cast<CallInst>(&inst));
    if (calleeName(inst) == kSpawnedBlockBeginMarker)
      markBlock(cast<CallInst>(inst));
  }
  for (CallInst *begin : begins)
    markRegion(*begin, kForEndMarker, [&](const Instruction &inside) {
      auto *call = dyn_cast<CallBase>(&inside);
      if (calleeName(inside) == kSpawnBeginMarker || calleeName(inside) == kSyncMarker ||
          calleeName(inside) == kForBeginMarker || (call && cilkFunctions.contains(call->getCalledFunction())))
        cilkLoops.insert(begin);
      // The begin of an inner loop is marked as being in the outer loop.
      const CallInst *&innermost = loops[&inside];
      if (!innermost || loops.lookup(begin) == innermost)
        innermost = begin;
    });
  markHandlers(function);
}

/// Notes the code of a spawned block. Its calls are as good as those in an iteration of a cilk_for with children: the
/// block is a task of its own.
void Surroundings::markBlock(CallInst &begin) {
  cilkLoops.insert(&begin);
  markRegion(begin, kSpawnedBlockEndMarker, [&](const Instruction &inside) {
    loops.try_emplace(&inside, &begin);
    blocks[begin.getArgOperand(0)].insert(&inside);
  });
}

/// Returns true if `end` ends a spawned block that contains the call.
bool Surroundings::leavesBlock(const Instruction &end, const CallBase &call) const {
  auto block = blocks.find(calleeName(end) == kSpawnedBlockEndMarker ? end.getOperand(0) : nullptr);
  return block != blocks.end() && block->second.contains(&call);
}

/// Marks the instructions that may run between the landing of an exception and the end of its handler.
void Surroundings::markHandlers(const Function &function) {
  SetVector<std::pair<const BasicBlock *, unsigned>> states;
  for (const BasicBlock &block : function)
    if (block.isLandingPad())
      states.insert({&block, 0});
  for (unsigned i = 0; i < states.size(); ++i) {
    auto [block, depth] = states[i];
    bool ended = false;
    for (const Instruction &inst : *block) {
      handled.insert(&inst);
      depth += calleeName(inst) == "__cxa_begin_catch";
      if (calleeName(inst) != "__cxa_end_catch")
        continue;
      if ((ended = depth <= 1))
        break;
      --depth;
    }
    if (!ended)
      for (const BasicBlock *next : successors(block))
        states.insert({next, depth});
  }
}

bool Surroundings::isAmongSpawns(const CallBase &call) const {
  SetVector<std::pair<const BasicBlock *, char>> states;
  auto scan = [&](BasicBlock::const_iterator first, const BasicBlock *block, bool spawns) {
    for (const Instruction &inst : make_range(first, block->end())) {
      if (&inst == &call && spawns)
        return true;
      StringRef name = calleeName(inst);
      auto *other = dyn_cast<CallBase>(&inst);
      if (leavesBlock(inst, call))
        return false;
      spawns |= name == kSpawnEndMarker || name == kSpawnedBlockEndMarker;
      if (name == kSyncMarker || name == kReturnSyncMarker || name == kForBeginMarker ||
          (other && !isInSpawn(inst) && cilkFunctions.contains(other->getCalledFunction())))
        return false;
    }
    for (const BasicBlock *next : successors(block))
      states.insert({next, char(spawns)});
    return false;
  };
  bool found = scan(std::next(call.getIterator()), call.getParent(), false);
  for (unsigned i = 0; i < states.size() && !found; ++i)
    found = scan(states[i].first->begin(), states[i].first, states[i].second);
  return found;
}

/// Returns true if a handler of the user can be reached from `pad`.
static bool catches(const BasicBlock *pad) {
  SmallSetVector<const BasicBlock *, 8> blocks;
  blocks.insert(pad);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    if (any_of(*blocks[i], [](const Instruction &inst) { return calleeName(inst) == "__cxa_begin_catch"; }))
      return true;
    blocks.insert_range(successors(blocks[i]));
  }
  return false;
}

//===-- The plan --------------------------------------------------------------------------------------------------===//

namespace {

/// Amounts by which inlining enlarges a function.
struct Growth {
  uint64_t instructions = 0, locals = 0, calls = 0;

  void add(const Growth &other) {
    instructions += other.instructions;
    locals += other.locals;
    calls += other.calls;
  }
  bool isTooMuch() const { return instructions > kMostGrowth || locals > kMostGrownLocals || calls > kMostGrownCalls; }
};

class Forwarders {
public:
  explicit Forwarders(Module &module);
  void run();

private:
  bool isCilk(const Function *function) const { return cilkFunctions.contains(function); }
  bool isForwarder(const Function *function) const { return forwarders.contains(function); }

  void findReaching();
  void findSpawned();
  void findForwarders();
  bool leadsToTasks(Function &function);
  void markCalls(Function &function);
  const char *whyNot(CallBase &call);
  const char *whyNotPlace(CallBase &call);
  const char *whyNotPlaceInCilkFunction(CallBase &call);
  const char *whyNotInCilkFunction(CallBase &call);
  bool alwaysReaches(const Function &function);
  const Surroundings &around(Function &function);
  SmallVector<CallBase *> reachingCalls(Function &function) const;

  void report();
  void reportPointers(Function &caller);
  void reportCall(CallBase &call);
  void remark(CallBase &call, const Twine &text, bool missed) const;
  void remarkOnce(CallBase &call, const Twine &text, const Function *caller);

  void split(Function &function);
  bool canInline(const Function &into, const Function &forwarder);
  bool canBePart(const Function &forwarder) const;
  bool callsItself(const Function &forwarder) const;
  Growth growthBy(const Function &forwarder) const;
  void inlineCall(CallBase &call);
  Function *taskOf(Function &forwarder);
  void redirect(CallBase &call);

  Module &module;
  Functions cilkFunctions;                    ///< functions with markers
  MapVector<Function *, Function *> reaching; ///< ordinary function -> a Cilk function that it reaches
  Functions tasks;                            ///< Cilk functions, and ordinary functions that reach them
  SmallPtrSet<const CallBase *, 16> spawned;
  Functions forwarders;                    ///< ordinary functions that can be part of the graph
  DenseMap<const Function *, bool> always; ///< forwarders that return only after a call of a Cilk function
  DenseMap<const Function *, bool> parts;  ///< for each examined function, true if it can be inlined
  DenseMap<const Function *, std::unique_ptr<Surroundings>> surroundings;
  std::optional<HeldState> held;
  std::set<std::pair<const Function *, std::string>> said; ///< remarks about missed chances that were emitted
  DenseMap<Function *, Function *> copies;
  SmallVector<Function *> work; ///< Cilk functions whose calls are to be split
};

} // namespace

Forwarders::Forwarders(Module &module) : module(module) {
  for (Function *function : findCilkFunctions(module)) {
    cilkFunctions.insert(function);
    work.push_back(function);
  }
}

const Surroundings &Forwarders::around(Function &function) {
  std::unique_ptr<Surroundings> &found = surroundings[&function];
  if (!found)
    found = std::make_unique<Surroundings>(function, cilkFunctions);
  return *found;
}

void Forwarders::findReaching() {
  SmallVector<Function *> callees(work);
  erase_if(callees, [](Function *function) { return function->getName() == "main"; });
  while (!callees.empty()) {
    Function *callee = callees.pop_back_val();
    Function *cilk = isCilk(callee) ? callee : reaching.lookup(callee);
    for (User *user : callee->users()) {
      auto *call = dyn_cast<CallBase>(user);
      Function *caller = call && call->getCalledFunction() == callee ? call->getFunction() : nullptr;
      if (caller && !isCilk(caller) && caller->getName() != "main" && reaching.insert({caller, cilk}).second)
        callees.push_back(caller);
    }
  }
  tasks = cilkFunctions;
  for (auto &[function, cilk] : reaching)
    tasks.insert(function);
}

void Forwarders::findSpawned() {
  for (Function *function : work)
    for (Instruction &inst : instructions(*function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && around(*function).isInSpawn(inst))
        spawned.insert(call);
}

/// Returns the calls of Cilk functions, and of functions that reach Cilk functions.
SmallVector<CallBase *> Forwarders::reachingCalls(Function &function) const {
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst);
        call && call->getCalledFunction() && tasks.contains(call->getCalledFunction()))
      calls.push_back(call);
  return calls;
}

/// Returns the reason why the position of a call, in a function that runs as a task, does not allow a call of another
/// task. Returns null if there is none.
const char *Forwarders::whyNotPlace(CallBase &call) {
  if (call.hasOperandBundles() || call.isMustTailCall())
    return "a task cannot be called with operand bundles or by a mandatory tail call";
  if (auto *invoke = dyn_cast<InvokeInst>(&call); invoke && catches(invoke->getUnwindDest()))
    return "it stands in a try statement, whose handlers cannot catch exceptions of tasks";
  if (around(*call.getFunction()).isInHandler(call))
    return "it stands in a handler, which cannot wait";
  return nullptr;
}

/// Returns the reason why a call cannot, or should not, become a call of another task, or null. A call of a forwarder
/// should not if the forwarder cannot be inlined and does not always reach a Cilk function.
const char *Forwarders::whyNot(CallBase &call) {
  if (const char *reason = whyNotPlace(call))
    return reason;
  if (held->holdsAcross(call))
    return kHeld;
  if (!isForwarder(call.getCalledFunction()) || canInline(*call.getFunction(), *call.getCalledFunction()))
    return nullptr;
  if (!alwaysReaches(*call.getCalledFunction()))
    return kNotWorthIt;
  return held->holdsAroundTask(call) ? kHeld : nullptr;
}

/// Returns the reason of whyNotPlace for a call in a function with markers, which may have other children. An empty
/// reason is not reported.
const char *Forwarders::whyNotPlaceInCilkFunction(CallBase &call) {
  Function &caller = *call.getFunction();
  const Surroundings &place = around(caller);
  if (caller.getName() == "main" && !place.isInLoop(call))
    return ""; // an ordinary call runs the graph
  if (place.isAmongSpawns(call))
    return "it would wait for children that the loop around it spawns";
  return whyNotPlace(call);
}

const char *Forwarders::whyNotInCilkFunction(CallBase &call) {
  const Surroundings &place = around(*call.getFunction());
  if (place.isInSpawn(call))
    return nullptr;
  if (place.isInLoop(call) && !place.isInCilkLoop(call) && !alwaysReaches(*call.getCalledFunction()))
    return "not every iteration leads there, so one task runs many iterations";
  const char *reason = whyNotPlaceInCilkFunction(call);
  return reason ? reason : whyNot(call);
}

/// Returns true if all paths through a forwarder call a Cilk function.
bool Forwarders::alwaysReaches(const Function &function) {
  auto [it, isNew] = always.try_emplace(&function, false);
  if (!isNew)
    return it->second;
  SmallSetVector<const BasicBlock *, 16> blocks;
  blocks.insert(&function.getEntryBlock());
  auto reaches = [&](const Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (isCilk(callee) || (isForwarder(callee) && alwaysReaches(*callee)));
  };
  for (unsigned i = 0; i < blocks.size(); ++i) {
    if (any_of(*blocks[i], reaches))
      continue;
    if (isa<ReturnInst>(blocks[i]->getTerminator()))
      return false;
    blocks.insert_range(successors(blocks[i]));
  }
  return always[&function] = true;
}

/// Returns true if splitting an ordinary function pays because of one of its calls, and all its calls of Cilk functions
/// allow it.
bool Forwarders::leadsToTasks(Function &function) {
  if (whyNotSplit(function))
    return false;
  bool leads = false;
  for (CallBase *call : reachingCalls(function)) {
    bool reachesNow = isCilk(call->getCalledFunction()) || isForwarder(call->getCalledFunction());
    bool allowed = reachesNow && !whyNot(*call);
    if (!allowed && isCilk(call->getCalledFunction()))
      return false;
    leads |= allowed;
  }
  return leads;
}

void Forwarders::findForwarders() {
  for (bool changed = true; changed;) {
    changed = false;
    always.clear(); // with more forwarders, more calls may always reach
    for (auto &[function, cilk] : reaching)
      if (!isForwarder(function) && leadsToTasks(*function)) {
        forwarders.insert(function);
        changed = true;
      }
  }
  always.clear();
}

void Forwarders::markCalls(Function &function) {
  for (CallBase *call : reachingCalls(function)) {
    if (!isForwarder(call->getCalledFunction()))
      continue;
    StringRef how = spawned.contains(call) ? kSpawned : held->holdsAroundTask(*call) ? kInlined : kCalled;
    if (!(isCilk(&function) ? whyNotInCilkFunction(*call) : whyNot(*call)))
      call->addFnAttr(Attribute::get(module.getContext(), kForwardAttr, how));
  }
}

//===-- Remarks ---------------------------------------------------------------------------------------------------===//

static std::string callOf(const Function &callee) { return "the call of " + quotedName(callee); }

void Forwarders::remark(CallBase &call, const Twine &text, bool missed) const {
  emitRemark(*call.getFunction(), missed ? "NotSplit" : "Split", DiagnosticLocation(call.getDebugLoc()), text, missed);
}

/// Emits a remark on a missed chance once: for each caller, or once at all if `caller` is null.
void Forwarders::remarkOnce(CallBase &call, const Twine &text, const Function *caller) {
  if (said.insert({caller, text.str()}).second)
    remark(call, text, /*missed=*/true);
}

/// Reports calls through pointers that may lead to Cilk functions. Spawned calls are left out, because they compare the
/// pointer with such functions.
void Forwarders::reportPointers(Function &caller) {
  for (Instruction &inst : instructions(caller)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call || isa<Constant>(call->getCalledOperand()) || call->isInlineAsm() || spawned.contains(call))
      continue;
    auto *found = find_if(work, [&](const Function *function) {
      return function->getFunctionType() == call->getFunctionType() && function->hasAddressTaken();
    });
    if (found != work.end())
      remarkOnce(*call,
                 "a call through a pointer may be of " + quotedName(**found) +
                     ", which then runs as one task, because the called function is not known; spawn it",
                 &caller);
  }
}

/// Reports a call that leads to a Cilk function through ordinary functions, or the last call on such a way.
void Forwarders::reportCall(CallBase &call) {
  Function *caller = call.getFunction(), *callee = call.getCalledFunction();
  if (isCilk(callee) && (isCilk(caller) || isForwarder(caller)))
    return;
  std::string what = callOf(*callee);
  std::string leads = isCilk(callee) ? "" : "leads to " + quotedName(*reaching.lookup(callee));
  if (call.hasFnAttr(kForwardAttr))
    return remark(call, what + ", which " + leads + ", is part of the graph", /*missed=*/false);
  const char *reason = isCilk(caller) ? whyNotInCilkFunction(call) : whyNot(call);
  if (reason == kHeld && !isCilk(callee) && !isForwarder(callee))
    reason = nullptr;
  // Other reasons hold for each call of the function, so they are reported once.
  const Function *where = isCilk(callee) || (reason && reason != kNotWorthIt) ? caller : nullptr;
  if (!reason)
    reason = whyNotSplit(isCilk(callee) ? *caller : *callee);
  if (!reason)
    reason = isCilk(callee) ? "another call in the same function cannot wait"
                            : "the called function is not split; a remark in it says why";
  if (*reason)
    remarkOnce(call, what + " " + (leads.empty() ? "" : leads + ", which ") + "runs as one task: " + reason, where);
}

/// Reports the treatment of all calls that lead to Cilk functions, in Cilk functions and in ordinary functions that
/// these call.
void Forwarders::report() {
  SetVector<Function *> callers(work.begin(), work.end());
  for (unsigned i = 0; i < callers.size(); ++i) {
    if (callers[i]->getName() != "main") // main is no task: a call through a pointer runs the graph
      reportPointers(*callers[i]);
    for (CallBase *call : reachingCalls(*callers[i])) {
      if (!isCilk(call->getCalledFunction()))
        callers.insert(call->getCalledFunction());
      reportCall(*call);
    }
  }
}

//===-- Splitting -------------------------------------------------------------------------------------------------===//

bool Forwarders::callsItself(const Function &forwarder) const {
  SmallSetVector<const Function *, 8> reached;
  reached.insert(&forwarder);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const Instruction &inst : instructions(*reached[i])) {
      auto *call = dyn_cast<CallBase>(&inst);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee == &forwarder)
        return true;
      if (callee && tasks.contains(callee) && !isCilk(callee))
        reached.insert(callee);
    }
  return false;
}

/// Returns the bytes of locals that will not become registers.
static uint64_t sizeOfLocals(const Function &function) {
  uint64_t bytes = 0;
  for (const Instruction &inst : instructions(function))
    if (auto *local = dyn_cast<AllocaInst>(&inst); local && local->getAllocatedType()->isAggregateType())
      if (std::optional<TypeSize> size = local->getAllocationSize(function.getDataLayout()))
        bytes += *size;
  return bytes;
}

static uint64_t sizeOf(const Function &function) {
  return count_if(instructions(function),
                  [](const Instruction &inst) { return !isa<AllocaInst, DbgInfoIntrinsic>(inst); });
}

/// Returns true if a forwarder can be inlined into its callers. Inlining happens at all levels of optimisation, because
/// Cilk functions are in SSA form at all levels.
bool Forwarders::canBePart(const Function &forwarder) const {
  // Variables of variable size would belong to the calling task, and would not be freed at the end of the call.
  auto &function = const_cast<Function &>(forwarder);
  return sizeOf(forwarder) <= kMostInlined && !growthBy(forwarder).isTooMuch() && !hasDynamicLocals(function) &&
         !callsItself(forwarder) && isInlineViable(function).isSuccess();
}

bool Forwarders::canInline(const Function &into, const Function &forwarder) {
  auto [it, isNew] = parts.try_emplace(&forwarder);
  if (isNew)
    it->second = canBePart(forwarder);
  return it->second && haveSameTarget(into, forwarder);
}

/// Returns the growth of a function by inlining `forwarder`. The calls in it replace the call of the forwarder itself.
Growth Forwarders::growthBy(const Function &forwarder) const {
  uint64_t calls = 0;
  for (CallBase *call : reachingCalls(const_cast<Function &>(forwarder)))
    calls += isCilk(call->getCalledFunction()) || isForwarder(call->getCalledFunction());
  return {sizeOf(forwarder), sizeOfLocals(forwarder), calls > 1 ? calls - 1 : 0};
}

void Forwarders::inlineCall(CallBase &call) {
  call.removeFnAttr(kForwardAttr);
  inlineOrdinary(call);
}

Function *Forwarders::taskOf(Function &forwarder) {
  Function *&copy = copies[&forwarder];
  if (copy)
    return copy;
  ValueToValueMapTy mapping;
  copy = CloneFunction(&forwarder, mapping);
  copy->setName(forwarder.getName() + ".cilk");
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  copy->setComdat(nullptr);
  copy->setDSOLocal(true);
  copy->addFnAttr(kTaskFunctionAttr);
  work.push_back(copy);
  return copy;
}

void Forwarders::redirect(CallBase &call) {
  Function *forwarder = call.getCalledFunction(), *copy = taskOf(*forwarder);
  call.removeFnAttr(kForwardAttr);
  call.setCalledFunction(copy);
  if (Function *marker = module.getFunction(kSpawnCalleeMarker))
    for (User *user : marker->users())
      if (auto *named = dyn_cast<CallBase>(user); named && named->getFunction() == call.getFunction() &&
                                                  named->getArgOperand(0)->stripPointerCasts() == forwarder)
        named->setArgOperand(0, copy);
}

static CallBase *findMarked(Function &function) {
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst); call && call->hasFnAttr(kForwardAttr))
      return call;
  return nullptr;
}

void Forwarders::split(Function &function) {
  Growth grown;
  while (CallBase *call = findMarked(function)) {
    const Function &forwarder = *call->getCalledFunction();
    StringRef how = call->getFnAttr(kForwardAttr).getValueAsString();
    bool isSpawned = how == kSpawned;
    Growth more = grown;
    if (!isSpawned)
      more.add(growthBy(forwarder));
    if (!isSpawned && !more.isTooMuch() && canInline(function, forwarder)) {
      inlineCall(*call);
      grown = more;
    } else if (isSpawned || (how == kCalled && alwaysReaches(forwarder))) {
      redirect(*call);
    } else {
      call->removeFnAttr(kForwardAttr);
      remarkOnce(*call,
                 callOf(forwarder) + " runs as one task here: too much code is inlined into " + quotedName(function),
                 &function);
    }
  }
}

void Forwarders::run() {
  findReaching();
  findSpawned();
  if (reaching.empty())
    return report();
  held.emplace(module, tasks, cilkFunctions, spawned, [&](CallBase &call) {
    return !(isCilk(call.getFunction()) ? whyNotPlaceInCilkFunction(call) : whyNotPlace(call));
  });
  findForwarders();
  for (Function *function : SmallVector<Function *>(work))
    markCalls(*function);
  for (auto &[function, cilk] : reaching)
    if (isForwarder(function))
      markCalls(*function);
  report();
  while (!work.empty())
    split(*work.pop_back_val());
  for (auto &[function, cilk] : reaching)
    while (CallBase *call = findMarked(*function))
      call->removeFnAttr(kForwardAttr);
}

bool SplitForwardersPass::runOn(Module &module, Module &) {
  Forwarders(module).run();
  return true;
}
