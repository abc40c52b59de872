// Folding of numbers by the kinds of llvm.atomicrmw that are associative and commutative:
// - for integers: sum, minimum, maximum and the bitwise operations;
// - for floating-point numbers: the sum, where the program allows reassociation.
#ifndef CILK2GPU_SUPPORT_FOLDS_H
#define CILK2GPU_SUPPORT_FOLDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Flags of a floating-point sum whose operands may be folded in any order, and of operations made from it.
inline constexpr mlir::LLVM::FastmathFlags kReassociable = mlir::LLVM::FastmathFlags::reassoc;

/// Returns the identity of `kind` in `type`, an integer or floating-point type: folding it changes nothing.
mlir::TypedAttr foldIdentity(mlir::LLVM::AtomicBinOp kind, mlir::Type type);

/// Makes `a o b`, where `o` is the operation `kind`. Both operands are numbers, or vectors of numbers.
mlir::Value createFold(mlir::OpBuilder &builder, mlir::Location loc, mlir::LLVM::AtomicBinOp kind, mlir::Value a,
                       mlir::Value b);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_FOLDS_H
