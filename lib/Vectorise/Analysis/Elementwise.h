// How operations of a lane form behave when they are done for many lanes.
#ifndef CILK2GPU_LIB_VECTORISE_ANALYSIS_ELEMENTWISE_H
#define CILK2GPU_LIB_VECTORISE_ANALYSIS_ELEMENTWISE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Whether one call stands for all lanes if its operands are uniform: it has no effects and reads no memory.
bool isUniformCall(mlir::LLVM::CallOp call);

/// Whether an operation computes with values alone, so that its vector form is the same operation on vectors.
bool isElementwise(mlir::Operation *op);

/// Whether an elementwise operation is an intrinsic of LLVM.
bool isElementwiseIntrinsic(mlir::Operation *op);

/// Whether an operation divides integers: it goes wrong for a divisor of 0.
bool isDivision(mlir::Operation *op);

/// Whether a region may run although no lane wants it: nothing goes wrong then, and little is lost.
bool isSpeculatable(mlir::Region &region);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_VECTORISE_ANALYSIS_ELEMENTWISE_H
