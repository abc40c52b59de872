// Reducers that only one function knows. A reducer in a local variable needs no views if no other code gets its
// address: the function's own code runs in serial order, in whatever strands.
//
//   __cilkrts_reducer_register(&own); *__hyper_lookup(&own) += x; __cilkrts_reducer_unregister(&own)
//   ->  own += x
//
// Serial elisions with local reducers have this form after inlining.
#ifndef CILK2GPU_LIB_TARGET_HOST_OWNREDUCERS_H
#define CILK2GPU_LIB_TARGET_HOST_OWNREDUCERS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Replaces lookups of reducers in local variables by the variables, where no other code gets an address. Keeps scalars
/// in registers. Must run after inlining.
struct UseOwnReducersPass : llvm::PassInfoMixin<UseOwnReducersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_OWNREDUCERS_H
