// Finds fields that all elements of a level have in common.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H

#include "Divergence.h"
#include "PrivateArrays.h"

namespace cilk2gpu {

/// Finds fields of `kernel`'s element on which all elements of a level usually agree: n and row + 1 in queens(n, row +
/// 1, ...). A task gives each such field the same value in all children of its own kind, computed only from such
/// fields. So elements that descend from one root by equally many steps agree in these fields. The elements of a
/// wavefront usually do, too, which is checked when the kernel runs. Floating-point fields are left out, and so are
/// pointers from which nothing is loaded. Returns the operations that fetch the fields.
llvm::SmallVector<lane::DeqOp> findLevelUniformFields(mlir::LLVM::LLVMFuncOp kernel);

/// Returns true if agreement pays: with `agreed`, lanes leave loops together, index local arrays together, or load from
/// one address in a loop, and with `general` they do not.
bool isWorthAgreeing(mlir::LLVM::LLVMFuncOp kernel, const Divergence &general, const Divergence &agreed,
                     const PrivateArrays &arrays);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_LEVELUNIFORM_H
