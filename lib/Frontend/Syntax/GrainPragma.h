// The pragma that sets the grain size of a cilk_for. The parser sees `#pragma cilk grainsize = N` before a cilk_for as
// `switch (N) default:`. So N may be any expression of the surrounding scope, in templates too.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H

#include <memory>

namespace clang {
class PragmaHandler;
} // namespace clang

namespace cilk2gpu {

class Keywords;

/// Makes the handler of the pragma `grainsize`. It reports to `keywords`, which must live as long as the preprocessor
/// lexes. If `keywords` is null, the pragma is ignored.
std::unique_ptr<clang::PragmaHandler> makeGrainPragma(Keywords *keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_GRAINPRAGMA_H
