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
/// Clang's hidden iterator.
struct LoopSite {
  clang::SourceLocation at, end;
  clang::SourceLocation conditionAt, incrementAt; ///< what is counted there is shown there
  clang::Stmt *loop = nullptr, *body = nullptr;
  clang::DeclStmt *declaration = nullptr; ///< of the variable
  clang::VarDecl *variable = nullptr;
  clang::VarDecl *outer = nullptr; ///< declared in front of the loop: `variable` is a copy of it
  clang::Expr *bound = nullptr;    ///< in the type of the comparison; an unqualified T if that is a pointer
  int32_t comparison = 0;          ///< a LoopComparison
  clang::Expr *step = nullptr;     ///< an integer of any type; null for a step of one
  clang::QualType stepType;        ///< what the step is converted to first; null: nothing
  bool isNegative = false;         ///< the step is subtracted
  clang::Expr *grain = nullptr;    ///< the grainsize pragma's integer, or null

  /// In the body, those that name the loop by its label.
  llvm::SmallVector<clang::LoopControlStmt *, 1> continues;

  // For a T of class type: the parent's copies of the ends, their distance, and the move of the variable, which starts
  // as a copy of `first`, by `offset`.
  clang::VarDecl *first = nullptr, *last = nullptr, *offset = nullptr;
  clang::Expr *distance = nullptr, *advance = nullptr;

  /// What stands in front of the loop: other variables of its header, those of a loop over a range.
  llvm::SmallVector<clang::Stmt *, 3> prologue;
  clang::Stmt *element = nullptr; ///< of a loop over a range: what stands in front of the body

  bool hasPointer() const { return variable->getType()->isPointerType(); }
  bool hasClass() const { return variable->getType()->isRecordType(); }
};

/// Takes the loop, a ForStmt or CXXForRangeStmt, apart. Reports what is not supported about its header and returns
/// nothing if anything was.
std::optional<LoopSite> matchLoop(clang::Stmt *loop, clang::Expr *grain, clang::Sema &sema);

/// Finds the operators of a loop whose variable is of class type: the distance and the advance. False if there are
/// none.
bool findIteratorOperators(LoopSite &site, clang::Sema &sema);

/// `cilk_for (v = first; ...)`: makes the variable that every iteration has in v's place. False if v is no local
/// variable of the function around the loop, or needs more than a copy.
bool replaceOuterVariable(clang::ForStmt *loop, LoopSite &site, clang::ASTContext &context);

/// Reports a loop whose constants show that it has no end once it has begun, and returns false then.
bool checkEnd(const LoopSite &site, clang::ASTContext &context);

/// A variable of the function around the loop that the program does not name.
clang::VarDecl *makeHiddenVariable(const LoopSite &site, const char *name, clang::QualType type,
                                   clang::ASTContext &context);

/// A label around the loop that `jumps` name, in place of the one that they named.
clang::Stmt *makeNamed(clang::Stmt *loop, llvm::ArrayRef<clang::LoopControlStmt *> jumps, clang::DeclContext *owner,
                       clang::ASTContext &context);

/// Reports jumps out of and into the body and assignments to the loop variable, and returns false if there were any.
/// Finds the loop's own continue statements.
/// `function` is the body of the function around the loop.
bool checkLoopBody(LoopSite &site, clang::Stmt *function, clang::ASTContext &context, Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_LOOPSITE_H
