// See UnitPipeline.h. A reason stands at each pass whose place matters.
#include "UnitPipeline.h"

#include "Import/ImportPasses.h"
#include "Target/Host/CountInstructions.h"
#include "cilk2gpu/Target/GPU/UnitPasses.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace cilk2gpu;

void cilk2gpu::addFindingPasses(llvm::ModulePassManager &passes, const UnitPipelineOptions &options) {
  passes.addPass(KeepOwnSymbolsPass(options.executable));
  // After it, because the linker may replace what an alias stands for.
  passes.addPass(ResolveAliasesPass());
  // Before forwarders, which coroutines cannot be, but the functions that they consist of can.
  if (options.device)
    passes.addPass(SplitCoroutinesPass());
  // Copies of forwarders have their attribute `lanes`, too.
  passes.addPass(ReadLanesPass());
  // Last: it follows direct calls, and makes Cilk functions of some ordinary ones.
  passes.addPass(SplitForwardersPass());
}

void cilk2gpu::addUnitPasses(llvm::ModulePassManager &passes, const UnitPipelineOptions &options) {
  passes.addPass(NameGlobalsPass());
  // Before the passes that add functions of the compiler's, to which pointers do not lead.
  if (options.device)
    passes.addPass(MarkPointedAtPass());
  passes.addPass(CheckFunctionsPass());
  // Before it is looked at what can be thrown: calls that are gone throw nothing.
  passes.addPass(InlineShortCallsPass());
  passes.addPass(MarkUnthrowingPass());
  // Before anything changes that the elision should have as Clang made it.
  passes.addPass(CloneElisionsPass());
  // Behind it: ordinary code, and so the elision, keeps its instructions.
  passes.addPass(OutlineUnknownPass());
}

/// SSA form and nothing beyond it: LLVM's passes do not know what a marker means and would move loads across a sync.
static void addSSA(llvm::ModulePassManager &passes) {
  llvm::FunctionPassManager functions;
  functions.addPass(Required<llvm::SROAPass>(llvm::SROAOptions::ModifyCFG));
  functions.addPass(Required<llvm::InstSimplifyPass>());
  functions.addPass(Required<llvm::SimplifyCFGPass>());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
}

/// Results that are loaded twice, to be compared and taken, are loaded once: `x > y ? x : y` is a selection then. Every
/// marker and every spawned call may write memory, as far as these passes know, so that no load moves across one.
static void addLoadJoining(llvm::ModulePassManager &passes) {
  llvm::FunctionPassManager functions;
  functions.addPass(Required<llvm::EarlyCSEPass>(/*UseMemorySSA=*/false));
  functions.addPass(Required<llvm::SimplifyCFGPass>());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
}

void cilk2gpu::addTaskPasses(llvm::ModulePassManager &passes) {
  // First: it compares the module with the unit.
  passes.addPass(ExtractTasksPass());
  // Before loops become functions: a handler may stand around the loop, and the exception come from inside.
  passes.addPass(PrepareUnwindingPass());
  passes.addPass(SyncBeforeHandlersPass());
  // Behind unwinding, which leaves code without use, and before elisions are declared, which nothing refers to yet.
  passes.addPass(DropUnusedPass());
  passes.addPass(DeclareElisionsPass());
  // Before SSA form: what an iteration shares with the function around it is still a variable.
  passes.addPass(ExtractLoopsPass());
  // Behind loops, whose iterations are tasks with storage of their own.
  passes.addPass(ReplaceDynamicLocalsPass());
  // Inlined iterations have marked lifetimes anew: uses of a spawn's objects that are not the spawn's.
  passes.addPass(DropLocalMarksPass());
  // Around LLVM's passes: what they know of a spawned function must not change when it is called.
  passes.addPass(ProtectSpawnedCallsPass());
  addSSA(passes);
  passes.addPass(ReleaseSpawnedCallsPass());
  // In SSA form, where the destination of a result is seen.
  passes.addPass(NormaliseSpawnsPass());
  // Behind spawns, whose functions are no part of a base case.
  passes.addPass(ExtractBaseCasesPass());
  // Both have made functions, and marks in them.
  passes.addPass(DropLocalMarksPass());
  // Not before spawns are in normal form: what the child computes must not be used by its parent.
  addLoadJoining(passes);
  passes.addPass(MarkBorrowsPass());
  // Behind the joining of loads, so that an access has its final address.
  passes.addPass(MarkDistinctCapturesPass());
  // Last, because passes make switches of comparisons.
  passes.addPass(LowerWideSwitchesPass());
  passes.addPass(VerifyNormalFormPass());
}

void cilk2gpu::addLinkPasses(llvm::ModulePassManager &passes, std::unique_ptr<llvm::Module> lowered,
                             llvm::ArrayRef<llvm::Function *> functions) {
  passes.addPass(LinkBackPass(std::move(lowered), functions));
  passes.addPass(DescribeChannelMarkerPass());
}
