// Folding of integers with the kinds of llvm.atomicrmw that are associative and commutative: sum, minimum, maximum, and
// the bitwise ones.
#ifndef CILK2GPU_SUPPORT_INTEGERFOLD_H
#define CILK2GPU_SUPPORT_INTEGERFOLD_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// The value that changes nothing when it is folded with `kind`.
llvm::APInt foldIdentity(mlir::LLVM::AtomicBinOp kind, unsigned width);

/// a o b; both are integers, or vectors of integers.
mlir::Value createFold(mlir::OpBuilder &builder, mlir::Location loc, mlir::LLVM::AtomicBinOp kind, mlir::Value a,
                       mlir::Value b);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_INTEGERFOLD_H
