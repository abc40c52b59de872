// Sizes of values in memory.
#ifndef CILK2GPU_SUPPORT_TYPESIZES_H
#define CILK2GPU_SUPPORT_TYPESIZES_H

#include "mlir/IR/Types.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// Returns the number of bytes from one element of an array of `type` to the next, as LLVM's
/// DataLayout::getTypeAllocSize does. MLIR's own size of a scalar is not rounded up to the alignment: 10 bytes for a
/// long double. MLIR's sizes of structs and arrays with such a member are wrong, too.
uint64_t allocSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns the number of bytes that a store writes. For structs and arrays, this is allocSize. For scalars, padding is
/// left out: 3 bytes for 24 bits.
uint64_t storeSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns the number of bytes from one element of a column to the next. This is storeSize, except that integers of up
/// to 64 bits are rounded up to a power of two, as elements of vectors are.
uint64_t columnSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns true if each bit in the memory of a value belongs to the value, and none is padding.
bool coversMemory(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns `type` if it has no padding, else an array of integers of the same size and, as far as possible, the same
/// alignment. Values of the array keep all bytes, which another member of a union, or a program that copies bytes, may
/// need.
mlir::Type withoutPadding(const mlir::DataLayout &dataLayout, mlir::Type type);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_TYPESIZES_H
