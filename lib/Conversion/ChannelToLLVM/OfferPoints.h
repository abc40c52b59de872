// Offer points of a scalar kernel: places at which a lane has spawned, and is about to do something that may take long.
// There, other workers that wait for work get the children, which would otherwise wait for the end of the kernel:
//
//   %hungry = load wave.hungry
//   if (%hungry && *%hungry) __cilk2gpu_offer(wave)
#ifndef CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_OFFERPOINTS_H
#define CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_OFFERPOINTS_H

#include "KernelScope.h"

namespace cilk2gpu {

/// Returns true if a lane of a kernel calls an ordinary function that may take long, or has a loop in which nothing is
/// spawned.
bool mayTakeLong(mlir::LLVM::LLVMFuncOp kernel);

/// Marks the operations of a kernel before which its children are offered:
/// - calls of ordinary functions, except for functions of the C and C++ libraries that end soon;
/// - branches to loops in which nothing is spawned.
/// Short functions without loops have been inlined before (cilk-inline-short-calls). The marks survive the lowering of
/// the kernel's channel operations.
void markOfferPoints(mlir::LLVM::LLVMFuncOp kernel);

/// Puts the code of an offer before each marked operation of a body that has been lowered, and removes the marks. Notes
/// in `body` that the runtime's function reads and changes the counts of spawned elements.
void createOffers(mlir::LLVM::LLVMFuncOp kernel, LoweredBody &body);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_CONVERSION_CHANNELTOLLVM_OFFERPOINTS_H
