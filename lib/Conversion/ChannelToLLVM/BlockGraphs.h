// Block graphs: their bodies and links as functions that the runtime calls (cilk2gpu/abi/BlockRecords.h).
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_BLOCKGRAPHS_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_BLOCKGRAPHS_H

#include "KernelScope.h"

namespace cilk2gpu {

/// Lowers the body of `blocks` to BlocksRecord::run, under the same name, and its links to BlocksRecord::links.
mlir::LogicalResult lowerBlockFunctions(channel::BlocksOp blocks, const KernelScope &scope);

/// Returns whether threads of a block wait for one another, as `body`, which is not lowered yet, says.
bool synchronises(mlir::LLVM::LLVMFuncOp body);

/// Memory for the arguments of a launch: a struct with a member for each field.
mlir::LLVM::LLVMStructType argumentsType(channel::BlocksOp blocks);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_BLOCKGRAPHS_H
