// Folding of numbers with the kinds of llvm.atomicrmw that are associative and commutative: of integers the sum,
// minimum, maximum and the bitwise ones; of floating-point numbers the sum, where the program allows that it is
// reassociated.
#ifndef CILK2GPU_SUPPORT_FOLDS_H
#define CILK2GPU_SUPPORT_FOLDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// What a sum that may be folded in any order has in its operations, and those that are made of it.
inline constexpr mlir::LLVM::FastmathFlags kReassociable = mlir::LLVM::FastmathFlags::reassoc;

/// The value of `type`, an integer or floating-point type, that changes nothing when it is folded with `kind`.
mlir::TypedAttr foldIdentity(mlir::LLVM::AtomicBinOp kind, mlir::Type type);

/// a o b; both are numbers, or vectors of numbers.
mlir::Value createFold(mlir::OpBuilder &builder, mlir::Location loc, mlir::LLVM::AtomicBinOp kind, mlir::Value a,
                       mlir::Value b);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_FOLDS_H
