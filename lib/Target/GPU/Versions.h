// Functions of which the host chooses a version when the program starts (ifunc, target_clones, target), in device
// modules.
#ifndef CILK2GPU_LIB_TARGET_GPU_VERSIONS_H
#define CILK2GPU_LIB_TARGET_GPU_VERSIONS_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Gives local ones in a unit, before its device module is made of it, names that no other unit has: a device may know
/// them only by name.
void nameLocalVersions(llvm::Module &module, llvm::StringRef prefix);

/// Gives `from`, which has the type of `to`, a body that calls `to` and returns what that does.
void forward(llvm::Function &from, llvm::Function &to);

/// Makes functions of them in a device module: the one that Clang's resolver takes where it finds nothing better, with
/// the same results as the others, or else a declaration of what only the host has.
void resolveVersions(llvm::Module &device);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_VERSIONS_H
