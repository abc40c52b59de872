// Where the driver finds its parts (beside itself, so that an installed tree can be moved) and Clang.
#ifndef CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H
#define CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H

#include "Options.h"

namespace cilk2gpu::driver {

/// The parts that belong to the driver at `executable` (its path with symbolic links resolved).
Installation locateInstallation(llvm::StringRef executable);

/// The run-time library for another processor, LIB/TRIPLE/libcilk2gpu_rt.a beside this one's; empty if there is none.
/// `target` as the user spells it, or without the vendor.
std::string findForeignRuntime(const Installation &installation, llvm::StringRef target);

/// Says what is missing where there is none, and how to get it.
llvm::Error foreignRuntimeError(const Installation &installation, llvm::StringRef target);

/// Returns whether a file is probably part of a program with Cilk in it. A source file has a keyword; an object file
/// calls the runtime.
bool mentionsCilk(llvm::StringRef file);

/// The path of Clang 22: CILK2GPU_CLANG, else the one known when cilk2gpu was built, else clang-22 on PATH.
/// Fails if there is none or if it is another version. `executable` is the driver's own path.
llvm::Expected<std::string> findClang(llvm::StringRef executable);

/// Fails if a part that `command` names is missing.
llvm::Error checkInstallation(const Installation &installation, const Command &command);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H
