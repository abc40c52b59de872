// A lane's stack is bounded, and nothing but these checks sees on every GPU that it is full: functions that may recurse
// compare what is used of it with what the host has set, and end the program with a message.
#ifndef CILK2GPU_LIB_TARGET_GPU_STACKCHECKS_H
#define CILK2GPU_LIB_TARGET_GPU_STACKCHECKS_H

#include "Retarget.h"

namespace cilk2gpu {

/// Refers to what checks call, before the device runtime is linked.
void declareStackChecks(llvm::Module &program);
/// What stays as it is while the program is optimised, by its name.
bool isForStackChecks(llvm::StringRef name);
/// Adds them, once the program is optimised and every call leads to where it will.
void addStackChecks(llvm::Module &program, const DeviceTarget &target);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_STACKCHECKS_H
