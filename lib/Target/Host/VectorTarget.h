// What vectors a kernel may be compiled for, and how that is told to LLVM.
#ifndef CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H
#define CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H

#include "cilk2gpu/Support/LoweringOptions.h"
#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// The instruction sets that kernels of `module` may be vectorised for, by their names, with + between them: those of
/// its architecture that are asked for, or that everyone gets. Empty: none.
std::string vectorTargetNames(const llvm::Module &module, const LoweringOptions &options);

/// Why that is so of all kernels.
llvm::StringRef whyNoVectors(const llvm::Module &module, const LoweringOptions &options);

/// The instruction sets that the lane form `form` is vectorised for if it is worth it, the preferred one first: those
/// asked for, else all, or only the best if the function's own target has that. One that is ruled out on the command
/// line (-mno-avx2) is left out.
llvm::SmallVector<const VectorIsaInfo *> vectorTargets(const llvm::Function &form, const LoweringOptions &options);

/// Has `function` compiled for the instruction set, and for none beyond it; the runtime looks at the machine before it
/// calls it.
void setVectorTarget(llvm::Function &function, const VectorIsaInfo &info);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_VECTORTARGET_H
