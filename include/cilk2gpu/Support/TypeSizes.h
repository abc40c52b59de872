// Sizes of values in memory.
#ifndef CILK2GPU_SUPPORT_TYPESIZES_H
#define CILK2GPU_SUPPORT_TYPESIZES_H

#include "mlir/IR/Types.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// Returns the number of bytes from one element of an array of `type` to the next, as LLVM's
/// DataLayout::getTypeAllocSize. MLIR's own size of a scalar is not rounded up to its alignment: 10 bytes for a long
/// double. So MLIR's size of a struct or array with such a member is wrong, too.
uint64_t allocSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns the number of bytes that a store writes: allocSize for structs and arrays; for scalars, without padding (3
/// bytes for 24 bits).
uint64_t storeSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns the number of bytes from one element of a column to the next. It is storeSize, but for integers of up to 64
/// bits it is rounded up to a power of two, because vectors have such elements.
uint64_t columnSize(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns true if each bit in the memory of a value belongs to the value, and none is padding.
bool coversMemory(const mlir::DataLayout &dataLayout, mlir::Type type);

/// Returns `type` if it has no padding, else an array of integers of the same size and, as far as integers go, the same
/// alignment. Values of the array keep all bytes. A union's other member, or a program that copies bytes, may need
/// them.
mlir::Type withoutPadding(const mlir::DataLayout &dataLayout, mlir::Type type);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_TYPESIZES_H
