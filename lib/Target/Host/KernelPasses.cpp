// See KernelPasses.h. LLVM's attribute optsize may not stand together with optnone, so kForSizeAttr takes its place
// meanwhile.
#include "KernelPasses.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr StringLiteral kForSizeAttr = "cilk2gpu-for-size";

/// Attribute of kernels that are hidden from vectorisers. They also have `noimplicitfloat`, which keeps vector
/// registers out.
static constexpr StringLiteral kPausedAttr = "cilk2gpu-paused-vectorisers";

static bool isMarkedIfStraight(const Function &function) {
  return function.getFnAttribute(kOwnPassesAttr).getValueAsString() == kIfStraight;
}

/// Levels of functions that become parts of a function. The number is limited, because such functions may be recursive.
static constexpr unsigned kMostLevels = 8;

static SmallVector<CallBase *> callsToInline(Function &kernel) {
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(kernel)) {
    auto *call = dyn_cast<CallBase>(&inst);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee != &kernel && !callee->isDeclaration() && callee->hasFnAttribute(Attribute::AlwaysInline) &&
        !call->hasFnAttr(Attribute::NoInline) && isInlineViable(*callee).isSuccess())
      calls.push_back(call);
  }
  return calls;
}

/// Inlines calls into the kernel's body, level by level, for functions with the attribute `alwaysinline`.
static void inlineBody(Function &kernel, FunctionAnalysisManager &functions) {
  for (unsigned level = 0; level < kMostLevels; ++level) {
    bool changed = false;
    for (CallBase *call : callsToInline(kernel)) {
      Function *callee = call->getCalledFunction();
      InlineFunctionInfo info;
      changed |= InlineFunction(*call, info, /*MergeAttributes=*/true).isSuccess();
      if (callee->use_empty() && callee->hasLocalLinkage()) {
        functions.clear(*callee, callee->getName());
        callee->eraseFromParent();
      }
    }
    if (!changed)
      return;
  }
}

/// Returns true if LLVM's whole pipeline would achieve little more on an instruction than a short one.
static bool isStraight(const Instruction &inst, bool inLane) {
  if (inst.getType()->isFPOrFPVectorTy() || inst.getType()->isVectorTy() || isa<SwitchInst>(inst))
    return false;
  auto *call = dyn_cast<CallBase>(&inst);
  if (!call)
    return true;
  const Function *callee = call->getCalledFunction();
  if (!callee || (inLane && call->mayThrow())) // handlers of kernels often turn out to be needless, late
    return false;
  if (callee->isIntrinsic())
    return !isa<MemIntrinsic>(inst);
  if (callee->isDeclaration())
    return callee->getName().starts_with("__cilk2gpu_");
  return call->isNoInline() || callee->hasFnAttribute(Attribute::NoInline);
}

/// Returns true if a function has neither code for which LLVM's whole pipeline was made nor loops, except a loop over
/// lanes. The functions that become parts of it, such as the code of a lane, count as well. `level` is the number of
/// calls that lead to the function.
static bool isStraight(Function &function, FunctionAnalysisManager &functions, unsigned level = 0) {
  const LoopInfo &loops = functions.getResult<LoopAnalysis>(function);
  if (level == kMostLevels || loops.getLoopsInPreorder().size() > (level ? 0 : 1))
    return false;
  return all_of(instructions(function), [&](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    bool becomesPart =
        callee && !callee->isDeclaration() && callee->hasFnAttribute(Attribute::AlwaysInline) && !call->isNoInline();
    return becomesPart ? isStraight(*callee, functions, level + 1) : isStraight(inst, /*inLane=*/level > 0);
  });
}

namespace {

/// Functions with passes of their own.
enum class Sort { Vectors, Rare, Straight };

} // namespace

static Sort sortOf(const Function &kernel) {
  if (isMarkedIfStraight(kernel))
    return Sort::Straight;
  return kernel.hasFnAttribute(Attribute::Cold) ? Sort::Rare : Sort::Vectors;
}

/// Returns passes that turn the locals of vectorisation into values, and share addresses and loads. Passes that lane
/// forms have already gone through are not repeated. On rare functions, only passes that make the code smaller run.
static FunctionPassManager passesFor(Sort sort) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  if (sort != Sort::Rare)
    passes.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
  if (sort == Sort::Straight) // children that return at once ask the same questions, one after the other
    passes.addPass(JumpThreadingPass());
  if (sort != Sort::Rare)
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  if (sort == Sort::Straight) {
    passes.addPass(GVNPass());
    passes.addPass(DSEPass());
  } else { // takes a tenth of the time, for code that is as small
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  }
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
  return passes;
}

/// Marks the unit's own functions that throw nothing. Lanes, and loops that lanes call, come from the lowering without
/// this mark, and a kernel with a handler needs LLVM's whole pipeline.
static void markUnthrowing(Module &module) {
  SmallVector<Function *> unmarked;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() && !function.doesNotThrow())
      unmarked.push_back(&function);
  auto mark = [](Function *function) {
    if (any_of(instructions(*function), [](const Instruction &inst) { return inst.mayThrow(); }))
      return false;
    function->setDoesNotThrow();
    return true;
  };
  for (size_t before = 0; before != unmarked.size();) {
    before = unmarked.size();
    erase_if(unmarked, mark);
  }
}

PreservedAnalyses SimplifyKernelsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  markUnthrowing(module);
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::array<FunctionPassManager, 3> passes{passesFor(Sort::Vectors), passesFor(Sort::Rare), passesFor(Sort::Straight)};
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (isMarkedIfStraight(function) && !isStraight(function, functions))
      function.removeFnAttr(kOwnPassesAttr);
  // Functions that will be inlined into a kernel (`alwaysinline`) may be marked, too, and are skipped. If the pass runs
  // twice in a pipeline, the second run finds no kernels.
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(kOwnPassesAttr) && !function.hasOptNone() &&
        !function.hasFnAttribute(Attribute::AlwaysInline))
      kernels.push_back(&function);
  for (Function *kernel : kernels) {
    inlineBody(*kernel, functions);
    functions.invalidate(*kernel, PreservedAnalyses::none());
    passes[size_t(sortOf(*kernel))].run(*kernel, functions);
    if (kernel->hasFnAttribute(Attribute::OptimizeForSize)) {
      kernel->addFnAttr(kForSizeAttr);
      kernel->removeFnAttr(Attribute::OptimizeForSize);
    }
    kernel->addFnAttr(Attribute::OptimizeNone);
    kernel->addFnAttr(Attribute::NoInline);
  }
  return kernels.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

/// Returns true if LLVM's vectorisers would take longer than all other passes together: they look at pairs of stores to
/// elements, and at the operands of wide phis again and again.
static bool isSlowToVectorise(const Function &function) {
  constexpr unsigned kMostSpawns = 16, kMostIncoming = 64;
  unsigned spawns = 0, incoming = 0;
  for (const Instruction &inst : instructions(function)) {
    if (auto *phi = dyn_cast<PHINode>(&inst))
      incoming = std::max(incoming, phi->getNumIncomingValues());
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    spawns += callee && callee->getName() == kTallocName;
  }
  return spawns > kMostSpawns || (spawns && incoming > kMostIncoming);
}

PreservedAnalyses PauseVectorisersPass::run(Function &function, FunctionAnalysisManager &) {
  if (isSlowToVectorise(function) && !function.hasFnAttribute(Attribute::NoImplicitFloat)) {
    function.addFnAttr(Attribute::NoImplicitFloat);
    function.addFnAttr(kPausedAttr);
  }
  return PreservedAnalyses::all();
}

/// Returns true for a kernel whose code generation should take little time. The functions that start a graph are cold,
/// too, but run often if the graph is small.
static bool staysUnoptimised(const Function &kernel) {
  return sortOf(kernel) == Sort::Rare && !kernel.hasFnAttribute(Attribute::MinSize);
}

PreservedAnalyses ReleaseKernelsPass::run(Module &module, ModuleAnalysisManager &) {
  for (Function &function : module) {
    if (function.hasFnAttribute(kPausedAttr)) {
      function.removeFnAttr(Attribute::NoImplicitFloat);
      function.removeFnAttr(kPausedAttr);
    }
    if (!function.hasFnAttribute(kOwnPassesAttr) || !function.hasOptNone())
      continue;
    if (staysUnoptimised(function)) {
      function.removeFnAttr(kForSizeAttr);
      function.removeFnAttr(kOwnPassesAttr);
      continue;
    }
    if (function.hasFnAttribute(kForSizeAttr))
      function.addFnAttr(Attribute::OptimizeForSize);
    function.removeFnAttr(kForSizeAttr);
    for (Attribute::AttrKind kind : {Attribute::OptimizeNone, Attribute::NoInline})
      function.removeFnAttr(kind);
    function.removeFnAttr(kOwnPassesAttr);
  }
  return PreservedAnalyses::all();
}
