// The passes for kernels from which LLVM's whole pipeline has little to gain: vector forms, which were simplified
// before they were made, and forms for lanes that restart, which hardly ever run. On vectors of 16 and more lanes a
// pass of InstCombine or SLP takes six times as long as on as many scalar instructions, and the pipeline runs dozens of
// them.
#ifndef CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H
#define CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Runs a few passes on kernels that are marked with kOwnPassesAttr (cilk2gpu/Support/LoweredNames.h), with what they call for
/// being inlined inside, and keeps the rest of the pipeline away from them (optnone) until ReleaseKernelsPass. To be
/// run right after LowerCilkPass.
struct SimplifyKernelsPass : llvm::PassInfoMixin<SimplifyKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Keeps LLVM's vectorisers away from kernels that spawn in many places, until ReleaseKernelsPass: of the stores to
/// channels, far apart and in many blocks, they make nothing, and take longer for that than all other passes together
/// (11 of 12 seconds with 36 spawns). To be run in front of them.
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
