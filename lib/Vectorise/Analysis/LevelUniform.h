// Fields that all elements of a level have in common.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H

#include "Divergence.h"
#include "PrivateArrays.h"

namespace cilk2gpu {

/// The fields of `kernel`'s element, as the operations that fetch them, that a task hands to all its children of
/// its own kind computed from such fields alone, and in the same way: n and row + 1 in queens(n, row + 1, ...).
/// Elements that descend from one root by equally many steps then agree in them, and so do those of a wavefront,
/// mostly: whether they do has to be looked at when it runs. Floating point is left out, and so are pointers that
/// nothing is loaded from.
llvm::SmallVector<lane::DeqOp> findLevelUniformFields(mlir::LLVM::LLVMFuncOp kernel);

/// Whether lanes that agree as `agreed` says leave loops, index local arrays, or load from one place in a loop,
/// together where in `general` they do not.
bool isWorthAgreeing(mlir::LLVM::LLVMFuncOp kernel, const Divergence &general, const Divergence &agreed,
                     const PrivateArrays &arrays);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H
