// Counting of executed instructions for the modelled machine: kernels, and everything that they may call, report the
// blocks that they execute (cilk2gpu/abi/Counts.h). Runs last, on what code generation will see.
#ifndef CILK2GPU_LIB_TARGET_HOST_COUNTINSTRUCTIONS_H
#define CILK2GPU_LIB_TARGET_HOST_COUNTINSTRUCTIONS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Marks a channel operation in lowered kernels (kCountChannelMarker) as something that optimisation keeps, and keeps
/// in its place, but that hinders none of it.
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
