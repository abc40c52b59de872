// The pragma that sets a cilk_for's grain size, as a statement: `#pragma cilk grainsize = N` before a cilk_for is
// `switch (N) default:` to the parser, so that N is any expression, in its scope, in templates too.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace cilk2gpu {

class Keywords;

/// Adds the pragmas `cilk grainsize` and `grainsize` to the preprocessor, which owns their handlers. They report to
/// `keywords`, which must live as long as the preprocessor lexes; where it is null they are read and ignored.
void addGrainPragmas(clang::Preprocessor &pp, Keywords *keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H
