// Functions with several versions, of which the host chooses one when the program starts (ifunc, target_clones,
// target), in device modules.
#ifndef CILK2GPU_LIB_TARGET_GPU_VERSIONS_H
#define CILK2GPU_LIB_TARGET_GPU_VERSIONS_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Gives a unit's local functions of this kind names that no other unit has. Must run before the unit's device module
/// is made, because a device may refer to them only by name.
void nameLocalVersions(llvm::Module &module, llvm::StringRef prefix);

/// Gives `from`, which has the type of `to`, a body that calls `to` and returns its result.
void forward(llvm::Function &from, llvm::Function &to);

/// Replaces each function of this kind in a device module. If all versions have the same results, it becomes the
/// version that Clang's resolver uses as the last resort. Otherwise it becomes a declaration of a function that only
/// the host has.
void resolveVersions(llvm::Module &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_VERSIONS_H
