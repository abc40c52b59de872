// How much memory a value of a type takes.
#ifndef CILK2GPU_SUPPORT_TYPESIZES_H
#define CILK2GPU_SUPPORT_TYPESIZES_H

#include "mlir/IR/Types.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// Bytes from one element of an array of `type` to the next, as LLVM's DataLayout::getTypeAllocSize. MLIR's own size of
/// a scalar does not include what rounds it up to its alignment (10 bytes for a long double), nor does then that of a
/// struct or array with such a member.
uint64_t allocSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Bytes that a store writes: as allocSize for structs and arrays, and no more than a scalar has (3 for 24 bits).
uint64_t storeSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Bytes from one element of a column of such values to the next: as storeSize, and for integers of up to 64 bits a
/// power of two, as there are vectors of.
uint64_t columnSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Whether a value of the type has a bit for each one of its memory: none is padding.
bool coversMemory(const mlir::DataLayout &dataLayout, mlir::Type type);

/// The type if it has no padding; else an array of integers of the same size, aligned as far as integers are, whose
/// values keep what a union's other member, or a program that copies bytes, has there.
mlir::Type withoutPadding(const mlir::DataLayout &dataLayout, mlir::Type type);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_TYPESIZES_H
