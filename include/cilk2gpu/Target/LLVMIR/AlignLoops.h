// Places the loops of a unit with Cilk in it, so that how fast they run does not depend on what happens to stand in
// front of them: kernels are what a program repeats most, and lowering moves everything that follows them.
#ifndef CILK2GPU_TARGET_LLVMIR_ALIGNLOOPS_H
#define CILK2GPU_TARGET_LLVMIR_ALIGNLOOPS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
}

namespace cilk2gpu {

/// Says that AlignLoopsPass should work on a module.
void requestAlignedLoops(llvm::Module &module);

/// Asks code generation to start loops at cache lines, in modules for which that was requested. Functions
/// that are to be small, and loops that say something of their alignment themselves, stay as they are. To be run when
/// nothing is left that changes loops.
struct AlignLoopsPass : llvm::PassInfoMixin<AlignLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace cilk2gpu

#endif // CILK2GPU_TARGET_LLVMIR_ALIGNLOOPS_H
