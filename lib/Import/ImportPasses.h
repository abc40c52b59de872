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

/// Makes functions local to the program (dso_local) that no library can replace. Under -fsemantic-interposition,
/// another library's function may replace a function of the same name, but none of a program, and never main.
struct KeepOwnSymbolsPass : UnitPass<KeepOwnSymbolsPass> {
  explicit KeepOwnSymbolsPass(bool executable = true) : executable(executable) {}
  bool runOn(llvm::Module &module, llvm::Module &unit);

private:
  bool executable; ///< the unit is a program's, not a shared library's
};

/// call @alias  ->  call @function: only then is a call or a spawn through an alias known to be of a Cilk function.
struct ResolveAliasesPass : UnitPass<ResolveAliasesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Turns the annotations that the attribute `lanes` leaves into function attributes (kLanesAttr).
struct ReadLanesPass : UnitPass<ReadLanesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes ordinary functions that lead from tasks to Cilk functions part of the graph (Forwarders.cpp). Inlines them, or
/// gives them a copy that is a task.
struct SplitForwardersPass : UnitPass<SplitForwardersPass> {
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

/// Inlines calls of short functions without loops, and those that they call, into Cilk functions (ShortCalls.cpp). A
/// call that is spawned stays a call.
struct InlineShortCallsPass : UnitPass<InlineShortCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Marks Cilk functions that throw nothing because nothing they call throws. Clang marks a function only if it has seen
/// its callees before, and never a recursion.
struct MarkUnthrowingPass : UnitPass<MarkUnthrowingPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes serial elisions of Cilk functions that contain unwinding or storage of variable size (CloneElisions.cpp), and
/// names them in kElisionFunctionAttr.
struct CloneElisionsPass : UnitPass<CloneElisionsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Moves each instruction that MLIR does not have into a function of its own, which is inlined when the code has come
/// back from MLIR.
struct OutlineUnknownPass : UnitPass<OutlineUnknownPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

//===-- On the module of the Cilk functions -----------------------------------------------------------------------===//

/// Keeps the bodies of Cilk functions alone. Attributes say what the split has to know of the rest of the unit: which
/// functions are its own, and to which tasks pointers may lead.
struct ExtractTasksPass : UnitPass<ExtractTasksPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Brings exception handling into the form that tasks have (Unwinding.cpp), and return syncs into that of syncs.
struct PrepareUnwindingPass : UnitPass<PrepareUnwindingPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes children of a task end before a handler of its own runs, which may destroy what they use (HandlerSyncs.cpp).
struct SyncBeforeHandlersPass : UnitPass<SyncBeforeHandlersPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Removes declarations that nothing refers to, and lists of the whole program (constructors, used).
struct DropUnusedPass : UnitPass<DropUnusedPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Declares the serial elisions that CloneElisionsPass has made, and has `main` call its own where everything runs
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

/// Keeps LLVM's passes from computing spawned calls beforehand, dropping them or duplicating them.
struct ProtectSpawnedCallsPass : UnitPass<ProtectSpawnedCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Takes back the part of ProtectSpawnedCallsPass that hinders the inlining of spawned functions.
struct ReleaseSpawnedCallsPass : UnitPass<ReleaseSpawnedCallsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Brings each spawn into normal form (NormaliseSpawns.cpp): a call by name and at most one store of its result.
struct NormaliseSpawnsPass : UnitPass<NormaliseSpawnsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes functions of parts of tasks that allocate and compute in loops and spawn nothing (ExtractBaseCases.cpp).
struct ExtractBaseCasesPass : UnitPass<ExtractBaseCasesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Says of declared functions which addresses they are given and do not keep (kBorrowsAttr; Borrows.cpp).
struct MarkBorrowsPass : UnitPass<MarkBorrowsPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Gives accesses of loop iterations alias scopes where captured pointers lead to different objects
/// (DistinctCaptures.cpp).
struct MarkDistinctCapturesPass : UnitPass<MarkDistinctCapturesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Makes comparisons of switches on more than 64 bits, which MLIR cannot translate back.
struct LowerWideSwitchesPass : UnitPass<LowerWideSwitchesPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Reports IR that the conversion of markers does not expect: an error of the compiler's, with its place, instead of a
/// crash.
struct VerifyNormalFormPass : UnitPass<VerifyNormalFormPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Says in other words what MLIR's import would take for something else (Crossing.cpp).
struct PrepareImportPass : UnitPass<PrepareImportPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

//===-- On what comes back from MLIR ------------------------------------------------------------------------------===//

/// Says again what PrepareImportPass has said otherwise, and what the way through MLIR has lost.
struct FinishExportPass : UnitPass<FinishExportPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Gives functions the attributes for code generation (target, sanitizers, frame pointers) of the user's function that
/// each was made from.
struct InheritAttributesPass : UnitPass<InheritAttributesPass> {
  /// `fallback`: the user's function for code that is made from none; by default the unit's first Cilk function.
  explicit InheritAttributesPass(const llvm::Function *fallback = nullptr) : fallback(fallback) {}
  bool runOn(llvm::Module &module, llvm::Module &unit);

private:
  const llvm::Function *fallback;
};

/// Gives functions the unit's own debug information where Clang's and MLIR's copies describe the same.
struct JoinDebugInfoPass : UnitPass<JoinDebugInfoPass> {
  bool runOn(llvm::Module &module, llvm::Module &unit);
};

/// Replaces the bodies of a unit's Cilk functions by the lowered ones and adds what else their module defines. Linkage,
/// visibility, comdat and attributes of the user's functions stay.
struct LinkBackPass : UnitPass<LinkBackPass> {
  /// `functions`: those of the unit that `lowered` has the code of.
  LinkBackPass(std::unique_ptr<llvm::Module> lowered, llvm::ArrayRef<llvm::Function *> functions)
      : lowered(std::move(lowered)), functions(functions.begin(), functions.end()) {}
  /// `file`: LLVM IR of the lowered module. It has the code of the unit's Cilk functions.
  explicit LinkBackPass(std::string file) : file(std::move(file)) {}
  bool runOn(llvm::Module &module, llvm::Module &unit);

private:
  std::unique_ptr<llvm::Module> lowered;
  llvm::SmallVector<llvm::Function *> functions;
  std::string file;
};

/// Removes the markers of spawns, syncs and loops that are left. After an error, code generation would report the
/// markers again.
struct DropMarkersPass : llvm::PassInfoMixin<DropMarkersPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_IMPORTPASSES_H
