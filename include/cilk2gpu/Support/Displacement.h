// How far an address computation goes from its base, in bytes.
#ifndef CILK2GPU_SUPPORT_DISPLACEMENT_H
#define CILK2GPU_SUPPORT_DISPLACEMENT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// One term of an address computation: `index` times `stride` bytes, or `stride` bytes if `index` is null.
struct AddressTerm {
  mlir::Value index;
  int64_t stride;
};

/// The terms of a GEP's displacement from its base, or nothing if it has one that cannot be told.
std::optional<llvm::SmallVector<AddressTerm>> displacement(mlir::LLVM::GEPOp gep, const mlir::DataLayout &dataLayout);

/// From `pointer`, in bytes, to what is loaded through it at places that do not vary: one for each of two cache lines
/// at most. What leads to a linked structure's node has some, the start of an array none.
llvm::SmallVector<int64_t> followedTo(mlir::Value pointer, const mlir::DataLayout &dataLayout);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_DISPLACEMENT_H
