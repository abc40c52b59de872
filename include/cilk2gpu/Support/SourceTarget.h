// Features and floating-point rounding of the target that a function was written for. They follow from the attributes
// that Clang gives to the function. If the function runs on another target, it must compute the same.
//
// In `a * b + c` with contraction (llvm.fmuladd, the flag `contract`), a target that fuses rounds once, and others
// round twice. The functions below fix the choice of the source's target in the IR.
#ifndef CILK2GPU_SUPPORT_SOURCETARGET_H
#define CILK2GPU_SUPPORT_SOURCETARGET_H

#include "llvm/IR/Function.h"

namespace cilk2gpu {

bool hasFeature(const llvm::Function &function, llvm::StringRef feature);

/// Returns true if the source's target rounds `a * b + c` once for floats.
bool fusesMulAdds(const llvm::Function &function);

/// Replaces each llvm.fmuladd by llvm.fma, which rounds once on every target. For functions whose target fuses.
void fuseMulAdds(llvm::Function &function);

/// If the source's target does not fuse for floats, settles the rounding as settleMulAdds does. Else does nothing.
void splitMulAdds(llvm::Function &function);

/// Fixes the rounding that the source's target has, for each type of numbers: it is fused if that target fuses, else
/// split.
void settleMulAdds(llvm::Function &function);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_SOURCETARGET_H
