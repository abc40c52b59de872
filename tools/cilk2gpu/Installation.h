// Locates Clang and the parts of the driver. They are beside the driver, so that an installed tree can be moved.
#ifndef CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H
#define CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H

#include "Options.h"

namespace cilk2gpu::driver {

/// Returns the paths of the parts that belong to the driver at `executable` (its path with symbolic links resolved).
Installation locateInstallation(llvm::StringRef executable);

/// Returns the run-time library for another processor, LIB/TRIPLE/libcilk2gpu_rt.a beside this processor's. Returns an
/// empty text if there is none. `target` is the triple as the user wrote it, or without the vendor.
std::string findForeignRuntime(const Installation &installation, llvm::StringRef target);

/// Returns an error that names the missing library for another processor, and the way to get it.
llvm::Error foreignRuntimeError(const Installation &installation, llvm::StringRef target);

/// Returns true if a file is probably part of a program with Cilk in it: a source file with a keyword, or an object
/// file that calls the runtime.
bool mentionsCilk(llvm::StringRef file);

/// Prints a warning for each environment variable whose name is nearly that of CILK2GPU_CLANG.
void warnOfMisspelledVariables(llvm::StringRef program);

/// Returns the path of Clang 22: CILK2GPU_CLANG, else the path known when cilk2gpu was built, else clang-22 on PATH.
/// Fails if there is none or if it has another version. `executable` is the driver's own path.
llvm::Expected<std::string> findClang(llvm::StringRef executable);

/// Fails if a part that `command` names is missing.
llvm::Error checkInstallation(const Installation &installation, const Command &command);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H
