// Properties of a lane form's operations that decide how they run for many lanes.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_ELEMENTWISE_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_ELEMENTWISE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Returns true if one call can serve all lanes when its operands are uniform: it has no effects and reads no memory.
bool isUniformCall(mlir::LLVM::CallOp call);

/// Returns true if an operation computes only with values, so that its vector form is the same operation on vectors.
bool isElementwise(mlir::Operation *op);

/// Returns true if an elementwise operation is an intrinsic of LLVM.
bool isElementwiseIntrinsic(mlir::Operation *op);

/// Returns true if an operation divides integers, and so has undefined behaviour for a divisor of 0.
bool isDivision(mlir::Operation *op);

/// Returns true if a region may run although no lane needs it, because it has no effects, cannot fail, and is short.
bool isSpeculatable(mlir::Region &region);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_ELEMENTWISE_H
