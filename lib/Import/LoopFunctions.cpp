// Inlines functions with loops of tasks into main, as Clang's optimiser would inline them in the serial elision.
//
//   static void blur(const Image &from, Image &to) { cilk_for (int y = 0; y < from.height; y++) ... }
//   int main() { Image a(640, 480), b(640, 480);  for (...) { blur(a, b); blur(b, a); } }
//
// main is no task: its loops are runs of their own, and between them it is ordinary code. Where a loop stands in main,
// LLVM sees what the loop captures: sizes that are constants, objects that are not the same, members that nobody
// changes. In a task, all of this would be data of a channel, and the elision of the task would be compiled for any
// caller. Ordinary functions on the way from main to such a function are inlined, too.
//
// A function that spawns stays a task, so that its children and their parent run side by side. A function with the
// attribute `noinline` stays a task as well.
#include "Extract.h"
#include "HandlerDepths.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"
#include "SerialLoop.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most instructions, in Clang's unoptimised code, of a function that moves to its only call, and of a function that is
/// copied.
static constexpr unsigned kMostMoved = 3000, kMostCopied = 400;

/// Most calls of a function that is copied. Each copy has kernels of its own.
static constexpr unsigned kMostCopies = 4;

/// Most instructions, in Clang's unoptimised code, that inlining adds to main.
static constexpr unsigned kMostGrown = 20'000;

namespace {

class LoopInliner {
public:
  explicit LoopInliner(Function &main) : main(main) {}
  void run();

private:
  bool leadsToLoops(Function &function);
  bool isWorthwhile(CallBase &call);
  void addCalls(ArrayRef<CallBase *> calls);
  void inlineCall(CallBase &call);
  void separateMarkers(ArrayRef<CallBase *> inlined, StringRef origin);

  Function &main;
  enum class Leads : uint8_t { Open, No, Yes };
  DenseMap<const Function *, Leads> leading; ///< functions that were examined, or are being examined (Open)
  SmallVector<CallBase *> work;
  uint64_t nextId = 0; ///< a number that no marker of the unit has
  unsigned grown = 0;
};

} // namespace

/// Returns true if the code of a function, which may have loops of tasks, can be part of main.
static bool canMove(Function &function) {
  for (StringRef attribute : {kTaskFunctionAttr, kLanesAttr, kBlockKernelAttr})
    if (function.hasFnAttribute(attribute))
      return false;
  return !function.isDeclaration() && !function.hasOptNone() && !function.hasFnAttribute(Attribute::NoInline) &&
         !whyNotSplit(function) && isInlineViable(function).isSuccess();
}

/// Returns true if a function uses the runtime or has markers, other than those of loops.
static bool hasOtherMarkers(Function &function) {
  return any_of(instructions(function), [](const Instruction &inst) {
    StringRef name = calleeName(inst);
    return name.starts_with("__cilk2gpu") && name != kForBeginMarker && name != kForEndMarker;
  });
}

/// Returns true if a function has loops of tasks, or calls a function that leads to some. All code on the way can be
/// part of main. Of each recursion, one function does not lead to loops.
bool LoopInliner::leadsToLoops(Function &function) {
  auto [known, isNew] = leading.try_emplace(&function, Leads::Open);
  if (!isNew) {
    if (known->second == Leads::Open)
      known->second = Leads::No;
    return known->second == Leads::Yes;
  }
  bool leads = false;
  if (&function != &main && canMove(function) && !hasOtherMarkers(function))
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      leads |= callee && (callee->getName() == kForBeginMarker || leadsToLoops(*callee));
    }
  Leads &result = leading[&function];
  result = leads && result == Leads::Open ? Leads::Yes : Leads::No;
  return result == Leads::Yes;
}

bool LoopInliner::isWorthwhile(CallBase &call) {
  Function *callee = call.getCalledFunction();
  if (!callee || call.getFunctionType() != callee->getFunctionType() || call.isNoInline() || call.hasOperandBundles() ||
      call.isMustTailCall() || !leadsToLoops(*callee) || !haveSameTarget(main, *callee))
    return false;
  bool isCopied = callee->hasNUsesOrMore(2) || !callee->isDiscardableIfUnused();
  if (isCopied && main.hasOptSize())
    return false;
  unsigned size = callee->getInstructionCount();
  return size <= (isCopied ? kMostCopied : kMostMoved) && !callee->hasNUsesOrMore(kMostCopies + 1) &&
         grown + size <= kMostGrown;
}

/// Adds calls to the work that main itself makes: not in a spawn, in an iteration or in a handler.
void LoopInliner::addCalls(ArrayRef<CallBase *> calls) {
  SmallPtrSet<const Instruction *, 32> inTasks;
  markRegions(main, kSpawnBeginMarker, kSpawnEndMarker, inTasks);
  markRegions(main, kForBeginMarker, kForEndMarker, inTasks);
  markRegions(main, kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker, inTasks);
  HandlerDepths handlers(main);
  for (CallBase *call : calls)
    if (!inTasks.contains(call) && !handlers.depthAt(*call) && !handlers.isUnwinding(*call))
      work.push_back(call);
}

/// Gives the markers of an inlined function numbers of their own, because the function may be inlined more than once.
/// Notes the name of the function, by which the loop is called.
void LoopInliner::separateMarkers(ArrayRef<CallBase *> inlined, StringRef origin) {
  LLVMContext &context = main.getContext();
  DenseMap<uint64_t, uint64_t> numbers;
  for (CallBase *call : inlined) {
    StringRef name = calleeName(*call);
    if (name != kForBeginMarker && name != kForEndMarker)
      continue;
    auto [number, isNew] = numbers.try_emplace(idOf(*call), nextId);
    nextId += isNew;
    call->setArgOperand(0, ConstantInt::get(call->getArgOperand(0)->getType(), number->second));
    if (name == kForBeginMarker && !call->hasMetadata(kLoopOriginMetadata))
      call->setMetadata(kLoopOriginMetadata, MDNode::get(context, MDString::get(context, origin)));
  }
}

void LoopInliner::inlineCall(CallBase &call) {
  Function &callee = *call.getCalledFunction();
  grown += callee.getInstructionCount();
  SmallVector<CallBase *> inlined = inlineOrdinary(call);
  separateMarkers(inlined, callee.getName());
  callee.addFnAttr(kInlinedCallAttr);
  if (callee.use_empty() && callee.isDiscardableIfUnused()) {
    leading.erase(&callee);
    callee.eraseFromParent();
  }
  addCalls(inlined);
}

void LoopInliner::run() {
  if (Function *begin = main.getParent()->getFunction(kForBeginMarker); !begin || begin->use_empty())
    return;
  for (const char *marker : {kSpawnBeginMarker, kForBeginMarker, kSpawnedBlockBeginMarker})
    for (Function &function : *main.getParent())
      for (CallInst *begin : markersIn(function, marker))
        nextId = std::max(nextId, idOf(*begin) + 1);
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(main))
    if (auto *call = dyn_cast<CallBase>(&inst))
      calls.push_back(call);
  addCalls(calls);
  bool isChanged = false;
  while (!work.empty()) {
    CallBase *call = work.pop_back_val();
    if (isWorthwhile(*call)) {
      inlineCall(*call);
      isChanged = true;
    }
  }
  // Landing pads for exceptions of the inlined calls are now unreachable.
  if (isChanged)
    removeUnreachableBlocks(main);
}

bool InlineLoopFunctionsPass::runOn(Module &module, Module &) {
  Function *main = module.getFunction("main");
  // gcov counts lines separately for each function, so nothing may be inlined.
  if (main && !main->isDeclaration() && !main->hasOptNone() && !module.getNamedMetadata("llvm.gcov"))
    LoopInliner(*main).run();
  return true;
}
