// The frontend: Cilk's keywords on stock Clang. A consumer stands before Clang's CodeGen consumer. It checks every
// spawn, sync, cilk_for and cilk_scope, and rewrites them in the AST into calls of the markers of Markers.h. CodeGen
// then does C and C++ as always. A translation unit without a Cilk keyword is left exactly as Clang built it.
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
  /// The keywords have no effect: the program is its serial elision, in which cilk_for is for.
  bool serialElision = false;
  /// spawn, sync and cilk are keywords in files that are not system headers. Implied by a main file named *.cilk.
  bool mitDialect = false;
  /// Machine code is made without the pass that lowers markers, so the program may contain no markers.
  bool skipsLowering = false;
  /// Exceptions may leave tasks: the lowering throws them at the parent's sync.
  bool throwsFromTasks = false;
  /// Strands know their pedigrees (-fcilk-pedigrees). A serial elision then has markers, too.
  bool pedigrees = false;
  /// The lowering makes an instrumented elision, which exceptions leave as in C++.
  bool instrumentsElision = false;
};

/// Installs the keywords in CI's preprocessor and returns the consumer that checks and rewrites their uses. The main
/// file must not be entered yet. The consumer must receive top-level declarations before CodeGen's consumer does. It
/// reports errors through CI's diagnostics. CI must outlive the consumer.
std::unique_ptr<clang::ASTConsumer> createCilkConsumer(clang::CompilerInstance &CI, const FrontendOptions &options);

/// Returns true if the text of the main file contains a word of Cilk, for example <cilk/cilk.h>. Comments and literals
/// do not count. If it returns false, a macro of a header may still hide a spawn. The program is then compiled with
/// nothing added, not even source locations.
bool mentionsCilk(const clang::SourceManager &sources, const clang::LangOptions &options);

/// Returns true if the main file is named *.cilk and so is in the MIT dialect.
bool hasMitExtension(const clang::CompilerInstance &CI);

} // namespace cilk2gpu

#endif // CILK2GPU_FRONTEND_FRONTEND_H
