// References and pointers that are bound to reducers or to their views. `T &r = x;` binds `r` to the view of the strand
// that runs, so the lookup stands where the reference is initialized. A reference that outlives the strand, or that the
// compiler binds, is refused.
//
// Clang takes a local reference to a global variable for a constant. Its uses then name the variable itself: they are
// replaced by uses of the reference.
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_REDUCERREFERENCES_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_REDUCERREFERENCES_H

#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace cilk2gpu {

/// Checks the references and pointers of a translation unit, in the order of their declarations.
class ReducerReferences {
public:
  /// `reported` has the places for which there is an error already.
  ReducerReferences(clang::DiagnosticsEngine &diagnostics, clang::ASTContext &context,
                    llvm::DenseSet<clang::SourceLocation> &reported)
      : diagnostics(diagnostics), context(context), reported(reported) {}

  /// Reports a pointer to a reducer that becomes a pointer to a view, and the other way round.
  void checkPointer(clang::QualType target, const clang::Expr *source);
  /// Reports a reference or pointer to an array of reducers whose type does not say so.
  void checkArray(clang::QualType target, const clang::Expr *source);
  /// Reports a variable that is bound to a view and outlives the strand. Returns false if it reports one.
  bool checkOutlived(const clang::VarDecl *variable);
  /// Returns true for a local variable that has been checked and leads to a view.
  bool leads(const clang::VarDecl *variable) const { return bound.contains(variable); }

  /// Returns the expression that uses a reference in `function`: `ref`, or a new one if Clang took it for a constant.
  clang::Expr *useOf(clang::DeclRefExpr *ref, const clang::DeclContext *function);
  /// Binds the hidden reference of a range-based `for` over a reducer to the view.
  void bindRange(clang::CXXForRangeStmt *loop);
  /// Gives the hidden pointer of a range-based `for` over an array of reducers the type of a pointer to a reducer.
  void nameElements(clang::CXXForRangeStmt *loop);

  /// Gives a structured binding that refers to an array of reducers the type of such a reference.
  void nameBindings(clang::DecompositionDecl *variable);

private:
  bool holdsView(clang::QualType target, const clang::Expr *value) const;
  bool designatesView(const clang::Expr *expr) const;
  bool leadsToView(clang::QualType target, const clang::Expr *value) const;

  clang::DiagnosticsEngine &diagnostics;
  clang::ASTContext &context;
  llvm::DenseSet<clang::SourceLocation> &reported;
  llvm::DenseSet<const clang::ValueDecl *> bound; ///< local references and pointers to views
  llvm::DenseSet<const clang::Decl *> named;      ///< ranges and bindings whose elements have been named
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_REDUCERREFERENCES_H
