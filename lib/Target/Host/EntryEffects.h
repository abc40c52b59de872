// What LLVM may assume about calls of Cilk functions from ordinary code.
#ifndef CILK2GPU_LIB_TARGET_HOST_ENTRYEFFECTS_H
#define CILK2GPU_LIB_TARGET_HOST_ENTRYEFFECTS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Gives an ordinary entry of a Cilk function the effects on memory that LLVM has found in its serial elision. For the
/// program, the graph does what the elision does. What the runtime writes, no program reads. So calls may leave loops
/// as in the elision. The pass must run on an entry when LLVM has finished its elision, and before callers are
/// optimised.
struct DescribeEntriesPass : llvm::PassInfoMixin<DescribeEntriesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_ENTRYEFFECTS_H
