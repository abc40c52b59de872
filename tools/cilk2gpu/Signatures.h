// Declarations of functions as the source has them, for the drawings of graphs.
#ifndef CILK2GPU_TOOLS_CILK2GPU_SIGNATURES_H
#define CILK2GPU_TOOLS_CILK2GPU_SIGNATURES_H

#include "llvm/ADT/StringMap.h"

#include <string>

namespace clang {
class ASTContext;
}

namespace cilk2gpu {

/// Returns the declarations of all functions that have a body, by symbol: "_Z3fibl" -> "long fib(long n)". Instances of
/// templates are among them.
llvm::StringMap<std::string> signaturesOf(clang::ASTContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_TOOLS_CILK2GPU_SIGNATURES_H
