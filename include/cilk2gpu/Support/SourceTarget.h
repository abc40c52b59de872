// What the target that a function was written for does, by the attributes that Clang gives it, where another one must
// do the same: all features by name, the disabled ones, too. Clang's contraction (llvm.fmuladd, the flag `contract`)
// leaves it to the target whether a product that is added to something is rounded once.
#ifndef CILK2GPU_SUPPORT_SOURCETARGET_H
#define CILK2GPU_SUPPORT_SOURCETARGET_H

#include "llvm/IR/Function.h"

namespace cilk2gpu {

bool hasFeature(const llvm::Function &function, llvm::StringRef feature);

/// Whether such a product of floats is rounded once.
bool fusesMulAdds(const llvm::Function &function);

/// What the source's target rounds once another one must not round twice: it calls a function for that.
void fuseMulAdds(llvm::Function &function);

/// What the source's target rounds twice must not be rounded once where another one could.
void splitMulAdds(llvm::Function &function);

/// Both, for each type of numbers: nothing is left to the target.
void settleMulAdds(llvm::Function &function);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_SOURCETARGET_H
