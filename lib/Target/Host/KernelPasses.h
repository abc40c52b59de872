// Passes for kernels that gain little from LLVM's whole pipeline. These are vector forms, which were simplified before
// they were made, and forms for lanes that restart, which hardly ever run. On vectors of 16 and more lanes, InstCombine
// or SLP takes six times as long as on as many scalar instructions. The pipeline runs dozens of these passes.
#ifndef CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H
#define CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Runs a few passes on kernels that are marked with kOwnPassesAttr (cilk2gpu/Support/LoweredNames.h), after inlining
/// the calls in them that are meant to be inlined. Keeps the rest of the pipeline away from these kernels (optnone)
/// until ReleaseKernelsPass. To be run right after LowerCilkPass.
struct SimplifyKernelsPass : llvm::PassInfoMixin<SimplifyKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Keeps LLVM's vectorisers away from kernels that spawn in many places, until ReleaseKernelsPass. Stores to channels
/// are far apart and in many blocks. The vectorisers make nothing of them, and take longer than all other passes
/// together (11 of 12 seconds with 36 spawns). This pass is run in front of them.
struct PauseVectorisersPass : llvm::PassInfoMixin<PauseVectorisersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Hands the kernels over to code generation, for which they are functions like others. To be run at the end of every
/// pipeline that has run SimplifyKernelsPass.
struct ReleaseKernelsPass : llvm::PassInfoMixin<ReleaseKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H
