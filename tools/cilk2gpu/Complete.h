// Completion of words for shells (--autocomplete=WORD), with the interface of Clang's. Each line has a possible word,
// or a possible value of the option in WORD. A tab and a help text follow if there is one.
//
//   --autocomplete=--em                 --emit=
//   --autocomplete=--emit=g             graph, graph-json
//   --autocomplete=CILK2GPU_DEVICE=m    model
#ifndef CILK2GPU_TOOLS_CILK2GPU_COMPLETE_H
#define CILK2GPU_TOOLS_CILK2GPU_COMPLETE_H

#include "llvm/Support/raw_ostream.h"

namespace cilk2gpu::driver {

/// Prints the driver's own words and values. Returns whether Clang may have more.
bool printCompletions(llvm::raw_ostream &os, llvm::StringRef word);

} // namespace cilk2gpu::driver

#endif // CILK2GPU_TOOLS_CILK2GPU_COMPLETE_H
