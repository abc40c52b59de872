// Block graphs: their bodies and links as functions that the runtime calls (cilk2gpu/abi/BlockRecords.h).
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_BLOCKGRAPHS_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_BLOCKGRAPHS_H

#include "KernelScope.h"

#include "cilk2gpu/abi/BlockRecords.h"

namespace cilk2gpu {

/// Lowers the body of `blocks` to BlocksRecord::run, under the same name, and its links to BlocksRecord::links. Makes a
/// lane form of the body, and its callers for the instruction sets `isas`. `forDevices`: also makes BlocksRecord::one,
/// of which the compiler then makes a version for GPUs.
mlir::LogicalResult lowerBlockFunctions(channel::BlocksOp blocks, const KernelScope &scope,
                                        llvm::ArrayRef<llvm::StringRef> isas, bool forDevices);

/// Returns the name of BlocksRecord::one for a body.
std::string oneThreadName(llvm::StringRef body);

/// The functions of a vector form of a body.
struct RowFormNames {
  std::string entry; ///< RowFormRecord::run
  std::string row;   ///< runs a row of threads or blocks; vectorise-lanes makes it
  llvm::StringRef isa;
  unsigned lanes;  ///< RowFormRecord::lanes
  abi::LanesOf of; ///< RowFormRecord::of
};

/// Returns the vector forms that a body gets for these instruction sets.
llvm::SmallVector<RowFormNames> rowForms(llvm::StringRef body, llvm::ArrayRef<llvm::StringRef> isas, bool synchronises);

/// Returns whether threads of a block wait for one another, as `body`, which is not lowered yet, says.
bool synchronises(mlir::LLVM::LLVMFuncOp body);

/// Memory for the arguments of a launch: a struct with a member for each field.
mlir::LLVM::LLVMStructType argumentsType(channel::BlocksOp blocks);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_BLOCKGRAPHS_H
