// The device form of a kernel.
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_DEVICEFORM_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_DEVICEFORM_H

#include "Patterns.h"

namespace cilk2gpu {

/// Returns true if a device's lanes may do an update in one operation. It updates a result's accumulator, or `x` in `x
/// += spawn f()`.
bool isFoldedOnDevice(mlir::LLVM::AtomicRMWOp update);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_DEVICEFORM_H
