// Debug information of functions that are made from a user function.
#ifndef CILK2GPU_SUPPORT_DEBUGSCOPES_H
#define CILK2GPU_SUPPORT_DEBUGSCOPES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Gives `func`, a copy of a user function or of a part of it, a debug scope of its own, named after `func`. So every
/// location in it still points at the user's source. Does nothing without debug information.
void makeOwnDebugScope(mlir::LLVM::LLVMFuncOp func);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_DEBUGSCOPES_H
