// See HeldState.h. What may take or give back is found for each function of the module, with all that it calls: code
// that is not there may do both, but for libraries that are known.
#include "HeldState.h"

#include "cilk2gpu/Frontend/Markers.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace cilk2gpu;

/// The body that a call of `function` runs for sure.
static bool hasKnownBody(const Function &function) { return !function.isDeclaration() && !function.isInterposable(); }

/// Parts of languages' run-time libraries, and of sanitizers', that keep nothing for their callers. An exception under
/// way is kept, but not across a call of a task: those stand outside of handlers.
static bool isRuntime(StringRef name) {
  constexpr StringLiteral prefixes[] = {"__cilk2gpu_", "__ubsan_", "__asan_", "__cxa_", "_ZSt9terminate"};
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); }) &&
         !name.starts_with("__cxa_guard_") && name != "__cxa_get_globals";
}

static bool isKnownLibrary(const Function &callee, const TargetLibraryInfo &library) {
  constexpr LibFunc holding[] = {LibFunc_flockfile, LibFunc_ftrylockfile, LibFunc_funlockfile, LibFunc_atomic_load,
                                 LibFunc_atomic_store};
  LibFunc known;
  return library.getLibFunc(callee, known) && library.has(known) && !is_contained(holding, known);
}

HeldState::HeldState(Module &module, const SmallPtrSetImpl<const Function *> &tasks,
                     const SmallPtrSetImpl<const CallBase *> &spawned)
    : tasks(tasks), spawned(spawned), implementation(module.getTargetTriple()), library(implementation) {
  DenseMap<const Function *, SmallVector<const Function *, 4>> callers;
  SmallVector<const Function *> changed;
  for (const Function &function : module) {
    if (!hasKnownBody(function) || tasks.contains(&function))
      continue;
    SmallVector<const Function *> callees;
    if ((summaries[&function] = ownEffects(function, callees)) != None)
      changed.push_back(&function);
    for (const Function *callee : callees)
      callers[callee].push_back(&function);
  }
  while (!changed.empty()) {
    const Function *callee = changed.pop_back_val();
    for (const Function *caller : callers.lookup(callee)) {
      unsigned &summary = summaries[caller];
      if ((summary | summaries[callee]) == summary)
        continue;
      summary |= summaries[callee];
      changed.push_back(caller);
    }
  }
}

unsigned HeldState::ownEffects(const Function &function, SmallVectorImpl<const Function *> &callees) const {
  unsigned effects = None;
  for (const Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && hasKnownBody(*callee) && !call->doesNotReturn())
      callees.push_back(callee);
    else
      effects |= effectsOf(inst);
  }
  return effects;
}

unsigned HeldState::effectsOf(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  if (tasks.contains(callee) || spawned.contains(&call))
    return None;
  if (!callee)
    return call.doesNotReturn() ? None : Both;
  switch (callee->getIntrinsicID()) {
  case Intrinsic::threadlocal_address:
  case Intrinsic::thread_pointer:
  case Intrinsic::read_register:
  case Intrinsic::write_register:
    return Both;
  case Intrinsic::not_intrinsic:
    break;
  default:
    return None;
  }
  if (call.doesNotReturn() || isRuntime(callee->getName()))
    return None;
  if (hasKnownBody(*callee))
    return summaries.lookup(callee);
  return isKnownLibrary(*callee, library) ? None : Both;
}

/// A local variable is volatile for its debugger, or for a handler of signals.
static bool isLocal(const Value *pointer) { return isa<AllocaInst>(getUnderlyingObject(pointer)); }

/// To take something is to see in an atomic operation that nobody has it. A count that is changed shows nothing:
/// waiting for a turn looks at it again.
unsigned HeldState::effectsOf(const Instruction &inst) const {
  if (auto *call = dyn_cast<CallBase>(&inst))
    return effectsOf(*call);
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst)) {
    bool counts = is_contained({AtomicRMWInst::Add, AtomicRMWInst::Sub}, update->getOperation());
    return update->use_empty() || counts ? Gives : Both;
  }
  if (isa<AtomicCmpXchgInst, FenceInst>(inst))
    return Both;
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return load->isAtomic() || (load->isVolatile() && !isLocal(load->getPointerOperand())) ? Takes : None;
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return store->isAtomic() || (store->isVolatile() && !isLocal(store->getPointerOperand())) ? Gives : None;
  return None;
}

HeldState::BlockStates HeldState::flow(const Function &function) const {
  BlockStates states;
  SmallVector<const BasicBlock *> takers, givers;
  for (const BasicBlock &block : function) {
    unsigned effects = None;
    for (const Instruction &inst : block)
      effects |= effectsOf(inst);
    if (effects & Takes)
      takers.push_back(&block);
    if (effects & Gives)
      givers.push_back(&block);
  }
  auto mark = [&](const BasicBlock *block, unsigned effect, SmallVectorImpl<const BasicBlock *> &work) {
    if (!(states[block] & effect)) {
      states[block] |= effect;
      work.push_back(block);
    }
  };
  while (!takers.empty())
    for (const BasicBlock *next : successors(takers.pop_back_val()))
      mark(next, Takes, takers);
  while (!givers.empty())
    for (const BasicBlock *before : predecessors(givers.pop_back_val()))
      mark(before, Gives, givers);
  return states;
}

bool HeldState::holdsAcross(const CallBase &call) {
  const BasicBlock *block = call.getParent();
  auto [it, isNew] = flows.try_emplace(call.getFunction());
  if (isNew)
    it->second = flow(*call.getFunction());
  unsigned states = it->second.lookup(block);
  bool isBefore = true;
  for (const Instruction &inst : *block) {
    if (&inst == &call)
      isBefore = false;
    else
      states |= effectsOf(inst) & (isBefore ? Takes : Gives);
  }
  return states == Both;
}
