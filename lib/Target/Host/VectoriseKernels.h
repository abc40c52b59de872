// Vectorises the lane forms of a lowered module.
#ifndef CILK2GPU_LIB_TARGET_HOST_VECTORISEKERNELS_H
#define CILK2GPU_LIB_TARGET_HOST_VECTORISEKERNELS_H

#include "Import/Trip.h"
#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Marks functions of which there are few tasks at a time (kRareTaskAttr). The module still has the code that spawns, of
/// these functions and of main.
struct MarkRareTasksPass : llvm::PassInfoMixin<MarkRareTasksPass> {
  llvm::PreservedAnalyses run(llvm::Module &user, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Simplifies each lane form in `lowered`, with the bodies of the functions of `user` that it calls at hand. Vectorises
/// each form where that is possible and pays. The others' vector entries go; their descriptors say so. No lane form is
/// left. Remarks (-Rpass=cilk, -Rpass-missed=cilk) say what became of each kernel. `cilkFunctions` are functions of
/// `user` that must not be looked into. Returns false after an error. With `wasted`, looks first for functions whose
/// elements have many columns although none of their kernels runs in vectors. If there are any, puts their names there,
/// and does nothing else.
bool vectoriseKernels(llvm::Module &lowered, llvm::Module &user, llvm::ArrayRef<llvm::Function *> cilkFunctions,
                      Trip &trip, const LoweringOptions &options, llvm::StringSet<> *wasted);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_VECTORISEKERNELS_H
