// Splits locals into variables.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SPLITLOCALS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SPLITLOCALS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu::cilk {

/// Gives each part of a local array or struct a variable of its own. Children's results must go to parts at constant
/// distances. Nothing else than loads and stores of whole parts may use the local.
///
///   r[0] = cilk_spawn f(...); r[1] = cilk_spawn g(...);   ->   r0 = cilk_spawn f(...); r1 = cilk_spawn g(...);
void splitLocals(mlir::LLVM::LLVMFuncOp task, const mlir::DataLayout &layout);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SPLITLOCALS_H
