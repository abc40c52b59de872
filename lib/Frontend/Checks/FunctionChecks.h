// Examines one function's body and finds:
// - the keywords that it uses;
// - the functions that are nested in it;
// - constructs that a Cilk function may not contain.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_FUNCTIONCHECKS_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_FUNCTIONCHECKS_H

#include "Frontend/Syntax/Diagnostics.h"
#include "Frontend/Syntax/Keywords.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

namespace clang {
class DeferStmt;
class LabelStmt;
class LambdaExpr;
class Sema;
} // namespace clang

namespace cilk2gpu {

class FunctionScan {
public:
  FunctionScan(clang::Sema &sema, Keywords &keywords, const clang::VarDecl *syncVariable)
      : sema(sema), keywords(keywords), syncVariable(syncVariable) {}

  /// Visits the statement and everything below it, except for bodies of nested functions. These are added to nested().
  void visit(clang::Stmt *stmt);

  /// Returns true if a keyword occurs, at a legal position or not.
  bool usesCilk() const { return uses != 0; }

  /// Returns the local classes and lambda call operators in the visited statements.
  llvm::ArrayRef<clang::Decl *> nested() const { return nestedDecls; }

  /// Reports constructs because of which `function` may not use spawn or sync. Returns true if it found any.
  bool reportHazards(const clang::FunctionDecl *function) const;

  /// Returns true if the end of a scope runs a destructor. Then the function must sync before its return statements.
  bool hasDestructors() const { return destructors; }

  /// Marks all keywords found as accounted for. Called for templates, whose instantiations are checked instead.
  void accountAll() const;

private:
  bool visitKeyword(clang::Stmt *stmt);
  void visitExpression(clang::Stmt *stmt);
  void visitLabel(clang::LabelStmt *label);
  void visitTry(clang::Stmt *stmt);
  void visitDefer(clang::DeferStmt *stmt);
  void visitVariable(clang::VarDecl *variable);
  void hazard(clang::SourceLocation at, Message message, const clang::NamedDecl *name = nullptr);

  struct Hazard {
    clang::SourceLocation at;
    Message message;
    const clang::NamedDecl *name;
    bool inLoop;
  };
  clang::Sema &sema;
  Keywords &keywords;
  const clang::VarDecl *syncVariable;
  unsigned uses = 0;
  unsigned loopDepth = 0; ///< number of cilk_for loops around the visited statement
  unsigned tryDepth = 0;  ///< number of try blocks around the visited statement
  bool destructors = false;
  llvm::SmallVector<Hazard, 4> hazards;
  llvm::SmallVector<clang::Decl *, 4> nestedDecls;
  llvm::SmallVector<clang::SourceLocation, 8> locations;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_FUNCTIONCHECKS_H
