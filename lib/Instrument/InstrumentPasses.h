// Passes that make instrumented elisions: serial elisions that call the hooks of tools. They replace the lowering.
// lib/Pipeline/LLVMPasses.def has their names and summaries.
#ifndef CILK2GPU_LIB_INSTRUMENT_INSTRUMENTPASSES_H
#define CILK2GPU_LIB_INSTRUMENT_INSTRUMENTPASSES_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Metadata of the call of a hook that stands for the implied sync of a return.
inline constexpr char kReturnSyncMetadata[] = "cilk2gpu.return_sync";

/// Makes serial elisions of all Cilk functions, with a call of a hook (cilk2gpu/abi/StrandHooks.h) in the place of each
/// marker. Runs on Clang's code before any other pass.
struct StrandHooksPass : llvm::PassInfoMixin<StrandHooksPass> {
  /// Ordered tasks run in the order of the program. Otherwise they run level by level, as in the graph.
  bool isInOrder;

  explicit StrandHooksPass(bool isInOrder = true) : isInOrder(isInOrder) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Names the variables that accesses are of, in metadata (RaceNames.cpp). Runs on Clang's code.
struct NameAccessesPass : llvm::PassInfoMixin<NameAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Gives spawned blocks, and calls that get objects by value, copies that the parent makes at the spawn
/// (CopyCaptures.cpp). Runs on Clang's code, before MarkLocalsPass.
struct CopyCapturesPass : llvm::PassInfoMixin<CopyCapturesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Marks the local variables of Cilk functions for the race detector (RaceLocals.cpp). Runs on Clang's code, before
/// StrandHooksPass.
struct MarkLocalsPass : llvm::PassInfoMixin<MarkLocalsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Leaves calls of a hook at uses of reducers (RaceViews.cpp). Runs on Clang's code.
struct MarkViewsPass : llvm::PassInfoMixin<MarkViewsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Leaves calls of hooks (cilk2gpu/abi/RaceHooks.h) at accesses of memory (RaceAccesses.cpp). Runs on optimised code.
struct RaceAccessesPass : llvm::PassInfoMixin<RaceAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_INSTRUMENT_INSTRUMENTPASSES_H
