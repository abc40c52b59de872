// What ordinary code knows about the values that the iterations of a cilk_for capture.
#ifndef CILK2GPU_LIB_TARGET_HOST_LOOPFACTS_H
#define CILK2GPU_LIB_TARGET_HOST_LOOPFACTS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Tells the function of a cilk_for's iterations what all starts of the loop have in common. A captured value may
/// always be the same constant, or the same as another captured value. A captured pointer may lead to an object to
/// which no other captured pointer leads. The ordinary function around the loop shows this only after inlining, so the
/// pass must run after LLVM's inliner. It must also run in front of the vectorisers, for which it was made. Then it
/// runs `simplification` on the functions that it has changed.
///
/// Elements of the loop's task hide the values from LLVM's own passes: the calls in kernels load them.
class ShareLoopFactsPass : public llvm::PassInfoMixin<ShareLoopFactsPass> {
public:
  explicit ShareLoopFactsPass(llvm::FunctionPassManager simplification) : simplification(std::move(simplification)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  llvm::FunctionPassManager simplification;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_LOOPFACTS_H
