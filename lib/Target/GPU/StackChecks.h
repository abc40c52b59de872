// Checks of a lane's stack. The stack is bounded, and not every GPU notices that it is full. So functions that may
// recurse compare the use of the stack with the host's limit, and end the program with a message.
#ifndef CILK2GPU_LIB_TARGET_GPU_STACKCHECKS_H
#define CILK2GPU_LIB_TARGET_GPU_STACKCHECKS_H

#include "Retarget.h"

namespace cilk2gpu {

/// Declares the function that checks call. Must run before the device runtime is linked.
void declareStackChecks(llvm::Module &program);
/// Returns true if optimisation must not change the symbol of this name.
bool isForStackChecks(llvm::StringRef name);
/// Adds the checks. Must run after optimisation, when every call has its final callee.
void addStackChecks(llvm::Module &program, const DeviceTarget &target);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_STACKCHECKS_H
