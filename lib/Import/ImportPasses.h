// Passes that bring the Cilk functions of a translation unit into the form that the MLIR import takes. Other passes
// link the lowered functions back. lib/Pipeline/LLVMPasses.def has their names and summaries,
// lib/Pipeline/UnitPipeline.cpp their order with its reasons.
#ifndef CILK2GPU_LIB_IMPORT_IMPORTPASSES_H
#define CILK2GPU_LIB_IMPORT_IMPORTPASSES_H

#include "SourceUnit.h"

#include <memory>
#include <string>

namespace cilk2gpu {

//===-- On a translation unit, before its Cilk functions are taken out of it --------------------------------------===//

/// Gives each source file of the debug information a name that says where the file is: a path from the folder of the
/// compilation, or an absolute path (FileNames.cpp). MLIR's locations have only the name.
struct NameFilesPass : UnitPass<NameFilesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes functions local to the program (dso_local) that no library can replace. Under -fsemantic-interposition,
/// another library may replace a function of a library, but not a function of a program, and never main.
struct KeepOwnSymbolsPass : UnitPass<KeepOwnSymbolsPass> {
  explicit KeepOwnSymbolsPass(bool executable = true) : executable(executable) {}
  bool runOn(llvm::Module &module, llvm::Module &unit);

private:
  bool executable; ///< the unit is part of a program, not of a shared library
};

/// call @alias -> call @function. Without this rewrite, a call or spawn through an alias would not be known to be of a
/// Cilk function.
struct ResolveAliasesPass : UnitPass<ResolveAliasesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Moves the bodies of Cilk functions that the linker may replace to functions of their own, which it cannot replace
/// (ReplaceableFunctions.cpp). In tasks for the host, plain calls compare addresses to find out which body is linked.
struct SplitReplaceablePass : UnitPass<SplitReplaceablePass> {
  enum class Use { Host, Gpu, Elision };
  explicit SplitReplaceablePass(Use use = Use::Host) : use(use) {}
  Use use;
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Marks local functions that have one call (kSingleCallAttr, SingleCalls.cpp).
struct MarkSingleCallsPass : UnitPass<MarkSingleCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Turns the annotations that the attribute `lanes` leaves into function attributes (kLanesAttr).
struct ReadLanesPass : UnitPass<ReadLanesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Turns the annotations of kernels of thread blocks into function attributes (kBlockKernelAttr, kBlockSyncAttr).
struct ReadBlockKernelsPass : UnitPass<ReadBlockKernelsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Refuses kernels of thread blocks that share too much memory (SharedVariables.cpp).
struct CheckSharedVariablesPass : UnitPass<CheckSharedVariablesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes functions keep the pedigree of their strand (Pedigrees.cpp). Runs only with -fcilk-pedigrees. The unit tells
/// the runtime if `announces`.
struct KeepPedigreesPass : UnitPass<KeepPedigreesPass> {
  explicit KeepPedigreesPass(bool announces = true) : announces(announces) {}
  bool announces;
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces all Cilk functions by their serial elisions (CloneElisions.cpp).
struct ElideKeywordsPass : UnitPass<ElideKeywordsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Copies kernels of thread blocks to bodies (kBlockBodyAttr), in which markers stand for the index variables
/// (BlockKernels.cpp).
struct CloneBlockKernelsPass : UnitPass<CloneBlockKernelsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes a record of each mapping function of thread blocks whose parents have constant distances
/// (MappingFunctions.cpp). The function itself stays as it is.
struct FindLinkDistancesPass : UnitPass<FindLinkDistancesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes ordinary functions that lead from tasks to Cilk functions part of the graph (Forwarders.cpp). Inlines them, or
/// gives them a copy that is a task.
struct SplitForwardersPass : UnitPass<SplitForwardersPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Lets recursive functions that only add to a reducer return what they add (ReducedResults.cpp).
struct ReturnReducedPass : UnitPass<ReturnReducedPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Marks the functions that may look up a view of a reducer (kLooksUpAttr), and the Cilk functions beside them
/// (kTracksAttr). In a unit without reducers, these functions are those that may call other units (kTracksIfUsedAttr).
/// Such a unit gets no mark if `tracksLater` is false.
struct MarkReducersPass : UnitPass<MarkReducersPass> {
  explicit MarkReducersPass(bool tracksLater = true) : tracksLater(tracksLater) {}
  bool tracksLater;
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Gives every global a name, so that a module made from this one can refer to it.
struct NameGlobalsPass : UnitPass<NameGlobalsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Reports Cilk functions that cannot be split, with the reason and a remedy.
struct CheckFunctionsPass : UnitPass<CheckFunctionsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Inlines functions that have loops of tasks, and no other tasks, into main (LoopFunctions.cpp). So the loops, and the
/// code that runs them serially, know what main passes.
struct InlineLoopFunctionsPass : UnitPass<InlineLoopFunctionsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Inlines calls of short functions without loops, and the calls in them, into Cilk functions (ShortCalls.cpp). A
/// spawned call stays a call.
struct InlineShortCallsPass : UnitPass<InlineShortCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces loads of references by the addresses of the variables to which they lead, in Cilk functions
/// (References.cpp).
struct ResolveReferencesPass : UnitPass<ResolveReferencesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Passes variables by value to Cilk functions that only read them, if only one call leads there
/// (ValueParameters.cpp).
struct PassValuesPass : UnitPass<PassValuesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces parameters of local functions that get the same constant from all calls (ConstantArguments.cpp). Addresses
/// of variables count as constants if `withAddresses` is set. On a device, a task may use such a variable only if it is
/// known to do so before this pass.
struct ReplaceConstantArgumentsPass : UnitPass<ReplaceConstantArgumentsPass> {
  explicit ReplaceConstantArgumentsPass(bool withAddresses) : withAddresses(withAddresses) {}
  bool withAddresses;
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Marks functions that throw nothing because nothing that they call throws (Unthrowing.cpp). In Cilk functions, drops
/// the code for exceptions that nothing throws.
struct MarkUnthrowingPass : UnitPass<MarkUnthrowingPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Lets exceptions leave tasks: the parent throws them behind its sync (DeferExceptions.cpp).
struct DeferExceptionsPass : UnitPass<DeferExceptionsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes serial elisions of Cilk functions that contain unwinding or variables of variable size (CloneElisions.cpp),
/// and names the elisions in kElisionFunctionAttr.
struct CloneElisionsPass : UnitPass<CloneElisionsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Lets exceptions pass through elisions as through ordinary code (UnwindElisions.cpp).
struct UnwindElisionsPass : UnitPass<UnwindElisionsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Marks functions of which there are few tasks at a time (kRareTaskAttr). The unit still has the code that calls and
/// spawns.
struct MarkRareTasksPass : UnitPass<MarkRareTasksPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Moves the initialisation of static local variables out of Cilk functions (StaticLocals.cpp).
struct MoveStaticLocalsPass : UnitPass<MoveStaticLocalsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Moves each instruction that MLIR cannot represent into a function of its own, which is inlined when the code has
/// come back from MLIR.
struct OutlineUnknownPass : UnitPass<OutlineUnknownPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces the records of variables in Cilk functions without optimisation by marker calls, which go through MLIR
/// (Variables.cpp).
struct MarkVariablesPass : UnitPass<MarkVariablesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

//===-- On the module of the Cilk functions -----------------------------------------------------------------------===//

/// Keeps only the bodies of Cilk functions. Attributes record facts about the rest of the unit that the split needs:
/// the functions that are local to the unit, and the tasks to which pointers may lead.
struct ExtractTasksPass : UnitPass<ExtractTasksPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Gives exception handling the form that tasks need (Unwinding.cpp), and turns return syncs into syncs.
struct PrepareUnwindingPass : UnitPass<PrepareUnwindingPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes a task wait for its children before one of its handlers runs, because the handler may destroy objects that
/// they use (HandlerSyncs.cpp).
struct SyncBeforeHandlersPass : UnitPass<SyncBeforeHandlersPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Removes unused declarations, and the lists that concern the whole program (constructors, used).
struct DropUnusedPass : UnitPass<DropUnusedPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Declares the serial elisions that CloneElisionsPass has made, and makes `main` call its elision if the program runs
/// serially.
struct DeclareElisionsPass : UnitPass<DeclareElisionsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces each cilk_for by a call of a task that runs a range of its iterations (ExtractLoops.cpp).
struct ExtractLoopsPass : UnitPass<ExtractLoopsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Gives tasks storage of variable size from the runtime instead of the stack (DynamicLocals.cpp).
struct ReplaceDynamicLocalsPass : UnitPass<ReplaceDynamicLocalsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Removes marks of local variables' lifetimes and names: variables may move into frames, which end later.
struct DropLocalMarksPass : UnitPass<DropLocalMarksPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Lets conditional syncs of a function share one sync, so that the code behind them is in one kernel (ShareSyncs.cpp).
struct ShareSyncsPass : UnitPass<ShareSyncsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Keeps LLVM's passes from evaluating spawned calls at compile time, dropping them or duplicating them.
struct ProtectSpawnedCallsPass : UnitPass<ProtectSpawnedCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Undoes the part of ProtectSpawnedCallsPass that hinders the inlining of spawned functions.
struct ReleaseSpawnedCallsPass : UnitPass<ReleaseSpawnedCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Brings each spawn into normal form (NormaliseSpawns.cpp): a call by name and at most one store of its result.
struct NormaliseSpawnsPass : UnitPass<NormaliseSpawnsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces what a loop's iterations capture by its value, if that is a constant (LoopConstants.cpp).
struct FoldLoopConstantsPass : UnitPass<FoldLoopConstantsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes functions from the parts of tasks that allocate memory, compute in loops and spawn nothing
/// (ExtractBaseCases.cpp). Also makes functions from base cases with loops for which kernels can call the elision.
struct ExtractBaseCasesPass : UnitPass<ExtractBaseCasesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Unrolls loops of a few iterations over local arrays that are accessed at constant places, too
/// (UnrollShortLoops.cpp).
struct UnrollShortLoopsPass : UnitPass<UnrollShortLoopsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Marks the pointer parameters whose addresses declared functions do not keep (kBorrowsAttr; Borrows.cpp).
struct MarkBorrowsPass : UnitPass<MarkBorrowsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Marks captured pointers of loop iterations with the bytes behind them and their alignment (CapturedMemory.cpp).
struct MarkCapturedMemoryPass : UnitPass<MarkCapturedMemoryPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Gives accesses of loop iterations alias scopes where captured pointers lead to different objects
/// (DistinctCaptures.cpp).
struct MarkDistinctCapturesPass : UnitPass<MarkDistinctCapturesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces switches on more than 64 bits, which MLIR cannot translate back, by comparisons.
struct LowerWideSwitchesPass : UnitPass<LowerWideSwitchesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Reports IR that the conversion of markers does not expect. An unexpected form becomes an error of the compiler with
/// its location, instead of a crash.
struct VerifyNormalFormPass : UnitPass<VerifyNormalFormPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Rewrites parts of LLVM IR that MLIR's import would misunderstand (Crossing.cpp).
struct PrepareImportPass : UnitPass<PrepareImportPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

//===-- On what comes back from MLIR ------------------------------------------------------------------------------===//

/// Undoes the rewrites of PrepareImportPass, and restores information that MLIR has lost.
struct FinishExportPass : UnitPass<FinishExportPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Gives each function the attributes for code generation (target, sanitizers, frame pointers) of the user's function
/// from which it was made.
struct InheritAttributesPass : UnitPass<InheritAttributesPass> {
  /// `fallback` is the user's function for code that is made from no function. By default, it is the unit's first Cilk
  /// function.
  explicit InheritAttributesPass(const llvm::Function *fallback = nullptr) : fallback(fallback) {}
  bool runOn(llvm::Module &module, llvm::Module &unit);

private:
  const llvm::Function *fallback;
};

/// Makes functions use the unit's own debug information instead of copies that Clang and MLIR have made of it.
struct JoinDebugInfoPass : UnitPass<JoinDebugInfoPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces the bodies of a unit's Cilk functions by the lowered ones and adds all other symbols of their module.
/// Linkage, visibility, comdat and attributes of the user's functions stay.
struct LinkBackPass : UnitPass<LinkBackPass> {
  /// `functions` are the functions of the unit whose code is in `lowered`.
  LinkBackPass(std::unique_ptr<llvm::Module> lowered, llvm::ArrayRef<llvm::Function *> functions)
      : lowered(std::move(lowered)), functions(functions.begin(), functions.end()) {}
  /// `file` contains the LLVM IR of the lowered module, which has the code of the unit's Cilk functions.
  explicit LinkBackPass(std::string file) : file(std::move(file)) {}
  bool runOn(llvm::Module &module, llvm::Module &unit);

private:
  std::unique_ptr<llvm::Module> lowered;
  llvm::SmallVector<llvm::Function *> functions;
  std::string file;
};

/// Lets LLVM's inliner treat each copy of the one call of a function (kSingleCallAttr) as the only call
/// (SingleCalls.cpp).
struct FavourSingleCallsPass : UnitPass<FavourSingleCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Removes the remaining markers of spawns, syncs and loops, because code generation would report them after an error.
struct DropMarkersPass : llvm::PassInfoMixin<DropMarkersPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_IMPORTPASSES_H
