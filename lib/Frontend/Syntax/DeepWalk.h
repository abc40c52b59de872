// Recursion over statements of any depth. Machine-made programs have chains of thousands of operators.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_DEEPWALK_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_DEEPWALK_H

#include "clang/Basic/Stack.h"

namespace cilk2gpu {

/// Calls `step`, on a new stack if little is left of the current stack. Every recursive step of a walk must go through
/// it.
inline void withEnoughStack(llvm::function_ref<void()> step) {
  clang::runWithSufficientStackSpace([] {}, step);
}

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_DEEPWALK_H
