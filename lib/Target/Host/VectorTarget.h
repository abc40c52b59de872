// What vectors a kernel may be compiled for, and how that is told to LLVM.
#ifndef CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H
#define CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H

#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// Names of the instruction sets that kernels of `module` may be vectorised for, with + between them: the sets of its
/// architecture that are asked for, else the default sets. Empty: none.
std::string vectorTargetNames(const llvm::Module &module, const LoweringOptions &options);

/// Returns why no kernel of `module` runs in vectors.
llvm::StringRef whyNoVectors(const llvm::Module &module, const LoweringOptions &options);

/// Returns the instruction sets that the lane form `form` is vectorised for if it pays, the preferred set first. These
/// are the sets that are asked for, else all, or only the best set if the function's own target has it. A set that the
/// command line rules out (-mno-avx2) is left out.
llvm::SmallVector<const VectorIsaInfo *> vectorTargets(const llvm::Function &form, const LoweringOptions &options);

/// Has `function` compiled for the instruction set, and for none beyond it; the runtime looks at the machine before it
/// calls it.
void setVectorTarget(llvm::Function &function, const VectorIsaInfo &info);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H
