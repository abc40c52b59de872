// Lookups of reducers' views in optimised code.
#ifndef CILK2GPU_LIB_TARGET_HOST_REDUCERLOOKUPS_H
#define CILK2GPU_LIB_TARGET_HOST_REDUCERLOOKUPS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Looks up views of reducers once for a loop, if nothing in the loop may end the strand. Then runs LICM on the
/// function, which keeps views of scalars in registers. This pass must run after inlining and after the rotation of
/// loops, in front of the vectorisers. It leaves functions without lookups alone.
struct HoistLookupsPass : llvm::PassInfoMixin<HoistLookupsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_REDUCERLOOKUPS_H
