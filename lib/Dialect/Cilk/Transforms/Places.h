// Where tasks' results go.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_PLACES_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_PLACES_H

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"

namespace cilk2gpu::cilk {

/// Whether `address` is that of a local of the type, or of an element of a local array of it, and so surely aligned.
/// Other results may go to a field of a packed struct.
bool isAlignedLocal(mlir::Value address, mlir::Type type);

/// Whether the spawn's result goes to a local, or into one, of which only its function knows where it is when it
/// spawns: up to there it is loaded from, stored to, and a destination of spawns, and its address goes nowhere.
bool goesToUnsharedLocal(SpawnOp spawn);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_PLACES_H
