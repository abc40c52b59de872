// Collects facts about the objects to which a function's spawns assign results: the sites, the uses, and the regions
// that wait. A region is the body of a cilk_for, or a block of cilk_scope or try; it waits for its children at its end.
// The AST must be as Sema built it, before any rewriting. ResultFlow.cpp decides which uses come too early.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_RESULTSITES_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_RESULTSITES_H

#include "Frontend/Syntax/Keywords.h"
#include "Frontend/Syntax/NamedObject.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class SwitchStmt;
} // namespace clang

namespace cilk2gpu {

/// A block that waits, at its end, for the children that were spawned in it.
struct WaitingRegion {
  const WaitingRegion *parent;
  const clang::Stmt *block;
};

struct ResultSite {
  NamedObject object;
  clang::SourceLocation at; ///< location of the keyword
  const WaitingRegion *region;
  VariableSet indexVariables;
  std::optional<clang::AtomicExpr::AtomicOp> update = std::nullopt; ///< the update, of which several may be outstanding
  bool isArgument = false; ///< the object is a local variable whose address the child has
  bool isOrdered = false;  ///< an ordered spawn writes the object: other ordered spawns may write it before the sync
  bool isItem = false;     ///< the object is an item of a depend clause: a read before the sync is warned of
};

struct ResultUse {
  enum Kind { Read, Write, Spawn } kind;
  NamedObject object;
  clang::SourceLocation at;
  const clang::Stmt *stmt;
  std::optional<clang::AtomicExpr::AtomicOp> update = std::nullopt; ///< the update that a spawn makes
  bool isByMember = false; ///< a member function reads the object, on some paths at least
  bool isOrdered = false;  ///< an ordered spawn writes the object
};

class ResultSites {
public:
  ResultSites(clang::ASTContext &context, const Keywords &keywords, const clang::VarDecl *syncVariable)
      : context(context), keywords(keywords), syncVariable(syncVariable) {}

  /// Collects the sites and uses. Returns false if there is nothing to check: no named object takes a result, or the
  /// body has errors.
  bool collect(clang::Stmt *body);

  llvm::SmallVector<ResultSite, 8> sites;
  /// Maps a statement to the site whose assignment it completes: an expression, or the variable that it initializes.
  /// Also maps a spawned call to the sites of its arguments.
  llvm::DenseMap<const void *, llvm::SmallVector<unsigned, 1>> completions;
  llvm::DenseMap<const clang::Stmt *, ResultUse> uses;
  /// Maps every statement below a region to its innermost region.
  llvm::DenseMap<const clang::Stmt *, const WaitingRegion *> regions;
  /// Maps jumps to the regions that they leave.
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const WaitingRegion *, 2>> leaving;
  llvm::SmallDenseSet<const clang::Stmt *> syncs;
  bool hasHandlers = false; ///< the body has handlers of exceptions

private:
  void visit(clang::Stmt *stmt, const WaitingRegion *region);
  void visitChildren(clang::Stmt *stmt, const WaitingRegion *region);
  void visitExpression(clang::Expr *expr, const WaitingRegion *region, bool isStatement);
  bool visitAccess(clang::Expr *expr, const WaitingRegion *region);
  void visitOperand(clang::Expr *operand, const WaitingRegion *region);
  void addSite(const void *completion, const clang::Expr *destination, const clang::VarDecl *variable,
               clang::SourceLocation at, const WaitingRegion *region,
               std::optional<clang::AtomicExpr::AtomicOp> update = std::nullopt);
  void visitDepend(clang::SwitchStmt *pragma, const WaitingRegion *region);
  void addArguments(clang::UnaryOperator *spawn, const WaitingRegion *region);
  void addUse(ResultUse::Kind kind, const clang::Expr *object, const clang::Stmt *stmt, bool isByMember = false);
  const WaitingRegion *openRegion(clang::Stmt *stmt, const WaitingRegion *parent);
  void forgetEscapedIndices();

  clang::ASTContext &context;
  const Keywords &keywords;
  const clang::VarDecl *syncVariable;
  llvm::SmallVector<std::unique_ptr<WaitingRegion>, 2> ownedRegions;
  llvm::SmallDenseSet<const clang::VarDecl *> escaped; ///< variables that may be changed through a pointer
  llvm::SmallVector<NamedObject, 4> written;           ///< items that the ordered spawn writes which is being visited
  unsigned depth = 0;                                  ///< number of statements around the visited one
  bool isDeferred = false; ///< the visited code is a deferred statement, which the control-flow graph lacks
  bool hasErrors = false;  ///< the body has errors, or its nesting is too deep
};

/// A use, or the end of a scope, with the sites that are outstanding or may be outstanding there.
struct Finding {
  const ResultUse *use = nullptr;           ///< null for an end of scope
  const clang::VarDecl *variable = nullptr; ///< variable whose scope ends
  const clang::Stmt *trigger = nullptr;     ///< statement that ends the scope
  bool isCertain = false;
  llvm::SmallVector<unsigned, 2> sites;
};

/// Finds uses of spawned results that come before a sync, and variables that end before the sync for their results. A
/// finding is an error if it holds on every path, and a warning if it may hold.
class ResultCheck {
public:
  /// Checks a function's whole body, which must not be rewritten yet.
  ResultCheck(clang::Stmt *body, const clang::Decl *function, clang::ASTContext &context, const Keywords &keywords,
              const clang::VarDecl *syncVariable);
  ~ResultCheck();

  void report(Keywords &keywords);

private:
  ResultSites results;
  clang::ASTContext &context;
  std::vector<Finding> findings;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_RESULTSITES_H
