// Fields that all elements of a level have in common.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H

#include "Divergence.h"
#include "PrivateArrays.h"

namespace cilk2gpu {

/// Finds fields of `kernel`'s element on which all elements of a level mostly agree: n and row + 1 in
/// queens(n, row + 1, ...). A task hands each of them to all children of its own kind, computed in one way and from
/// such fields alone. So elements that descend from one root by equally many steps agree in them. The elements of a
/// wavefront mostly do, too, which is looked at when the kernel runs. Floating point is left out, and so are pointers
/// that nothing is loaded from. Returns the operations that fetch the fields.
llvm::SmallVector<lane::DeqOp> findLevelUniformFields(mlir::LLVM::LLVMFuncOp kernel);

/// Whether lanes that agree as `agreed` says leave loops, index local arrays, or load from one place in a loop,
/// together where in `general` they do not.
bool isWorthAgreeing(mlir::LLVM::LLVMFuncOp kernel, const Divergence &general, const Divergence &agreed,
                     const PrivateArrays &arrays);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H
