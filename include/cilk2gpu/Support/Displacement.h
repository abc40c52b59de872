// Distance of an address computation from its base, in bytes.
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

/// Returns the terms of a GEP's displacement from its base. Returns nothing if a term cannot be determined.
std::optional<llvm::SmallVector<AddressTerm>> displacement(mlir::LLVM::GEPOp gep, const mlir::DataLayout &dataLayout);

/// Returns the constant distances from `pointer`, in bytes, at which memory is loaded through it. At most two are
/// returned, each in another cache line. There are such distances for a pointer to a node of a linked structure, but
/// none for a pointer to the start of an array.
llvm::SmallVector<int64_t> followedTo(mlir::Value pointer, const mlir::DataLayout &dataLayout);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_DISPLACEMENT_H
