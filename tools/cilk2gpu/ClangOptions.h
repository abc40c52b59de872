// Clang's table of command-line options, built from the same generated file that Clang uses. With its own copy, the
// driver reads a command line exactly as Clang does, without loading Clang's and LLVM's shared libraries. Loading them
// would take more time than all other work of the driver.
#ifndef CILK2GPU_TOOLS_CILK2GPU_CLANGOPTIONS_H
#define CILK2GPU_TOOLS_CILK2GPU_CLANGOPTIONS_H

#include "clang/Options/Options.h"

namespace cilk2gpu::driver {

/// Returns the table of Clang's options. Their ids are the ids of clang::options. Thread-safe.
const llvm::opt::OptTable &clangOptionTable();

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_CLANGOPTIONS_H
