// MIT Cilk's inlets and `abort`. They are rewritten in the text of the main file, because they are functions inside of
// functions, which Clang cannot parse in C:
//
//   inlet void best(int score, int move) { if (score > top) { top = score; } }
//   best(spawn f(x), i);
//
//   ->  { a0 = x; a1 = i; cilk_spawn { int score = f(a0); int move = a1; lock; if (score > top) { ... } unlock; } }
//
// Inlets of a program run one at a time. A function with `abort` runs depth first: its children are called, not
// spawned. Then no child can be running at an `abort`, which ends none.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_INLETS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_INLETS_H

#include <optional>

namespace clang {
class CompilerInstance;
class DiagnosticsEngine;
class SourceManager;
} // namespace clang

namespace cilk2gpu {

/// The first error in the inlets of the main file.
struct InletError {
  unsigned line;
  unsigned reason; ///< index in the list of Message::MitInlet
};

/// Rewrites the main file if it has inlets or `abort`. Each line keeps its number; where the body of an inlet has
/// directives, `#line` sees to it. If `elides`, the text is for the serial elision. After an error the text is as it
/// was. Must be called before the main file is entered.
std::optional<InletError> expandInlets(clang::CompilerInstance &compiler, bool elides);

/// Reports the error.
void reportInlet(InletError error, const clang::SourceManager &sources, clang::DiagnosticsEngine &diags);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_INLETS_H
