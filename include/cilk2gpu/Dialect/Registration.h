// The dialects of the project in one list.
#ifndef CILK2GPU_DIALECT_REGISTRATION_H
#define CILK2GPU_DIALECT_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace cilk2gpu {

/// Registers every dialect of the project, and those that its IR is mixed with.
void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace cilk2gpu

#endif // CILK2GPU_DIALECT_REGISTRATION_H
