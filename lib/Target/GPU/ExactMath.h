// Makes mathematics have the host's results on GPUs whose instructions have other results. This is a part of making a
// device module.
#ifndef CILK2GPU_LIB_TARGET_GPU_EXACTMATH_H
#define CILK2GPU_LIB_TARGET_GPU_EXACTMATH_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Replaces mathematical instructions that no GPU computes exactly by calls of the C library's functions, or by exact
/// instructions.
void callMathFunctions(llvm::Module &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_EXACTMATH_H
