// Splits local arrays and structs that get spawned results into variables that later steps understand.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SPLITLOCALS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SPLITLOCALS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu::cilk {

/// Splits the locals of a task that get results of spawns:
///
/// - What is accessed at a constant place becomes a variable of its own, and a value if no child's result goes to it.
/// - An array that is accessed at computed places becomes an array of its own, whose accesses have the form
///   `variable[0][index]`. Pointers that walk through the array become indices.
///
/// A local stays as it is if its address escapes, or if accesses overlap.
void splitLocals(mlir::LLVM::LLVMFuncOp task, const mlir::DataLayout &layout);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SPLITLOCALS_H
