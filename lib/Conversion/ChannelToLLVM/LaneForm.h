// The lane form of a kernel.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEFORM_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEFORM_H

#include "KernelScope.h"

namespace cilk2gpu {

/// Returns the reason why a kernel's lanes cannot run together, as a clause after "runs lane by lane: ". Empty if they
/// can.
llvm::StringRef whyNoLaneForm(mlir::LLVM::LLVMFuncOp kernel, const mlir::DataLayout &dataLayout);

/// Loads and stores structs member by member. LLVM does not do so if they have padding, but vectors cannot hold
/// structs.
void splitAggregates(mlir::LLVM::LLVMFuncOp copy, const mlir::DataLayout &dataLayout);

/// Converts a copy of a kernel that can have a lane form.
mlir::LogicalResult convertToLaneForm(mlir::LLVM::LLVMFuncOp copy, const KernelScope &scope);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_LANEFORM_H
