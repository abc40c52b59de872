// Inputs in MLIR (.mlir). Clang compiles a file of its own in place of each. These functions refuse options that such a
// file cannot have, and tell Clang of the file where Clang must know it.
#ifndef CILK2GPU_TOOLS_CILK2GPU_MLIRFILES_H
#define CILK2GPU_TOOLS_CILK2GPU_MLIRFILES_H

#include "CommandLine.h"

namespace cilk2gpu::driver {

/// Refuses options that preprocess a file in MLIR, which has no preprocessor.
llvm::Error checkMlir(const llvm::opt::InputArgList &args, const Scan &found);

/// Makes a dependency of files in MLIR, which Clang does not see itself.
void addMlirDependencies(const llvm::opt::InputArgList &args, const Scan &found, std::vector<std::string> &words);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_MLIRFILES_H
