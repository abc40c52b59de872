// Where the driver finds its parts (beside itself, so that an installed tree can be moved) and Clang.
#ifndef CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H
#define CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H

#include "Options.h"

namespace cilk2gpu::driver {

/// The parts that belong to the driver at `executable` (its path with symbolic links resolved).
Installation locateInstallation(llvm::StringRef executable);

/// The path of Clang 22: CILK2GPU_CLANG, else the one known when cilk2gpu was built, else clang-22 on PATH.
/// Fails if there is none or if it is another version. `executable` is the driver's own path.
llvm::Expected<std::string> findClang(llvm::StringRef executable);

/// Fails if a part that `command` names is missing.
llvm::Error checkInstallation(const Installation &installation, const Command &command);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_INSTALLATION_H
