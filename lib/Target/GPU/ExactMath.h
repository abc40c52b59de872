// Mathematics with the host's results, where GPUs have instructions of their own for it; part of making a device
// module.
#ifndef CILK2GPU_LIB_TARGET_GPU_EXACTMATH_H
#define CILK2GPU_LIB_TARGET_GPU_EXACTMATH_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Makes calls of the C library's functions, and exact instructions, out of instructions for mathematics for which a
/// GPU has no exact ones.
void callMathFunctions(llvm::Module &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_EXACTMATH_H
