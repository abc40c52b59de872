// Passes on a translation unit that has code for GPUs, before its Cilk functions are lowered.
#ifndef CILK2GPU_TARGET_GPU_UNITPASSES_H
#define CILK2GPU_TARGET_GPU_UNITPASSES_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Splits coroutines into their functions. Host and device must share the layout of a coroutine's frame, and the
/// addresses of the functions that resume and destroy it.
struct SplitCoroutinesPass : llvm::PassInfoMixin<SplitCoroutinesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Marks functions that pointers may lead to (kPointedAtAttr). It runs before the lowering, because descriptors point
/// at the functions that the lowering makes of them.
/// Also marks the functions by which hand-written graphs call their kernels (kGraphKernelAttr).
struct MarkPointedAtPass : llvm::PassInfoMixin<MarkPointedAtPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_GPU_UNITPASSES_H
