// Simplifications of tasks that show the fold in more spellings.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SIMPLIFYFOLDS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SIMPLIFYFOLDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2gpu::cilk {

/// Simplifies a task:
///
///   select %c, %x, (add %x, %y)  ->  add %x, (select %c, 0, %y)     also for the other folds, and exchanged
///
/// so that %x is used once. Erases stores to locals that nothing loads afterwards.
void simplifyFolds(mlir::LLVM::LLVMFuncOp task, mlir::SymbolTable &symbols);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_SIMPLIFYFOLDS_H
