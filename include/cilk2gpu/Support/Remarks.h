// What passes on MLIR say about the program's speed: -Rpass=cilk shows what they did, -Rpass-missed=cilk what they did
// not.
#ifndef CILK2GPU_SUPPORT_REMARKS_H
#define CILK2GPU_SUPPORT_REMARKS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"

namespace cilk2gpu {

/// What a remark is about, beside its text.
struct SpeedRemark {
  llvm::StringRef name;   ///< in records of remarks (-fsave-optimization-record)
  llvm::StringRef origin; ///< the user's function
  bool missed = false;    ///< about something that was not done
};

/// An MLIR remark at the line of `task`, a user's function or what was made of one; the lowering makes it one of LLVM's
/// optimisation remarks.
mlir::InFlightDiagnostic speedRemark(mlir::LLVM::LLVMFuncOp task, llvm::StringRef name, bool missed = false);

/// What was given to speedRemark.
SpeedRemark readRemark(mlir::Diagnostic &diag);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_REMARKS_H
