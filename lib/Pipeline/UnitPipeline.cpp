// See UnitPipeline.h. A comment gives the reason where the position of a pass matters.
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
  // After KeepOwnSymbolsPass, because the linker may replace the function behind an alias.
  passes.addPass(ResolveAliasesPass());
  // In Clang's code, before other passes copy calls.
  passes.addPass(MarkSingleCallsPass());
  // Before forwarders. A coroutine cannot be a forwarder, but the functions into which it is split can.
  if (options.device)
    passes.addPass(SplitCoroutinesPass());
  // Before all passes that look at Cilk functions, whose calls can then be followed.
  passes.addPass(
      SplitReplaceablePass(options.device ? SplitReplaceablePass::Use::Gpu : SplitReplaceablePass::Use::Host));
  // Before the split of forwarders, which may make a kernel that calls a Cilk function a Cilk function itself. Before
  // the search for functions that throw nothing, which looks for kernels.
  passes.addPass(ReadBlockKernelsPass());
  // Before the passes that examine calls and handlers, because code for exceptions that nothing throws would count.
  passes.addPass(MarkUnthrowingPass());
  // Before forwarders, because their copies inherit the attribute `lanes`.
  passes.addPass(ReadLanesPass());
  passes.addPass(CheckSharedVariablesPass());
  // After the passes that give functions attributes, which forms take over. Before the passes that copy functions, so
  // that the copies keep pedigrees, too.
  if (options.pedigrees)
    passes.addPass(KeepPedigreesPass());
  // Instructions are counted for each thread. Code for whole blocks does not have the threads apart.
  if (!options.count)
    passes.addPass(CloneBlockKernelsPass());
  // In Clang's code, before other passes change it.
  passes.addPass(FindLinkDistancesPass());
  // Last, because it follows direct calls, and makes Cilk functions from some ordinary functions.
  passes.addPass(SplitForwardersPass());
  // In Clang's code, which does not optimise across markers yet. Before tasks with reducers are marked.
  passes.addPass(ReturnReducedPass());
  // After the split of forwarders, so that all Cilk functions are known.
  // Tasks on GPUs cannot use reducers of other units either.
  passes.addPass(MarkReducersPass(/*tracksLater=*/!options.device));
}

void cilk2gpu::addUnitPasses(llvm::ModulePassManager &passes, const UnitPipelineOptions &options) {
  passes.addPass(NameFilesPass());
  passes.addPass(NameGlobalsPass());
  // Before the passes that add functions of the compiler, to which no pointers lead.
  if (options.device)
    passes.addPass(MarkPointedAtPass());
  // Before other passes change the code around the initialisation.
  passes.addPass(MoveStaticLocalsPass());
  passes.addPass(CheckFunctionsPass());
  // Before short calls are inlined into main. On a device, a function that is a task runs its loops without the host.
  if (!options.device)
    passes.addPass(InlineLoopFunctionsPass());
  passes.addPass(InlineShortCallsPass());
  // After short calls are inlined: members of lambdas, and functions that return a reference.
  passes.addPass(ResolveReferencesPass());
  // After references are resolved, because a lambda is then only read where it is passed on.
  passes.addPass(PassValuesPass());
  // After values are passed, some of which are constants. Before the elisions, which have the constants, too.
  passes.addPass(ReplaceConstantArgumentsPass(/*withAddresses=*/!options.device));
  // Once more, because forwarders have become Cilk functions, and their calls were inlined.
  passes.addPass(MarkUnthrowingPass());
  // Before the elisions, which defer exceptions, too.
  if (options.throws)
    passes.addPass(DeferExceptionsPass());
  // Before the passes that change a function, because the elision should have Clang's code.
  passes.addPass(CloneElisionsPass());
  passes.addPass(UnwindElisionsPass());
  // After the elisions, because ordinary code, and so the elision, keeps its instructions.
  passes.addPass(OutlineUnknownPass());
  // Last, because elisions keep Clang's records, and inlined calls have brought variables with them.
  if (options.variables)
    passes.addPass(MarkVariablesPass());
}

/// Brings functions into SSA form and does nothing beyond it. LLVM's other passes do not know the meaning of a marker
/// and would move loads across a sync.
static void addSSA(llvm::ModulePassManager &passes) {
  llvm::FunctionPassManager functions;
  functions.addPass(Required<llvm::SROAPass>(llvm::SROAOptions::ModifyCFG));
  functions.addPass(Required<llvm::InstSimplifyPass>());
  functions.addPass(Required<llvm::SimplifyCFGPass>());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
}

/// Joins loads of results that are loaded twice, to be compared and used, so that `x > y ? x : y` becomes a selection.
/// As far as these passes know, every marker and every spawned call may write memory, so no load moves across one.
static void addLoadJoining(llvm::ModulePassManager &passes) {
  llvm::FunctionPassManager functions;
  functions.addPass(Required<llvm::EarlyCSEPass>(/*UseMemorySSA=*/false));
  functions.addPass(Required<llvm::SimplifyCFGPass>());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
}

void cilk2gpu::addTaskPasses(llvm::ModulePassManager &passes) {
  // First, because it compares the module with the unit.
  passes.addPass(ExtractTasksPass());
  // Before loops become functions, because a handler may stand around a loop and catch an exception from inside.
  passes.addPass(PrepareUnwindingPass());
  passes.addPass(SyncBeforeHandlersPass());
  // After PrepareUnwindingPass, which leaves unused code, and before elisions are declared, which have no uses yet.
  passes.addPass(DropUnusedPass());
  passes.addPass(DeclareElisionsPass());
  // Before SSA form: data that an iteration shares with the function around the loop is still in variables.
  passes.addPass(ExtractLoopsPass());
  // After the extraction of loops, because their iterations are tasks with storage of their own.
  passes.addPass(ReplaceDynamicLocalsPass());
  // Inlined iterations have new lifetime marks, which would count as uses of a spawn's objects outside of the spawn.
  passes.addPass(DropLocalMarksPass());
  // Before SSA form, because values that cross a sync are still in variables.
  passes.addPass(ShareSyncsPass());
  // Around LLVM's passes: they must not use knowledge about a spawned function at its call.
  passes.addPass(ProtectSpawnedCallsPass());
  addSSA(passes);
  passes.addPass(ReleaseSpawnedCallsPass());
  // In SSA form, where constants are visible, and before other passes look at the code that depends on them.
  passes.addPass(FoldLoopConstantsPass());
  // In SSA form, where the destination of a result is visible.
  passes.addPass(NormaliseSpawnsPass());
  // After NormaliseSpawnsPass, because the functions that it makes for spawns are not part of a base case.
  passes.addPass(ExtractBaseCasesPass());
  // The two passes before have made functions, and lifetime marks in them.
  passes.addPass(DropLocalMarksPass());
  // After spawns are in normal form, which numbers them, and before loads of elements are joined.
  passes.addPass(UnrollShortLoopsPass());
  // Only after spawns are in normal form, because a parent must not use values that its child computes.
  addLoadJoining(passes);
  passes.addPass(MarkBorrowsPass());
  passes.addPass(MarkCapturedMemoryPass());
  // After the joining of loads, so that an access has its final address.
  passes.addPass(MarkDistinctCapturesPass());
  // Last, because other passes make switches from comparisons.
  passes.addPass(LowerWideSwitchesPass());
  passes.addPass(VerifyNormalFormPass());
}

void cilk2gpu::addLinkPasses(llvm::ModulePassManager &passes, std::unique_ptr<llvm::Module> lowered,
                             llvm::ArrayRef<llvm::Function *> functions) {
  passes.addPass(LinkBackPass(std::move(lowered), functions));
  passes.addPass(DescribeChannelMarkerPass());
  passes.addPass(FavourSingleCallsPass());
}
