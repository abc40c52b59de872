// The parts of a legal cilk_for, and the checks that the loop must pass before it is rewritten.
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
  clang::Expr *bound = nullptr;    ///< bound, in the type of the comparison; for pointers, in the unqualified type T
  int32_t comparison = 0;          ///< a LoopComparison, without the number of bits
  clang::Expr *step = nullptr;     ///< step, an integer of any type; null for a step of one
  clang::QualType stepType;        ///< type to which the step is converted first; null for no conversion
  bool isNegative = false;         ///< the step is subtracted
  clang::Expr *grain = nullptr;    ///< the grainsize pragma's integer, or null

  /// Continue statements in the body that name the loop by its label.
  llvm::SmallVector<clang::LoopControlStmt *, 1> continues;

  // If T or the type of the bound is a class type: copies of the first and last iterator, which the parent makes, and
  // their distance. The variable starts as a copy of `first`, and `advance` moves it by `offset`.
  clang::VarDecl *first = nullptr, *last = nullptr, *offset = nullptr;
  clang::Expr *distance = nullptr, *advance = nullptr;

  /// Statements to put in front of the loop: the other variables of its header, or the hidden variables of a range.
  llvm::SmallVector<clang::Stmt *, 3> prologue;
  clang::Stmt *element = nullptr; ///< in a loop over a range: the declaration of the element, in front of the body

  bool hasPointer() const { return variable->getType()->isPointerType() && !hasClass(); }
  /// Returns true if the variable or the bound has a class type, so that the class counts the iterations.
  bool hasClass() const { return variable->getType()->isRecordType() || (bound && bound->getType()->isRecordType()); }
};

/// Decomposes a loop, which is a ForStmt or CXXForRangeStmt. If its header is not supported, reports that and returns
/// nothing.
std::optional<LoopSite> matchLoop(clang::Stmt *loop, clang::Expr *grain, clang::Sema &sema);

/// Finds the operators of a loop whose variable or bound is of class type: the distance and the advance. Returns false
/// if the class lacks one of them.
bool findIteratorOperators(LoopSite &site, clang::Sema &sema);

/// Makes the variable that stands for v in each iteration of `cilk_for (v = first; ...)`. Returns false if v is no
/// local variable of the function around the loop, or cannot simply be copied.
bool replaceOuterVariable(clang::ForStmt *loop, LoopSite &site, clang::ASTContext &context);

/// Returns the loop's comparison with the number of bits of the loop variable (abi::LoopComparison).
int32_t comparisonWithBits(const LoopSite &site, const clang::ASTContext &context);

/// Checks the constants of a loop. If they show that the loop never ends, reports that and returns false.
bool checkEnd(const LoopSite &site, clang::ASTContext &context);

/// Returns the signed step if it is constant.
std::optional<int64_t> constantStep(const LoopSite &site, const clang::ASTContext &context);

/// Returns true if the statement or expression refers to the variable, also in a lambda. `stmt` may be null.
bool refersTo(const clang::Stmt *stmt, const clang::VarDecl *variable);

/// Makes a variable of the function around the loop that the program cannot name.
clang::VarDecl *makeHiddenVariable(const LoopSite &site, const char *name, clang::QualType type,
                                   clang::ASTContext &context);

/// Puts a new label around the loop, and makes `jumps` name this label instead of their old label.
clang::Stmt *makeNamed(clang::Stmt *loop, llvm::ArrayRef<clang::LoopControlStmt *> jumps, clang::DeclContext *owner,
                       clang::ASTContext &context);

/// Finds the loop's own continue statements. Reports jumps out of and into the body, and assignments to the loop
/// variable, and returns false if there are any. `function` is the body of the function around the loop.
bool checkLoopBody(LoopSite &site, clang::Stmt *function, clang::ASTContext &context, Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_LOOPSITE_H
