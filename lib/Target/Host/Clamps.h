// Minima and maxima in loops that change nothing.
#ifndef CILK2GPU_LIB_TARGET_HOST_CLAMPS_H
#define CILK2GPU_LIB_TARGET_HOST_CLAMPS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Replaces min(x, bound) and max(x, bound) by x where x keeps to the bound in all iterations of the loop around it.
/// LLVM's constraint elimination does this, but not in a loop that it has rotated before it learns that two values are
/// equal (LoopFacts.h). Each remaining minimum makes the addresses of an image's pixels look arbitrary to the
/// vectorisers.
///
///   for (x = 0; x < width; x++)  sum += pixels[min(x, width - 1)];
struct DropClampsPass : llvm::PassInfoMixin<DropClampsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_CLAMPS_H
