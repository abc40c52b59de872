// The driver's help.
#ifndef CILK2GPU_TOOLS_CILK2GPU_HELP_H
#define CILK2GPU_TOOLS_CILK2GPU_HELP_H

#include "llvm/Support/raw_ostream.h"

namespace cilk2gpu::driver {

/// Prints the text of --help.
void printHelp(llvm::raw_ostream &os, llvm::StringRef program);

/// Prints the manual page of section 1, in roff.
void printManualPage(llvm::raw_ostream &os);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_HELP_H
