// The host part of a program: the part without Cilk, as a module in MLIR.
#ifndef CILK2GPU_LIB_PIPELINE_HOSTPART_H
#define CILK2GPU_LIB_PIPELINE_HOSTPART_H

#include "Import/Trip.h"

namespace cilk2gpu {

/// Symbol of the host part in a program's module.
inline constexpr const char kHostName[] = "host";

/// Writes the host part. Returns null after an error, which is reported.
mlir::OwningOpRef<mlir::ModuleOp> writeHostPart(const llvm::Module &host, Trip &trip);

/// Reads the host part. Returns null after an error, which is reported.
std::unique_ptr<llvm::Module> readHostPart(mlir::ModuleOp host, Trip &trip, llvm::LLVMContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_PIPELINE_HOSTPART_H
