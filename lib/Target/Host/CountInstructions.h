// Counts executed instructions for the modelled machine: kernels, and all functions that they may call, report the
// blocks that they execute (cilk2gpu/abi/Counts.h). Runs last, on the code that code generation gets.
#ifndef CILK2GPU_LIB_TARGET_HOST_COUNTINSTRUCTIONS_H
#define CILK2GPU_LIB_TARGET_HOST_COUNTINSTRUCTIONS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Describes the marker of a channel operation in lowered kernels (kCountChannelMarker). Optimisation must keep the
/// marker in its place, but may optimise everything around it.
struct DescribeChannelMarkerPass : llvm::PassInfoMixin<DescribeChannelMarkerPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Makes every function of a module report its blocks, once.
struct CountInstructionsPass : llvm::PassInfoMixin<CountInstructionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_COUNTINSTRUCTIONS_H
