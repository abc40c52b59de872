// The pragmas of the namespace `cilk`.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_PRAGMAS_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_PRAGMAS_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace cilk2gpu {

class Keywords;

/// Adds the pragmas `cilk grainsize`, `grainsize`, `cilk doacross` and `cilk depend` to the preprocessor, which owns
/// their handlers. Their names may be macros. Warns of other names, because the program would run without the order
/// that it asks for. If `keywords` is null, the pragmas are ignored.
void addPragmas(clang::Preprocessor &pp, Keywords *keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_PRAGMAS_H
