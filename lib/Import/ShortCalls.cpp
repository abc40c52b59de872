// Inlines short ordinary functions into tasks: constructors, members that return a member, operators of small classes.
// As long as nothing is optimised, each is a call, and often leads to other calls. A task with a call has no early
// return that its parent could run (InlineEarlyReturns.cpp).
//
//   std::pair<long, long> f(int n) { if (n < 2) return {n, 1}; ... spawn ... }
//
// LLVM inlines them into kernels anyway, but by then it is settled which functions are tasks.
#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

/// Of a function with all that it calls, in instructions that are probably left when it is optimised.
static constexpr unsigned kMostShort = 24;

/// By which a task grows, in the same.
static constexpr unsigned kMostGrowth = 2000;

/// Functions are not looked through that are longer than this, in instructions as Clang makes them.
static constexpr unsigned kMostUnoptimised = 200;

namespace {

/// Remembers which functions are short.
class ShortFunctions {
public:
  /// The size of a short function; nothing if it is not one.
  std::optional<unsigned> sizeOf(Function &function);

private:
  std::optional<unsigned> measure(Function &function);
  std::optional<unsigned> measure(Instruction &inst);
  std::optional<unsigned> measureCall(CallBase &call);

  DenseMap<const Function *, std::optional<unsigned>> sizes;
};

} // namespace

static bool isOwnVariable(const Value *address) { return isa<AllocaInst>(address->stripInBoundsConstantOffsets()); }

/// The function that a call can be replaced by the body of; null if there is none, or if it is not to be.
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
  // Variables become values.
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
  if (!loops.empty())
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
    // What is short throws nothing, as it calls nothing else.
    if (auto *invoke = dyn_cast<InvokeInst>(blocks[i]->getTerminator()))
      blocks.insert(invoke->getNormalDest());
    else
      blocks.insert_range(successors(blocks[i]));
  }
  return size;
}

std::optional<unsigned> ShortFunctions::sizeOf(Function &function) {
  auto [known, isNew] = sizes.try_emplace(&function, std::nullopt); // what calls itself is not short
  if (!isNew)
    return known->second;
  std::optional<unsigned> size = measure(function);
  return sizes[&function] = size;
}

/// Calls of a function that a task is to do itself: none of those between a spawn's markers.
static SmallVector<CallBase *> ownCalls(Function &task) {
  SmallPtrSet<const Instruction *, 32> spawned;
  for (Instruction &inst : instructions(task))
    if (calleeName(inst) == kSpawnBeginMarker)
      markRegion(cast<CallInst>(inst), kSpawnEndMarker, [&](const Instruction &inside) { spawned.insert(&inside); });
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(task))
    if (auto *call = dyn_cast<CallBase>(&inst); call && !isa<IntrinsicInst>(call) && !spawned.contains(call))
      calls.push_back(call);
  return calls;
}

static void inlineInto(Function &task, ShortFunctions &known) {
  bool unwinds = task.hasPersonalityFn(), changed = false;
  SmallVector<CallBase *> calls = ownCalls(task);
  for (unsigned grown = 0; !calls.empty() && grown < kMostGrowth;) {
    CallBase *call = calls.pop_back_val();
    Function *callee = findBody(*call);
    std::optional<unsigned> size = callee && haveSameTarget(task, *callee) ? known.sizeOf(*callee) : std::nullopt;
    if (!size)
      continue;
    grown += *size + 1;
    changed = true;
    append_range(calls, inlineOrdinary(*call));
  }
  // Where exceptions of what was called would have landed.
  if (changed)
    removeUnreachableBlocks(task);
  if (!unwinds)
    task.setPersonalityFn(nullptr);
}

bool InlineShortCallsPass::runOn(Module &module, Module &) {
  // gcov counts lines for the function that an instruction is of.
  if (module.getNamedMetadata("llvm.gcov"))
    return true;
  ShortFunctions known;
  for (Function *task : findCilkFunctions(module))
    if (!task->hasOptNone())
      inlineInto(*task, known);
  return true;
}
