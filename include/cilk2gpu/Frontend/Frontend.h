// The frontend: Cilk's keywords on stock Clang. A consumer, placed before Clang's CodeGen consumer, checks every spawn,
// sync, cilk_for and cilk_scope and rewrites them in the AST into calls of the markers of Markers.h; CodeGen then does
// C and C++ as always. A translation unit without a Cilk keyword is left exactly as Clang built it.
#ifndef CILK2GPU_FRONTEND_FRONTEND_H
#define CILK2GPU_FRONTEND_FRONTEND_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
class LangOptions;
class SourceManager;
} // namespace clang

namespace cilk2gpu {

struct FrontendOptions {
  /// The keywords mean nothing: the program is the one with the keywords removed (cilk_for is for).
  bool serialElision = false;
  /// spawn, sync and cilk are keywords in files that are not system headers. Implied by a main file named *.cilk.
  bool mitDialect = false;
  /// Machine code is made without the pass that lowers markers: there must be none.
  bool skipsLowering = false;
};

/// Installs the keywords in CI's preprocessor, whose main file must not be entered yet, and returns the consumer that
/// checks and rewrites their uses. It must receive top-level declarations before CodeGen's consumer does. Errors
/// are reported through CI's diagnostics. CI must outlive the consumer.
std::unique_ptr<clang::ASTConsumer> createCilkConsumer(clang::CompilerInstance &CI, const FrontendOptions &options);

/// Whether the main file's text names anything of Cilk's outside of comments and literals, be it only <cilk/cilk.h>.
/// False is no proof that there is no spawn (a macro of a header may hide it); it says that the program should be
/// compiled with nothing added, not even source locations.
bool mentionsCilk(const clang::SourceManager &sources, const clang::LangOptions &options);

/// Whether the main file is in the MIT dialect by its name, *.cilk.
bool hasMitExtension(const clang::CompilerInstance &CI);

} // namespace cilk2gpu

#endif // CILK2GPU_FRONTEND_FRONTEND_H
