// See KernelPasses.h. The attribute kOwnPassesAttr has the value "size" if the kernel is compiled for size. That
// attribute may not stand together with optnone, so it is restored later.
#include "KernelPasses.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

static constexpr StringLiteral kForSize = "size";

/// Attribute of kernels that are hidden from vectorisers. They also have `noimplicitfloat`, which keeps vector
/// registers out.
static constexpr StringLiteral kPausedAttr = "cilk2gpu-paused-vectorisers";

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

/// Inlines calls into the kernel's body, level by level, for functions with the attribute `alwaysinline`. The number of
/// levels is limited, because such functions may be recursive.
static void inlineBody(Function &kernel, FunctionAnalysisManager &functions) {
  constexpr unsigned kDeepest = 8;
  for (unsigned depth = 0; depth < kDeepest; ++depth) {
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

/// Returns passes that turn the locals of vectorisation into values, and share addresses and loads. Passes that lane
/// forms have already gone through are not repeated. If `isCold`, only passes that make the code smaller run.
static FunctionPassManager passesFor(bool isCold) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  if (!isCold) {
    passes.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  }
  passes.addPass(GVNPass());
  if (!isCold)
    passes.addPass(DSEPass());
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
  return passes;
}

PreservedAnalyses SimplifyKernelsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  FunctionPassManager hot = passesFor(/*isCold=*/false), cold = passesFor(/*isCold=*/true);
  SmallVector<Function *> kernels;
  // Functions that will be inlined into a kernel (`alwaysinline`) may be marked, too, and are skipped. If the pass runs
  // twice in a pipeline, the second run finds no kernels.
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(kOwnPassesAttr) && !function.hasOptNone() &&
        !function.hasFnAttribute(Attribute::AlwaysInline))
      kernels.push_back(&function);
  for (Function *kernel : kernels) {
    inlineBody(*kernel, functions);
    functions.invalidate(*kernel, PreservedAnalyses::none());
    (kernel->hasFnAttribute(Attribute::Cold) ? cold : hot).run(*kernel, functions);
    if (kernel->hasFnAttribute(Attribute::OptimizeForSize)) {
      kernel->addFnAttr(kOwnPassesAttr, kForSize);
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

/// Returns true for a kernel for lanes that restart. It rarely runs, so code generation should take little time.
static bool staysUnoptimised(const Function &kernel) {
  return kernel.hasFnAttribute(Attribute::Cold) && !kernel.hasFnAttribute(Attribute::MinSize);
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
      function.removeFnAttr(kOwnPassesAttr);
      continue;
    }
    if (function.getFnAttribute(kOwnPassesAttr).getValueAsString() == kForSize)
      function.addFnAttr(Attribute::OptimizeForSize);
    for (Attribute::AttrKind kind : {Attribute::OptimizeNone, Attribute::NoInline})
      function.removeFnAttr(kind);
    function.removeFnAttr(kOwnPassesAttr);
  }
  return PreservedAnalyses::all();
}
