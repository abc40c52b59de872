// Names of functions as programs write them, for messages.
#ifndef CILK2GPU_SUPPORT_SOURCENAMES_H
#define CILK2GPU_SUPPORT_SOURCENAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cilk2gpu {

/// Returns `fib(long)` for the symbol `_Z3fibl`. A suffix that the compiler adds behind a dot stays: `fib(long).acc`.
std::string sourceName(llvm::StringRef symbol);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_SOURCENAMES_H
