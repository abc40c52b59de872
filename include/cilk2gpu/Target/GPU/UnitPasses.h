// Passes on a translation unit that has code for GPUs, before its Cilk functions are lowered.
#ifndef CILK2GPU_TARGET_GPU_UNITPASSES_H
#define CILK2GPU_TARGET_GPU_UNITPASSES_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Makes the functions that coroutines consist of: host and device share what is in a coroutine's frame, and the
/// addresses of the functions that resume and destroy it.
struct SplitCoroutinesPass : llvm::PassInfoMixin<SplitCoroutinesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Marks functions that pointers may lead to (kPointedAtAttr): what the lowering makes of them is pointed at by
/// descriptors. Also marks the functions by which hand-written graphs call their kernels (kGraphKernelAttr).
struct MarkPointedAtPass : llvm::PassInfoMixin<MarkPointedAtPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GPU_UNITPASSES_H
