// Chooses the instruction sets for which kernels are vectorised, and sets them as functions' targets.
#ifndef CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H
#define CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H

#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// Returns the names of the instruction sets for which kernels of `module` may be vectorised, with + between them: the
/// sets of its architecture that the user named, else the default sets. Empty if there are none.
std::string vectorTargetNames(const llvm::Module &module, const LoweringOptions &options);

/// Returns the reason why no kernel of `module` runs in vectors.
llvm::StringRef whyNoVectors(const llvm::Module &module, const LoweringOptions &options);

/// Returns the instruction sets for which the lane form `form` is vectorised if it pays, the preferred set first. If
/// the user named sets, these are returned. Otherwise all sets are returned, or only the best set if the function's own
/// target has it. Sets that the command line rules out (-mno-avx2) are left out.
llvm::SmallVector<const VectorIsaInfo *> vectorTargets(const llvm::Function &form, const LoweringOptions &options);

/// Sets the target of `function` to the instruction set and nothing beyond it. The runtime checks the machine before it
/// calls the function.
void setVectorTarget(llvm::Function &function, const VectorIsaInfo &info);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H
