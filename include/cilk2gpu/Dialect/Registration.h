// Registration of all dialects of the project.
#ifndef CILK2GPU_DIALECT_REGISTRATION_H
#define CILK2GPU_DIALECT_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace cilk2gpu {

/// Registers every dialect of the project, and the dialects of MLIR that its IR contains.
void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace cilk2gpu

#endif // CILK2GPU_DIALECT_REGISTRATION_H
