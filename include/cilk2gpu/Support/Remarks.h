// What passes on MLIR say about the program's speed: -Rpass=cilk shows what they did, -Rpass-missed=cilk what they did
// not.
#ifndef CILK2GPU_SUPPORT_REMARKS_H
#define CILK2GPU_SUPPORT_REMARKS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace cilk2gpu {

/// Marks a diagnostic as being about something that was not done.
inline constexpr llvm::StringLiteral kMissedRemark = "missed";

/// An MLIR remark at the operation's source line; the driver makes it one of Clang's optimisation remarks.
inline mlir::InFlightDiagnostic speedRemark(mlir::Operation *op, bool missed = false) {
  mlir::InFlightDiagnostic diag = op->emitRemark();
  if (missed)
    diag.getUnderlyingDiagnostic()->getMetadata().push_back(mlir::DiagnosticArgument(llvm::StringRef(kMissedRemark)));
  return diag;
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_REMARKS_H
