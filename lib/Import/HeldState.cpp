// See HeldState.h. For each function of the module, together with the functions that it calls, the analysis finds
// whether it may take or give back state such as a lock. Code that is not visible may do both, except for known
// libraries.
#include "HeldState.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns true if a call of `function` certainly runs the body in this module.
static bool hasKnownBody(const Function &function) { return !function.isDeclaration() && !function.isInterposable(); }

/// Returns true for functions of languages' run-time libraries and of sanitizers that hold nothing for their callers.
/// They hold an exception that is being thrown, but not across a call of a task, because calls of tasks stand outside
/// of handlers.
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

/// Returns true for functions that change the mode of floating-point arithmetic. Intrinsics are handled elsewhere.
static bool setsMode(StringRef name) {
  constexpr StringLiteral names[] = {"fesetround", "fesetenv",       "feholdexcept",    "feupdateenv",
                                     "fesetmode",  "feenableexcept", "fedisableexcept", "fesetprec",
                                     "_controlfp", "_controlfp_s",   "__setfpucw"};
  return is_contained(names, name);
}

/// Returns true for functions that read or change data of the thread.
static bool knowsThread(StringRef name) {
  constexpr StringLiteral names[] = {
      "pthread_getspecific", "pthread_setspecific", "pthread_self", "tss_get", "tss_set", "thrd_current", "gettid",
      "__errno_location"};
  return is_contained(names, name);
}

/// Returns true for intrinsics that change only memory that their arguments point to, or have no effect that a program
/// can observe.
static bool isHarmless(const IntrinsicInst &call) {
  const Function &intrinsic = *call.getCalledFunction();
  if (intrinsic.doesNotAccessMemory() || isa<InstrProfInstBase>(call))
    return true;
  switch (call.getIntrinsicID()) {
  case Intrinsic::allow_runtime_check:
  case Intrinsic::allow_ubsan_check:
  case Intrinsic::assume:
  case Intrinsic::debugtrap:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::fake_use:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::prefetch:
  case Intrinsic::pseudoprobe:
  case Intrinsic::ptr_annotation:
  case Intrinsic::sideeffect:
  case Intrinsic::stackrestore:
  case Intrinsic::stacksave:
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
  case Intrinsic::vacopy:
  case Intrinsic::vaend:
  case Intrinsic::var_annotation:
  case Intrinsic::vastart:
    return true;
  default:
    // An intrinsic of a target may only read its argument and still change a register, as ldmxcsr does.
    return intrinsic.onlyAccessesArgMemory() && !intrinsic.isTargetIntrinsic();
  }
}

HeldState::HeldState(Module &module, const Functions &tasks, const Functions &cilkFunctions,
                     const SmallPtrSetImpl<const CallBase *> &spawned, function_ref<bool(CallBase &)> mayBePart)
    : tasks(tasks), cilkFunctions(cilkFunctions), spawned(spawned), implementation(module.getTargetTriple()),
      library(implementation) {
  summarise(module);
  for (const Function &function : module)
    if (tasks.contains(&function) && !function.isDeclaration())
      findCallEffects(function);
  spread(mayBePart);
}

//===-- What functions do -----------------------------------------------------------------------------------------===//

void HeldState::summarise(Module &module) {
  DenseMap<const Function *, SmallVector<const Function *, 4>> callers;
  SmallVector<const Function *> changed;
  for (const Function &function : module) {
    if (!hasKnownBody(function))
      continue;
    SmallVector<const Function *> callees;
    unsigned effects = ownEffects(function, callees);
    summaries[&function] = effects;
    if (effects != None)
      changed.push_back(&function);
    for (const Function *callee : callees)
      callers[callee].push_back(&function);
  }
  while (!changed.empty()) {
    const Function *callee = changed.pop_back_val();
    unsigned effects = forCallers(*callee);
    for (const Function *caller : callers.lookup(callee)) {
      unsigned &summary = summaries[caller];
      if ((summary | effects) == summary)
        continue;
      summary |= effects;
      changed.push_back(caller);
    }
  }
}

unsigned HeldState::ownEffects(const Function &function, SmallVectorImpl<const Function *> &callees) const {
  unsigned effects = None;
  for (const Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? calleeOf(*call) : nullptr;
    if (callee && hasKnownBody(*callee) && !call->doesNotReturn() && !spawned.contains(call))
      callees.push_back(callee);
    effects |= effectsOf(inst);
  }
  return effects;
}

/// Returns the effects of a call of a function with a body. A task takes nothing for its caller, but may use state that
/// the caller has left in its thread.
unsigned HeldState::forCallers(const Function &callee) const {
  unsigned effects = summaries.lookup(&callee);
  return cilkFunctions.contains(&callee) ? effects & GivesOwn : effects & ~UsesArgument;
}

unsigned HeldState::effectsOf(const CallBase &call) const {
  const Function *callee = calleeOf(call);
  if (spawned.contains(&call))
    return None;
  if (!callee || (call.doesNotReturn() && !callee->isIntrinsic()))
    return call.doesNotReturn() ? None : effectsOfUnknown(call);
  switch (callee->getIntrinsicID()) {
  case Intrinsic::threadlocal_address:
  case Intrinsic::thread_pointer:
  case Intrinsic::read_register:
  case Intrinsic::read_volatile_register:
  case Intrinsic::write_register:
    return Own;
  case Intrinsic::not_intrinsic:
    break;
  default:
    return isHarmless(cast<IntrinsicInst>(call)) ? usesOfArguments(call) : Both | Sets | usesOfArguments(call);
  }
  if (isRuntime(callee->getName()))
    return None;
  if (cilkFunctions.contains(callee))
    return forCallers(*callee);
  if (hasKnownBody(*callee))
    return forCallers(*callee) | usesOfArguments(call);
  return isKnownLibrary(*callee, library) ? usesOfArguments(call) : effectsOfUnknown(call);
}

static bool holdsPointers(const Type *type) {
  return type->isPtrOrPtrVectorTy() || any_of(type->subtypes(), [](const Type *part) { return holdsPointers(part); });
}

/// Returns the effects of a call of code that is not visible or not known. The call may return a pointer to data of the
/// thread, or leave the pointer in a local of the caller.
unsigned HeldState::effectsOfUnknown(const CallBase &call) const {
  unsigned effects = Both | usesOfArguments(call);
  StringRef name = calleeOf(call) ? calleeOf(call)->getName() : "";
  if (call.isInlineAsm() || setsMode(name))
    effects |= Sets;
  if (knowsThread(name))
    effects |= Own;
  auto isLocal = [](const Value *argument) {
    return argument->getType()->isPointerTy() && isa<AllocaInst>(getUnderlyingObject(argument));
  };
  return holdsPointers(call.getType()) || any_of(call.args(), isLocal) ? effects | Obtains : effects;
}

unsigned HeldState::usesOfArguments(const CallBase &call) const {
  unsigned uses = None;
  for (const Use &argument : call.args())
    if (holdsPointers(argument->getType()))
      uses |= usesThrough(argument);
  return uses;
}

/// Returns Uses or UsesArgument if memory that `pointer` leads to may be data of the thread. The function itself, or
/// its caller, may have obtained the pointer. `seen` are the variables that are being examined. A cycle of variables
/// adds nothing: its values come from outside of the cycle.
unsigned HeldState::usesThrough(const Value *pointer, Variables &seen) const {
  if (!pointer->getType()->isPointerTy())
    return isa<Constant>(pointer) ? None : Uses;
  unsigned uses = None;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *object : objects) {
    auto *call = dyn_cast<CallBase>(object);
    const Function *callee = call ? calleeOf(*call) : nullptr;
    if (isa<AllocaInst, Constant>(object) || (callee && isKnownLibrary(*callee, library) && call->returnDoesNotAlias()))
      continue;
    auto *load = dyn_cast<LoadInst>(object);
    if (auto *variable = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr)
      uses |= usesThroughVariable(*variable, seen);
    else
      uses |= isa<Argument>(object) ? UsesArgument : Uses;
  }
  return uses;
}

unsigned HeldState::usesThrough(const Value *pointer) const {
  Variables seen;
  return usesThrough(pointer, seen);
}

/// Returns the same for a pointer loaded from a local variable that only holds a pointer. Clang puts arguments into
/// such variables.
unsigned HeldState::usesThroughVariable(const AllocaInst &variable, Variables &seen) const {
  if (auto known = variables.find(&variable); known != variables.end())
    return known->second;
  bool isFirst = seen.empty();
  if (!seen.insert(&variable).second)
    return None;
  unsigned uses = None;
  for (const User *user : variable.users()) {
    auto *store = dyn_cast<StoreInst>(user);
    auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    auto *other = dyn_cast<LoadInst>(user);
    if (store && store->getValueOperand() != &variable && store->getValueOperand()->getType()->isPointerTy())
      uses |= usesThrough(store->getValueOperand(), seen);
    else if (!(intrinsic && intrinsic->isLifetimeStartOrEnd()) && !(other && other->getType()->isPointerTy()))
      uses |= Uses;
  }
  if (isFirst)
    variables[&variable] = uses;
  return uses;
}

/// Returns true if the pointer leads to a local variable. A volatile local variable is for a debugger or a signal
/// handler.
static bool isLocal(const Value *pointer) { return isa<AllocaInst>(getUnderlyingObject(pointer)); }

/// Returns true if nothing depends on a value: it is unused, or only stored in variables that are unused.
static bool isUnseen(const Value &value, unsigned depth = 0) {
  return depth < 8 && all_of(
                          value.users(),
                          [&](const User *user) {
                            if (isa<BinaryOperator, CastInst, ExtractValueInst>(user))
                              return isUnseen(*user, depth + 1);
                            auto *store = dyn_cast<StoreInst>(user);
                            auto *variable = store ? dyn_cast<AllocaInst>(store->getPointerOperand()) : nullptr;
                            return variable && store->getValueOperand() == &value &&
                                   all_of(variable->users(), [&](const User *other) {
                                     auto *intrinsic = dyn_cast<IntrinsicInst>(other);
                                     if (intrinsic && intrinsic->isLifetimeStartOrEnd())
                                       return true;
                                     if (auto *write = dyn_cast<StoreInst>(other))
                                       return write->getPointerOperand() == variable &&
                                              write->getValueOperand() != variable;
                                     return isa<LoadInst>(other) && isUnseen(*other, depth + 1);
                                   });
                          });
}

/// Returns the effects of an instruction. A thread takes a lock when an atomic operation shows that no thread holds it.
/// An atomic update whose result is unused shows nothing, so it only gives back.
unsigned HeldState::effectsOf(const Instruction &inst) const {
  if (auto *call = dyn_cast<CallBase>(&inst))
    return effectsOf(*call);
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    return (isUnseen(*update) ? Gives : Both) | usesThrough(update->getPointerOperand());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    return Both | usesThrough(exchange->getPointerOperand());
  if (isa<FenceInst>(inst))
    return Both;
  const Value *pointer = getLoadStorePointerOperand(&inst);
  if (!pointer)
    return None;
  bool shows = inst.isAtomic() || (inst.isVolatile() && !isLocal(pointer));
  unsigned effects = !shows ? None : isa<LoadInst>(inst) ? Takes : Gives;
  return effects | usesThrough(pointer);
}

//===-- What is held where ----------------------------------------------------------------------------------------===//

/// Adds the effects of each block to the states of all blocks that run after it (or before it).
template <typename Next>
static void flow(DenseMap<const BasicBlock *, unsigned> &states, const DenseMap<const BasicBlock *, unsigned> &effects,
                 const Function &function, unsigned mask, Next next) {
  SmallVector<const BasicBlock *> work;
  for (const BasicBlock &block : function)
    work.push_back(&block);
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    unsigned state = states.lookup(block) | (effects.lookup(block) & mask);
    for (const BasicBlock *other : next(block)) {
      unsigned &known = states[other];
      if ((known | state) != known) {
        known |= state;
        work.push_back(other);
      }
    }
  }
}

void HeldState::findCallEffects(const Function &function) {
  DenseMap<const BasicBlock *, unsigned> effects, before, after;
  DenseMap<const Instruction *, unsigned> each;
  for (const Instruction &inst : instructions(function))
    effects[inst.getParent()] |= each[&inst] = effectsOf(inst);
  flow(before, effects, function, Before, [](const BasicBlock *block) { return successors(block); });
  flow(after, effects, function, After, [](const BasicBlock *block) { return predecessors(block); });
  for (const BasicBlock &block : function) {
    SmallVector<const CallBase *> calls;
    unsigned state = before.lookup(&block);
    for (const Instruction &inst : block) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (call && tasks.contains(call->getCalledFunction()) && !spawned.contains(call)) {
        callEffects[call].before = state;
        calls.push_back(call);
      }
      state |= each.lookup(&inst) & Before;
    }
    state = after.lookup(&block);
    for (const Instruction &inst : reverse(block)) {
      if (!calls.empty() && &inst == calls.back()) {
        bool isCilk = cilkFunctions.contains(calls.back()->getCalledFunction());
        CallEffects &own = callEffects[calls.pop_back_val()];
        own.after = state | (isCilk ? each.lookup(&inst) & GivesOwn : None);
        own.passes = isCilk ? usesOfArguments(cast<CallBase>(inst)) : None;
        own.inside = each.lookup(&inst);
      }
      state |= each.lookup(&inst) & After;
    }
  }
}

/// Returns true if state is held across a call by the calling function, or by it together with its callers. `context`
/// has the callers' effects.
bool HeldState::holds(const CallEffects &effects, Context context) {
  auto [entry, exit] = context;
  unsigned before = effects.before | entry, after = effects.after | exit;
  auto has = [](unsigned some, unsigned one) { return (some & one) != 0; };
  return has(before, Sets) || (has(before, Takes) && has(after, Gives)) || (has(before, Obtains) && has(after, Uses)) ||
         (has(entry, Obtains) && has(after, UsesArgument)) ||
         (has(before, TakesOwn) && (has(after, GivesOwn) || has(effects.passes, Uses))) ||
         (has(entry, TakesOwn) && effects.passes != None);
}

bool HeldState::holds(const CallBase &call, const CallEffects &effects) const {
  auto found = contexts.find(call.getFunction());
  return holds(effects, {None, None}) ||
         (found != contexts.end() && any_of(found->second, [&](Context context) { return holds(effects, context); }));
}

/// Finds which state functions may find held when tasks call them, and which state their callers may give back
/// afterwards. If state is held across a call anyway, the call is not made a task's, so its callee needs no context
/// from it.
void HeldState::spread(function_ref<bool(CallBase &)> mayBePart) {
  for (const Function *function : cilkFunctions)
    contexts[function].insert({None, None});
  for (const CallBase *call : spawned)
    if (tasks.contains(call->getCalledFunction()))
      contexts[call->getCalledFunction()].insert({None, None});
  SmallVector<std::pair<const CallBase *, const CallEffects *>> parts;
  for (auto &[call, effects] : callEffects)
    if (!cilkFunctions.contains(call->getCalledFunction()) && mayBePart(const_cast<CallBase &>(*call)))
      parts.push_back({call, &effects});
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [call, effects] : parts) {
      if (holds(*call, *effects))
        continue;
      const Function *callee = call->getCalledFunction();
      Contexts &known = contexts[callee];
      Contexts callers = contexts.lookup(call->getFunction());
      for (auto [entry, exit] : callers)
        changed |=
            known.insert({entry | (effects->before & Before), exit | (effects->after & (Gives | Uses | GivesOwn))});
    }
  }
}

bool HeldState::holdsAcross(const CallBase &call) const {
  auto found = callEffects.find(&call);
  return found == callEffects.end() || holds(call, found->second);
}

bool HeldState::holdsAroundTask(const CallBase &call) const {
  auto found = callEffects.find(&call);
  if (found == callEffects.end())
    return true;
  CallEffects before = found->second, after = found->second;
  before.after |= before.inside & After;
  after.before |= after.inside & Before;
  return holds(call, before) || holds(call, after);
}
