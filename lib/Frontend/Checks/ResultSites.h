// What a function's body does with the objects that its spawns' results go to: the sites, the uses, and the regions
// (cilk_for bodies, blocks of cilk_scope and try) that wait for what was spawned in them. Collected from the AST as
// Sema built it, before anything is rewritten; ResultFlow.cpp decides which uses come too early.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_RESULTSITES_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_RESULTSITES_H

#include "Frontend/Syntax/Keywords.h"
#include "Frontend/Syntax/NamedObject.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace cilk2gpu {

/// A block that waits, at its end, for what was spawned in it.
struct WaitingRegion {
  const WaitingRegion *parent;
  const clang::Stmt *block;
};

struct ResultSite {
  NamedObject object;
  clang::SourceLocation at; ///< of the keyword
  const WaitingRegion *region;
  VariableSet indexVariables;
  std::optional<clang::AtomicExpr::AtomicOp> update = std::nullopt; ///< several such spawns may be outstanding
  bool isArgument = false; ///< a local variable whose address the child has, not where its result goes
};

struct ResultUse {
  enum Kind { Read, Write, Spawn } kind;
  NamedObject object;
  clang::SourceLocation at;
  const clang::Stmt *stmt;
  std::optional<clang::AtomicExpr::AtomicOp> update = std::nullopt; ///< of a spawn
  bool isByMember = false; ///< in a member function, and not on each path through it
};

class ResultSites {
public:
  ResultSites(clang::ASTContext &context, const Keywords &keywords, const clang::VarDecl *syncVariable)
      : context(context), keywords(keywords), syncVariable(syncVariable) {}

  /// Returns false if there is nothing to check: no result goes to a named object, or the body has errors.
  bool collect(clang::Stmt *body);

  llvm::SmallVector<ResultSite, 8> sites;
  /// The statement that completes the spawn's assignment (the expression, or the variable it initializes) -> site. The
  /// spawned call -> sites of its arguments.
  llvm::DenseMap<const void *, llvm::SmallVector<unsigned, 1>> completions;
  llvm::DenseMap<const clang::Stmt *, ResultUse> uses;
  /// Every statement below a region -> its innermost one.
  llvm::DenseMap<const clang::Stmt *, const WaitingRegion *> regions;
  /// Jumps that leave regions: their target is not in them.
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const WaitingRegion *, 2>> leaving;
  llvm::SmallDenseSet<const clang::Stmt *> syncs;
  bool hasHandlers = false; ///< of exceptions

private:
  void visit(clang::Stmt *stmt, const WaitingRegion *region);
  void visitChildren(clang::Stmt *stmt, const WaitingRegion *region);
  void visitExpression(clang::Expr *expr, const WaitingRegion *region, bool isStatement);
  bool visitAccess(clang::Expr *expr, const WaitingRegion *region);
  void visitOperand(clang::Expr *operand, const WaitingRegion *region);
  void addSite(const void *completion, const clang::Expr *destination, const clang::VarDecl *variable,
               clang::SourceLocation at, const WaitingRegion *region,
               std::optional<clang::AtomicExpr::AtomicOp> update = std::nullopt);
  void addArguments(clang::UnaryOperator *spawn, const WaitingRegion *region);
  void addUse(ResultUse::Kind kind, const clang::Expr *object, const clang::Stmt *stmt, bool isByMember = false);
  const WaitingRegion *openRegion(clang::Stmt *stmt, const WaitingRegion *parent);
  void forgetEscapedIndices();

  clang::ASTContext &context;
  const Keywords &keywords;
  const clang::VarDecl *syncVariable;
  llvm::SmallVector<std::unique_ptr<WaitingRegion>, 2> ownedRegions;
  llvm::SmallDenseSet<const clang::VarDecl *> escaped; ///< variables that may be changed through a pointer
  unsigned depth = 0;                                  ///< statements around the one that is visited
  bool isDeferred = false;                             ///< runs where its block ends, which the graph does not know
  bool hasErrors = false;                              ///< or is too deep
};

/// A use or an end of scope, with the sites that are, or may be, outstanding there.
struct Finding {
  const ResultUse *use = nullptr;           ///< null for an end of scope
  const clang::VarDecl *variable = nullptr; ///< the one that ends
  const clang::Stmt *trigger = nullptr;     ///< what ends it
  bool isCertain = false;
  llvm::SmallVector<unsigned, 2> sites;
};

/// Uses of spawned results that come before a sync, and variables of results that end before one: errors where it must
/// be so on every path, warnings where it may be.
class ResultCheck {
public:
  /// Looks at a function's whole body, which must not be rewritten yet.
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
