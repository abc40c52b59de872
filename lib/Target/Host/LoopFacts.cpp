// See LoopFacts.h.
#include "LoopFacts.h"

#include "cilk2gpu/Support/SerialLoops.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// The arguments of one start of a loop, as far as known values of the function that starts it.
struct Start {
  SmallVector<Value *> values;
  Function *function;
};

/// The bounds of a range are its first two parameters. They differ from element to element.
constexpr unsigned kBounds = 2;

/// The most starts of a loop that are compared, and the most functions that pass their parameters on to it.
constexpr unsigned kMostStarts = 16, kMostPasses = 4;

/// The most pairs of phi nodes through which two pointers are followed.
constexpr unsigned kMostMerges = 8;

/// Returns the calls of a function, or nothing if it may be called from elsewhere.
SmallVector<CallBase *> callsOf(Function &function) {
  SmallVector<CallBase *> calls;
  for (Use &use : function.uses()) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (!function.hasLocalLinkage() || !call || !call->isCallee(&use))
      return {};
    calls.push_back(call);
  }
  return calls;
}

bool readsStartedElements(const CallBase &call) { return call.getFunction()->hasFnAttribute(kStartedElementsAttr); }

class LoopFacts {
public:
  LoopFacts(Function &loop, FunctionAnalysisManager &functions) : loop(loop), functions(functions) {}
  /// Finds the starts of the loop, and changes its function. Returns whether it did.
  bool share();

private:
  bool addStarts(Start start, unsigned passes);
  std::optional<int64_t> commonDistance(const Argument &earlier, const Argument &argument) const;
  Value *commonValue(const Argument &argument) const;
  bool areApart(const Start &start, unsigned one, unsigned other) const;
  bool isApart(const Argument &argument) const;

  Function &loop;
  FunctionAnalysisManager &functions;
  SmallVector<Start> starts;
};

/// Adds what a call passes. Where it passes parameters of its own function on, adds what the calls of that function
/// pass instead. Returns false if there are too many starts.
bool LoopFacts::addStarts(Start start, unsigned passes) {
  bool passesOn = any_of(start.values, [](Value *value) { return isa<Argument>(value); });
  SmallVector<CallBase *> calls = passesOn && passes ? callsOf(*start.function) : SmallVector<CallBase *>();
  if (calls.empty()) {
    starts.push_back(std::move(start));
    return starts.size() <= kMostStarts;
  }
  return all_of(calls, [&](CallBase *call) {
    Start outer{start.values, call->getFunction()};
    for (Value *&value : outer.values)
      if (auto *argument = dyn_cast<Argument>(value))
        value = call->getArgOperand(argument->getArgNo());
    return addStarts(std::move(outer), passes - 1);
  });
}

/// Returns by how many bytes an argument lies behind an earlier one, if it is the same number in all starts. Returns 0
/// for equal values of any type. The end of a container is often a known number of bytes behind its begin.
std::optional<int64_t> LoopFacts::commonDistance(const Argument &earlier, const Argument &argument) const {
  std::optional<int64_t> common;
  for (const Start &start : starts) {
    const Value *from = start.values[earlier.getArgNo()], *to = start.values[argument.getArgNo()];
    std::optional<int64_t> distance = from == to ? std::optional<int64_t>(0) : std::nullopt;
    if (from != to && from->getType()->isPointerTy() && to->getType()->isPointerTy())
      distance = to->getPointerOffsetFrom(from, loop.getDataLayout());
    if (!distance || (common && common != distance))
      return std::nullopt;
    common = distance;
  }
  return earlier.getType() == argument.getType() ? common : std::nullopt;
}

/// Returns the value that all starts pass, or null: a constant, or a value that an earlier parameter gives.
Value *LoopFacts::commonValue(const Argument &argument) const {
  unsigned number = argument.getArgNo();
  Value *first = starts.front().values[number];
  auto *constant = dyn_cast<Constant>(first);
  if (constant && !constant->isThreadDependent() && !constant->containsUndefOrPoisonElement() &&
      all_of(starts, [&](const Start &start) { return start.values[number] == first; }))
    return first;
  for (unsigned other = kBounds; other < number; ++other) {
    Argument &earlier = *loop.getArg(other);
    if (std::optional<int64_t> distance = commonDistance(earlier, argument)) {
      IRBuilder<> builder(&loop.getEntryBlock(), loop.getEntryBlock().getFirstInsertionPt());
      return *distance ? builder.CreatePtrAdd(&earlier, builder.getInt64(*distance)) : &earlier;
    }
  }
  return nullptr;
}

namespace {

/// Finds out whether two pointers lead to different objects. A null pointer leads to none. LLVM takes two null pointers
/// for the same object, but empty containers have them.
class Apartness {
public:
  explicit Apartness(AAResults &aliases) : aliases(aliases) {}
  bool leadApart(const Value *first, const Value *second);

private:
  AAResults &aliases;
  /// Pairs of phi nodes that are followed. Two pointers that a loop swaps lead to themselves.
  SmallSet<std::pair<const Value *, const Value *>, 4> assumed;
};

} // namespace

bool Apartness::leadApart(const Value *first, const Value *second) {
  if (isa<ConstantPointerNull>(first) || isa<ConstantPointerNull>(second) ||
      aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(first), MemoryLocation::getBeforeOrAfter(second)))
    return true;
  auto *merged = dyn_cast<PHINode>(first), *other = dyn_cast<PHINode>(second);
  if (!merged || !other || merged == other || merged->getParent() != other->getParent() || assumed.size() > kMostMerges)
    return false;
  if (!assumed.insert(std::minmax(first, second)).second)
    return true;
  return all_of(merged->blocks(), [&](BasicBlock *block) {
    return leadApart(merged->getIncomingValueForBlock(block), other->getIncomingValueForBlock(block));
  });
}

/// Returns whether two pointers of a start lead to different objects.
bool LoopFacts::areApart(const Start &start, unsigned one, unsigned other) const {
  auto isKnown = [&](const Value *value) {
    auto *inst = dyn_cast<Instruction>(value);
    return inst ? inst->getFunction() == start.function : isa<Argument, Constant>(value);
  };
  const Value *first = start.values[one], *second = start.values[other];
  return isKnown(first) && isKnown(second) &&
         Apartness(functions.getResult<AAManager>(*start.function)).leadApart(first, second);
}

/// Returns whether no other parameter leads to the object to which the argument leads.
bool LoopFacts::isApart(const Argument &argument) const {
  return all_of(loop.args(), [&](const Argument &other) {
    return &other == &argument || other.use_empty() || !other.getType()->isPointerTy() ||
           all_of(starts, [&](const Start &start) { return areApart(start, argument.getArgNo(), other.getArgNo()); });
  });
}

bool LoopFacts::share() {
  for (CallBase *call : callsOf(loop))
    if (!readsStartedElements(*call) &&
        !addStarts({SmallVector<Value *>(call->args()), call->getFunction()}, kMostPasses))
      return false;
  if (starts.empty() || loop.isVarArg())
    return false;
  bool isChanged = false;
  for (Argument &argument : drop_begin(loop.args(), std::min<size_t>(kBounds, loop.arg_size())))
    if (Value *value = argument.use_empty() ? nullptr : commonValue(argument)) {
      argument.replaceAllUsesWith(value);
      isChanged = true;
    }
  // Other memory may be memory of the same object, to which a pointer in memory leads.
  for (Argument &argument : loop.args())
    if (loop.onlyAccessesArgMemory() && argument.getType()->isPointerTy() && !argument.use_empty() &&
        !argument.hasNoAliasAttr() && isApart(argument)) {
      argument.addAttr(Attribute::NoAlias);
      isChanged = true;
    }
  return isChanged;
}

} // namespace

PreservedAnalyses ShareLoopFactsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool isChanged = false;
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasOptNone() ||
        none_of(callsOf(function), [](CallBase *call) { return readsStartedElements(*call); }))
      continue;
    if (!LoopFacts(function, functions).share())
      continue;
    isChanged = true;
    functions.invalidate(function, PreservedAnalyses::none());
    simplification.run(function, functions);
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
