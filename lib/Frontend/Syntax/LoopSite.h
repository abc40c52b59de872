// A cilk_for in its legal form, taken apart, and the checks that it must pass before it is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_LOOPSITE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_LOOPSITE_H

#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"

namespace clang {
class Sema;
} // namespace clang

namespace cilk2gpu {

/// `cilk_for (T variable = first; variable OP bound; variable += step) body`, or a loop over a range, whose variable is
/// the iterator that Clang hides.
struct LoopSite {
  clang::SourceLocation at, end;
  clang::SourceLocation conditionAt, incrementAt; ///< locations of the code that computes bound and step
  clang::Stmt *loop = nullptr, *body = nullptr;
  clang::DeclStmt *declaration = nullptr; ///< declaration of the variable
  clang::VarDecl *variable = nullptr;
  clang::VarDecl *outer = nullptr; ///< variable declared before the loop that `variable` copies, or null
  clang::Expr *bound = nullptr;    ///< in the type of the comparison; for pointers, in the unqualified type T
  int32_t comparison = 0;          ///< a LoopComparison
  clang::Expr *step = nullptr;     ///< an integer of any type; null for a step of one
  clang::QualType stepType;        ///< type that the step is converted to first; null for no conversion
  bool isNegative = false;         ///< the step is subtracted
  clang::Expr *grain = nullptr;    ///< the grainsize pragma's integer, or null

  /// The continue statements in the body that name the loop by its label.
  llvm::SmallVector<clang::LoopControlStmt *, 1> continues;

  // For a T of class type: copies of the first and last iterator, which the parent makes, and their distance. The
  // variable starts as a copy of `first`; `advance` moves it by `offset`.
  clang::VarDecl *first = nullptr, *last = nullptr, *offset = nullptr;
  clang::Expr *distance = nullptr, *advance = nullptr;

  /// Statements to put in front of the loop: the other variables of its header, or the hidden variables of a range.
  llvm::SmallVector<clang::Stmt *, 3> prologue;
  clang::Stmt *element = nullptr; ///< in a loop over a range: the declaration to put in front of the body

  bool hasPointer() const { return variable->getType()->isPointerType(); }
  bool hasClass() const { return variable->getType()->isRecordType(); }
};

/// Takes the loop apart, a ForStmt or CXXForRangeStmt. If its header has something that is not supported, reports that
/// and returns nothing.
std::optional<LoopSite> matchLoop(clang::Stmt *loop, clang::Expr *grain, clang::Sema &sema);

/// Finds the operators of a loop whose variable is of class type: the distance and the advance. Returns false if the
/// class has none.
bool findIteratorOperators(LoopSite &site, clang::Sema &sema);

/// `cilk_for (v = first; ...)`: makes the variable that stands for v in each iteration. Returns false if v is no local
/// variable of the function around the loop, or cannot simply be copied.
bool replaceOuterVariable(clang::ForStmt *loop, LoopSite &site, clang::ASTContext &context);

/// Checks the constants of a loop. If they show that the loop never ends once it has begun, reports that and returns
/// false.
bool checkEnd(const LoopSite &site, clang::ASTContext &context);

/// Makes a variable of the function around the loop. The program cannot name it.
clang::VarDecl *makeHiddenVariable(const LoopSite &site, const char *name, clang::QualType type,
                                   clang::ASTContext &context);

/// Puts a new label around the loop. `jumps` then name this label instead of the label they named.
clang::Stmt *makeNamed(clang::Stmt *loop, llvm::ArrayRef<clang::LoopControlStmt *> jumps, clang::DeclContext *owner,
                       clang::ASTContext &context);

/// Finds the loop's own continue statements. Reports jumps out of and into the body, and assignments to the loop
/// variable; returns false if it found any. `function` is the body of the function around the loop.
bool checkLoopBody(LoopSite &site, clang::Stmt *function, clang::ASTContext &context, Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_LOOPSITE_H
