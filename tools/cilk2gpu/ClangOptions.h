// Clang's table of command-line options, built from the same generated file that Clang uses. The driver has its own
// copy so that it can read a command line exactly as Clang will without loading Clang's and LLVM's shared libraries,
// which would cost more time than everything else it does.
#ifndef CILK2GPU_TOOLS_CILK2GPU_CLANGOPTIONS_H
#define CILK2GPU_TOOLS_CILK2GPU_CLANGOPTIONS_H

#include "clang/Options/Options.h"

namespace cilk2gpu::driver {

/// Clang's options; ids are those of clang::options. Thread-safe.
const llvm::opt::OptTable &clangOptionTable();

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_CLANGOPTIONS_H
