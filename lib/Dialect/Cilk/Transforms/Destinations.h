// Properties of the destinations of spawned results.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_DESTINATIONS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_DESTINATIONS_H

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"

namespace cilk2gpu::cilk {

/// Returns true if `address` points to a local of the type, or to an element of a local array of it. Such an address is
/// surely aligned. Other destinations may be fields of a packed struct.
bool isAlignedLocal(mlir::Value address, mlir::Type type);

/// Returns true if the destination is in a local whose address only the spawning function knows when it spawns. Before
/// the spawn, the local may be loaded, stored, and the destination of spawns, but its address may go nowhere else.
bool goesToUnsharedLocal(SpawnOp spawn);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_DESTINATIONS_H
