// Remarks of MLIR passes about the program's speed. -Rpass=cilk shows changes that the passes made, and
// -Rpass-missed=cilk changes that were not possible.
#ifndef CILK2GPU_SUPPORT_REMARKS_H
#define CILK2GPU_SUPPORT_REMARKS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"

namespace cilk2gpu {

/// The properties of a remark, besides its text.
struct SpeedRemark {
  llvm::StringRef name;   ///< name in records of remarks (-fsave-optimization-record)
  llvm::StringRef origin; ///< name of the user's function
  bool missed = false;    ///< true for a remark about something that was not done
};

/// Emits an MLIR remark at the line of `task`, a user's function or one made from it, or at `where`. The lowering turns
/// it into an optimisation remark of LLVM.
mlir::InFlightDiagnostic speedRemark(mlir::LLVM::LLVMFuncOp task, llvm::StringRef name, bool missed = false,
                                     std::optional<mlir::Location> where = std::nullopt);

/// Returns the properties that were given to speedRemark.
SpeedRemark readRemark(mlir::Diagnostic &diag);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_REMARKS_H
