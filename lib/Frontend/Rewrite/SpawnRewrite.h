// Rewrites one function's spawns, syncs, loops and scopes in place, into the form that Markers.h describes.
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNREWRITE_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNREWRITE_H

#include "Frontend/Syntax/Diagnostics.h"
#include "Frontend/Syntax/LoopSite.h"
#include "Frontend/Syntax/SpawnSite.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2gpu {

/// Makes the expressions that replace spawns. Each translation unit has one builder, which owns the declarations of
/// markers.
class MarkerBuilder {
public:
  explicit MarkerBuilder(clang::Sema &sema) : sema(sema), context(sema.getASTContext()) {}

  /// Makes a call of the sync marker.
  clang::Expr *makeSync(clang::SourceLocation at);

  /// Puts `result` into a new block. A sync follows the evaluation of the returned value, before any object is
  /// destroyed.
  clang::Stmt *makeSyncedReturn(clang::ReturnStmt *result, clang::DeclContext *owner);

  /// Makes one expression of type void: it binds destination and arguments to opaque values, then has the begin marker,
  /// the call with its assignment, and the end marker. Changes the site's call and assignment in place.
  ///
  /// If the result is constructed in a variable, the expression is the variable's initializer and has its type.
  clang::Expr *makeSpawn(const SpawnSite &site, unsigned id);

  /// Makes a block of one iteration of the loop between its markers. `body` is the loop's rewritten body. Changes the
  /// loop variable's initializer.
  clang::Stmt *makeLoop(const LoopSite &site, unsigned id, clang::Stmt *body);

  /// Counts a spawn of `callee`. A spawn in a loop counts as several.
  void countSpawn(const clang::FunctionDecl *callee, bool inLoop) { spawned[callee] += inLoop ? 2 : 1; }
  /// Number of spawns of each function so far, in the source order of the first spawns.
  const llvm::MapVector<const clang::FunctionDecl *, unsigned> &spawnCounts() const { return spawned; }

private:
  clang::FunctionDecl *marker(const char *name, llvm::ArrayRef<clang::QualType> parameters,
                              clang::QualType result = clang::QualType());
  clang::Expr *callMarker(clang::FunctionDecl *callee, llvm::ArrayRef<clang::Expr *> arguments,
                          clang::SourceLocation at);
  clang::Expr *literal(unsigned value, clang::SourceLocation at);
  clang::Expr *nullPointer(clang::QualType type, clang::SourceLocation at);
  clang::Expr *addressOf(clang::Expr *lvalue, clang::SourceLocation at);
  clang::Expr *bind(clang::Expr *source, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *bindCopy(clang::Expr *argument, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *bindArgument(clang::Expr *argument, bool mayChange, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *bindDestination(const SpawnSite &site, llvm::SmallVectorImpl<clang::Expr *> &bound);
  clang::Expr *makeStore(const SpawnSite &site, clang::Expr *destination, llvm::SmallVectorImpl<clang::Expr *> *before);
  clang::Expr *makeUpdate(const SpawnSite &site, clang::Expr *destination);
  void makeOrdinaryCall(clang::CallExpr *call);
  clang::Expr *makeCallee(const clang::FunctionDecl *named, clang::SourceLocation at);
  void bindUnused(clang::CallExpr *call, llvm::SmallVectorImpl<clang::Expr *> &bound);
  void bindPointer(clang::CallExpr *call, llvm::SmallVectorImpl<clang::Expr *> &bound);
  bool bindOperands(const SpawnSite &site, llvm::SmallVectorImpl<clang::Expr *> &bound);
  void appendToOperands(const SpawnSite &site, clang::Expr *then);
  clang::Expr *makeLate(const SpawnSite &site, bool inPlace, llvm::SmallVectorImpl<clang::Expr *> &before);

  clang::Sema &sema;
  clang::ASTContext &context;
  unsigned numWrappers = 0;
  clang::FunctionDecl *begin = nullptr, *callee = nullptr, *end = nullptr, *sync = nullptr, *returnSync = nullptr;
  clang::FunctionDecl *forBegin = nullptr, *forEnd = nullptr;
  llvm::MapVector<const clang::FunctionDecl *, unsigned> spawned;
};

/// Walks the statements of one function body.
class FunctionRewriter {
public:
  FunctionRewriter(clang::Sema &sema, Keywords &keywords, MarkerBuilder &markers, const clang::VarDecl *syncVariable)
      : sema(sema), context(sema.getASTContext()), keywords(keywords), markers(markers), syncVariable(syncVariable) {}

  /// Returns the new body. Reports keywords at positions where they may not stand, and spawns that are not supported.
  /// These stay unchanged, and CodeGen will not run. If `destroys`, the end of a scope runs destructors: implicit syncs
  /// are made explicit in front of them.
  clang::Stmt *rewriteBody(clang::FunctionDecl *rewritten, bool destroys);

  /// Reports every keyword in a statement or expression that may not contain keywords.
  void refuse(clang::Stmt *stmt, Misplacement kind);

private:
  using Output = llvm::SmallVectorImpl<clang::Stmt *>;
  clang::Stmt *rewrite(clang::Stmt *stmt);
  void rewriteInto(clang::Stmt *stmt, Output &output);
  void rewriteChildren(clang::Stmt *parent, Output &output);
  void rewriteDeclarations(clang::DeclStmt *declarations, Output &output);
  clang::Expr *rewriteExpression(clang::Expr *expr);
  clang::Expr *rewriteSequence(clang::Expr *expr, clang::BinaryOperator *comma);
  clang::Stmt *rewriteInit(clang::Stmt *stmt, Output &output);
  clang::Expr *rewriteSpawn(const SpawnSite &site);
  bool acceptSite(const SpawnSite &site);
  bool rewriteReturn(clang::ReturnStmt *result, Output &output);
  bool refuseBefore(const clang::UnaryOperator *spawn, const clang::Expr *call, Message message);
  bool refuseSpawnedAssignment(clang::Expr *expr);
  clang::Stmt *rewriteLoop(clang::Stmt *loop, clang::Expr *grain);
  bool rewriteRegion(clang::Stmt *stmt, Output &output);
  void rewriteTry(clang::CXXTryStmt *stmt);
  clang::Stmt *rewriteIteration(clang::Stmt *body);
  bool containsSpawn(clang::Stmt *stmt) const;
  void syncReturns(clang::Stmt *stmt);
  void rewriteScope(clang::Stmt *block, Output &output);
  void refuseRegion(clang::Stmt *stmt);
  bool isSync(const clang::Expr *expr) const;

  clang::Sema &sema;
  clang::ASTContext &context;
  Keywords &keywords;
  MarkerBuilder &markers;
  const clang::VarDecl *syncVariable;
  clang::FunctionDecl *function = nullptr;
  clang::Stmt *functionBody = nullptr;
  bool hasDestructors = false;
  llvm::SmallDenseSet<clang::Stmt *> scopeJumps,
      syncedJumps; ///< jumps out of a scope, and those that already follow a sync
  unsigned nextId = 0;
  unsigned loopDepth = 0; ///< number of loops around the statement that is being rewritten
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNREWRITE_H
