// The parts of a legal doacross nest, and the checks that it must pass before it is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_DOACROSSSITE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_DOACROSSSITE_H

#include "LoopSite.h"
#include "cilk2gpu/Support/DoacrossTiling.h"

namespace cilk2gpu {

/// A doacross pragma with its expressions.
struct DoacrossText {
  const DoacrossPragma *pragma = nullptr;
  /// The distances of all sinks, then the sizes of tiles.
  llvm::SmallVector<clang::Expr *, 4> expressions;
  clang::Stmt *loop = nullptr; ///< the statement behind the pragma

  /// Number of loops that the sinks name.
  unsigned rank() const { return pragma->sinks.front().size(); }
};

struct DoacrossSite {
  clang::SourceLocation at; ///< location of the pragma
  llvm::SmallVector<LoopSite, 2> loops;
  DoacrossNest nest;
};

/// Returns the pragma that has put `stmt` before its loop, or nothing if `stmt` is another statement.
std::optional<DoacrossText> matchPragma(clang::Stmt *stmt, const Keywords &keywords);

/// Returns the loops of the nest, or reports why they are none.
std::optional<llvm::SmallVector<clang::ForStmt *, 2>> matchNest(const DoacrossText &text, const Keywords &keywords,
                                                                clang::DiagnosticsEngine &diags);

/// Computes the dependences and sizes of tiles of the loops. Reports what is wrong with them, and returns nothing then.
std::optional<DoacrossSite> matchDoacross(const DoacrossText &text, llvm::ArrayRef<LoopSite> loops,
                                          clang::ASTContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_DOACROSSSITE_H
