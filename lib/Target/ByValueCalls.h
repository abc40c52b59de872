// Protects calls with by-value arguments from a fault of LLVM.
#ifndef CILK2GPU_LIB_TARGET_BYVALUECALLS_H
#define CILK2GPU_LIB_TARGET_BYVALUECALLS_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Keeps calls with by-value arguments calls (`notail`). LLVM 22 makes a loop of a recursive call whose result is
/// ignored, and copies the new arguments over the old ones. If code behind the call reads the old ones, it reads the
/// new ones instead. Clang has the same fault in programs without Cilk.
struct KeepByValueCallsPass : llvm::PassInfoMixin<KeepByValueCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_BYVALUECALLS_H
