// Reducers in tasks on GPUs.
#ifndef CILK2GPU_LIB_TARGET_GPU_DEVICEREDUCERS_H
#define CILK2GPU_LIB_TARGET_GPU_DEVICEREDUCERS_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Lets the functions of a program's device code update reducers in place, without views. The operations are those on
/// integers whose order does not matter. Lookups of other reducers stay, and those of functions that also read the
/// reducer. DeviceCheck refuses them where a kernel reaches them. The program has not been retargeted yet.
void updateReducersInPlace(llvm::Module &program);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_DEVICEREDUCERS_H
