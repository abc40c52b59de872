// Inlines short ordinary functions into tasks: constructors, members that return a member, operators of small classes.
// Before optimisation, each of them is a call, and often leads to other calls. A task with a call has no early return
// that its parent could run (InlineEarlyReturns.cpp).
//
//   std::pair<long, long> f(int n) { if (n < 2) return {n, 1}; ... spawn ... }
//
// LLVM inlines such calls into kernels anyway, but only after it is decided which functions are tasks.
//
// A short function may have loops if it gets an array of results, as `sum` here. The loop may fold the results of the
// task's children, which combining then sees (cilk-combine-results).
//
//   for (i = 0; i < n; i++) r[i] = cilk_spawn f(i);   cilk_sync;   return sum(r, n);
//
// The body of a cilk_for may call a member of an object with references, most often of a lambda. The member is inlined
// even if it is long, because the references then lead to variables that can be passed by value (References.cpp,
// ValueParameters.cpp).
//
//   auto f = [&](int i) { for (...) v[i] += n; };   cilk_for (int i = 0; i < n; i++) f(i);
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most instructions of a short function, with all that it calls. Only instructions that probably remain after
/// optimisation count.
static constexpr unsigned kMostShort = 24;

/// Most instructions that inlining adds to a task, counted in the same way.
static constexpr unsigned kMostGrowth = 2000;

/// Most instructions, in Clang's unoptimised code, of a function that is examined.
static constexpr unsigned kMostUnoptimised = 200;

/// Most instructions, in Clang's unoptimised code, of a member of an object with references: if the call is its only
/// one, and if there are others.
static constexpr unsigned kMostOfMember = 2000, kMostOfSharedMember = 300;

namespace {

/// Measures functions, and remembers which are short.
class ShortFunctions {
public:
  explicit ShortFunctions(bool withLoops) : withLoops(withLoops) {}

  /// Returns the size of a short function, or nothing if the function is not short.
  std::optional<unsigned> sizeOf(Function &function);

private:
  std::optional<unsigned> measure(Function &function);
  std::optional<unsigned> measure(Instruction &inst);
  std::optional<unsigned> measureCall(CallBase &call);

  bool withLoops;
  DenseMap<const Function *, std::optional<unsigned>> sizes;
};

} // namespace

static bool isOwnVariable(const Value *address) { return isa<AllocaInst>(address->stripInBoundsConstantOffsets()); }

/// Returns the function whose body may replace a call, or null if there is none.
static Function *findBody(const CallBase &call) {
  Function *function = call.getCalledFunction();
  bool isPlain = function && !function->isDeclaration() && !function->isInterposable() &&
                 function->getFunctionType() == call.getFunctionType() &&
                 function->getCallingConv() == call.getCallingConv() && !call.hasOperandBundles() &&
                 !call.isMustTailCall() && !call.isNoInline() && !function->hasFnAttribute(Attribute::NoInline) &&
                 !function->hasFnAttribute(Attribute::NoDuplicate);
  return isPlain ? function : nullptr;
}

std::optional<unsigned> ShortFunctions::measureCall(CallBase &call) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return intrinsic->isAssumeLikeIntrinsic() ? 0 : 1;
  Function *callee = findBody(call);
  return callee && haveSameTarget(*call.getFunction(), *callee) ? sizeOf(*callee) : std::nullopt;
}

std::optional<unsigned> ShortFunctions::measure(Instruction &inst) {
  if (auto *call = dyn_cast<CallBase>(&inst))
    return measureCall(*call);
  if (auto *local = dyn_cast<AllocaInst>(&inst))
    return local->isStaticAlloca() ? std::optional(0) : std::nullopt;
  // Accesses of local variables do not count, because the variables become values.
  if (isa<LoadInst, StoreInst>(inst) && !inst.isVolatile() && isOwnVariable(getLoadStorePointerOperand(&inst)))
    return 0;
  if (auto *address = dyn_cast<GetElementPtrInst>(&inst))
    return address->hasAllConstantIndices() ? 0 : 1;
  auto *branch = dyn_cast<BranchInst>(&inst);
  bool isFree = isa<ReturnInst, UnreachableInst>(inst) || inst.isCast() || (branch && branch->isUnconditional());
  return isFree ? 0 : 1;
}

std::optional<unsigned> ShortFunctions::measure(Function &function) {
  if (function.getInstructionCount() > kMostUnoptimised || function.hasFnAttribute(kTaskFunctionAttr) ||
      whyNotSplit(function) || !isInlineViable(function).isSuccess())
    return std::nullopt;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> loops;
  FindFunctionBackedges(function, loops);
  if (!withLoops && !loops.empty())
    return std::nullopt;
  SmallSetVector<BasicBlock *, 8> blocks;
  blocks.insert(&function.getEntryBlock());
  unsigned size = 0;
  for (unsigned i = 0; i < blocks.size(); ++i) {
    for (Instruction &inst : *blocks[i]) {
      std::optional<unsigned> more = measure(inst);
      if (!more || (size += *more) > kMostShort)
        return std::nullopt;
    }
    // A short function throws nothing, because it calls only short functions.
    if (auto *invoke = dyn_cast<InvokeInst>(blocks[i]->getTerminator()))
      blocks.insert(invoke->getNormalDest());
    else
      blocks.insert_range(successors(blocks[i]));
  }
  return size;
}

std::optional<unsigned> ShortFunctions::sizeOf(Function &function) {
  auto [known, isNew] = sizes.try_emplace(&function, std::nullopt); // a recursive function is not short
  if (!isNew)
    return known->second;
  std::optional<unsigned> size = measure(function);
  return sizes[&function] = size;
}

namespace {

/// The instructions of a task that stand in regions.
struct Regions {
  explicit Regions(Function &task) {
    for (Instruction &inst : instructions(task)) {
      if (calleeName(inst) == kSpawnBeginMarker)
        markRegion(cast<CallInst>(inst), kSpawnEndMarker, [&](const Instruction &inside) { spawned.insert(&inside); });
      if (calleeName(inst) == kForBeginMarker)
        markRegion(cast<CallInst>(inst), kForEndMarker, [&](const Instruction &inside) { loops.insert(&inside); });
    }
  }

  SmallPtrSet<const Instruction *, 32> spawned; ///< between the markers of a spawn
  SmallPtrSet<const Instruction *, 32> loops;   ///< in the body of a cilk_for
};

} // namespace

/// Returns the calls that the task itself makes, without the calls between a spawn's markers.
static SmallVector<CallBase *> ownCalls(Function &task, const Regions &regions) {
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(task))
    if (auto *call = dyn_cast<CallBase>(&inst); call && !isa<IntrinsicInst>(call) && !regions.spawned.contains(call))
      calls.push_back(call);
  return calls;
}

/// Returns true if a pointer leads to an object with references that is a local variable or a parameter of the task, or
/// perhaps to an object of the task's only caller.
static bool leadsToReferences(const Value &pointer, const Function &task) {
  const Value *object = pointer.stripInBoundsOffsets();
  auto *local = dyn_cast<AllocaInst>(object);
  auto *parameter = dyn_cast<Argument>(object);
  Type *type = local ? local->getAllocatedType() : parameter ? parameter->getParamByValType() : nullptr;
  if (auto *structure = dyn_cast_or_null<StructType>(type))
    return any_of(structure->elements(), [](Type *element) { return element->isPointerTy(); });
  auto *load = dyn_cast<LoadInst>(object);
  return load && isa<AllocaInst>(load->getPointerOperand()) && task.hasOneUse() && task.isDiscardableIfUnused();
}

/// Returns true if a call is of a member of an object with references, and the member's code can be part of a task.
static bool isOfReferences(const CallBase &call, Function &member) {
  return !call.arg_empty() && call.paramHasAttr(0, Attribute::Dereferenceable) &&
         leadsToReferences(*call.getArgOperand(0), *call.getFunction()) &&
         member.getInstructionCount() <= (member.hasOneUse() ? kMostOfMember : kMostOfSharedMember) &&
         !member.hasFnAttribute(kTaskFunctionAttr) && !member.hasPersonalityFn() && !whyNotSplit(member) &&
         isInlineViable(member).isSuccess();
}

/// Returns true if the type is an array, or a struct of one: std::array is such a struct.
static bool hasArray(Type *type) {
  auto *record = dyn_cast<StructType>(type);
  return isa<ArrayType>(type) || (record && any_of(record->elements(), hasArray));
}

/// Adds the local arrays into which a pointer may lead, in code without optimisation: its value may have been stored in
/// other variables, or have been computed by a call.
static void addLocalArrays(const Value *pointer, SmallPtrSetImpl<const AllocaInst *> &arrays, unsigned depth = 0) {
  constexpr unsigned kMostSteps = 6;
  if (depth > kMostSteps || !pointer->getType()->isPointerTy())
    return;
  const Value *object = getUnderlyingObject(pointer);
  if (auto *local = dyn_cast<AllocaInst>(object); local && hasArray(local->getAllocatedType()))
    arrays.insert(local);
  if (auto *call = dyn_cast<CallBase>(object))
    for (const Use &argument : call->args())
      addLocalArrays(argument, arrays, depth + 1);
  auto *load = dyn_cast<LoadInst>(object);
  auto *variable = load ? dyn_cast<AllocaInst>(getUnderlyingObject(load->getPointerOperand())) : nullptr;
  if (!variable)
    return;
  for (const User *user : variable->users())
    if (auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == variable)
      addLocalArrays(store->getValueOperand(), arrays, depth + 1);
}

/// Returns the local arrays that get results of the task's children.
static SmallPtrSet<const AllocaInst *, 4> findResultArrays(Function &task) {
  SmallPtrSet<const AllocaInst *, 4> arrays;
  for (Instruction &inst : instructions(task))
    if (calleeName(inst) == kSpawnBeginMarker)
      markRegion(cast<CallInst>(inst), kSpawnEndMarker, [&](const Instruction &inside) {
        if (auto *store = dyn_cast<StoreInst>(&inside))
          addLocalArrays(store->getPointerOperand(), arrays);
      });
  return arrays;
}

static void inlineInto(Function &task, ShortFunctions &straight, ShortFunctions &any) {
  bool unwinds = task.hasPersonalityFn(), changed = false;
  Regions regions(task);
  SmallVector<CallBase *> calls = ownCalls(task, regions);
  SmallPtrSet<const AllocaInst *, 4> results = findResultArrays(task);
  for (unsigned grown = 0; !calls.empty() && grown < kMostGrowth;) {
    CallBase *call = calls.pop_back_val();
    Function *callee = findBody(*call);
    SmallPtrSet<const AllocaInst *, 4> passed;
    for (const Use &argument : call->args())
      addLocalArrays(argument, passed);
    bool getsResults = any_of(passed, [&](const AllocaInst *array) { return results.contains(array); });
    ShortFunctions &known = getsResults ? any : straight;
    if (!callee || !haveSameTarget(task, *callee))
      continue;
    bool isInLoop = regions.loops.erase(call);
    std::optional<unsigned> size = known.sizeOf(*callee);
    if (!size && !(isInLoop && isOfReferences(*call, *callee)))
      continue;
    // A member with one call moves; others are copied. About a quarter of unoptimised code remains.
    grown += size.value_or(callee->hasOneUse() ? 0 : callee->getInstructionCount() / 4) + 1;
    changed = true;
    for (CallBase *inlined : inlineOrdinary(*call)) {
      calls.push_back(inlined);
      if (isInLoop)
        regions.loops.insert(inlined);
    }
  }
  // Landing pads for exceptions of the inlined calls are now unreachable.
  if (changed)
    removeUnreachableBlocks(task);
  if (!unwinds)
    task.setPersonalityFn(nullptr);
}

bool InlineShortCallsPass::runOn(Module &module, Module &) {
  // gcov counts lines separately for each function, so nothing may be inlined.
  if (module.getNamedMetadata("llvm.gcov"))
    return true;
  ShortFunctions straight(/*withLoops=*/false), any(/*withLoops=*/true);
  for (Function *task : findGraphFunctions(module))
    if (!task->hasOptNone())
      inlineInto(*task, straight, any);
  return true;
}
