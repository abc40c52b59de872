// Properties of the destinations of spawned results.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_DESTINATIONS_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_DESTINATIONS_H

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2gpu::cilk {

/// Returns true if `address` points to a local of the type, or to an element of a local array of the type. These
/// addresses are aligned for the type; other destinations may be fields of a packed struct.
bool isAlignedLocal(mlir::Value address, mlir::Type type);

/// Returns true if `address` is in a local whose address only the spawning function knows at the spawn. Before the
/// spawn, the local may be loaded, stored, and get results and updates of spawns, but its address may not escape.
bool isUnsharedLocal(mlir::Value address, SpawnOp spawn, mlir::SymbolTable &symbols);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_DESTINATIONS_H
