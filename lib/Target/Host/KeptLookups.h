// The fast path of lookups of reducers' views.
#ifndef CILK2GPU_LIB_TARGET_HOST_KEPTLOOKUPS_H
#define CILK2GPU_LIB_TARGET_HOST_KEPTLOOKUPS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Lets lookups first read the views that the runtime keeps for the thread (KeptLookups in cilk2gpu/abi/StrandViews.h).
/// This pass must run behind all passes that join or move lookups. It leaves code for shared libraries alone, where
/// variables of threads are slow.
struct KeepLookupsPass : llvm::PassInfoMixin<KeepLookupsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_KEPTLOOKUPS_H
