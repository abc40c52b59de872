// Debug information of functions that are made from a function of the user's.
#ifndef CILK2GPU_SUPPORT_DEBUGSCOPES_H
#define CILK2GPU_SUPPORT_DEBUGSCOPES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Gives `func`, a copy of (a part of) a user function, a debug scope of its own named after the function, so that
/// every line in it still points at the user's source. Does nothing where there is no debug information.
void makeOwnDebugScope(mlir::LLVM::LLVMFuncOp func);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_DEBUGSCOPES_H
