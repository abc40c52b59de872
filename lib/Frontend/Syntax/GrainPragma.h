// The pragma that sets the grain size of a cilk_for. The parser sees `#pragma cilk grainsize = N` before a cilk_for as
// `switch (N) default:`. So N may be any expression of the surrounding scope, in templates too.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace cilk2gpu {

class Keywords;

/// Adds the pragmas `cilk grainsize` and `grainsize` to the preprocessor, which owns their handlers. The handlers
/// report to `keywords`, which must live as long as the preprocessor lexes. If `keywords` is null, the pragmas are
/// ignored.
void addGrainPragmas(clang::Preprocessor &pp, Keywords *keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H
