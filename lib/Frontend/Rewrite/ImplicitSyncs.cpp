// Syncs that the language implies before destructors run:
// - at a return, after its value is evaluated;
// - at the end of a function;
// - at the end of an iteration of a cilk_for.
//
// Elsewhere, the lowering inserts implicit syncs (cilk-insert-implicit-syncs).
#include "DependFrame.h"
#include "cilk2gpu/Support/Markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2gpu {

// `return x;` -> `{ [[gnu::cleanup(return_sync)]] int guard; return x; }`: the cleanup of the innermost variable runs
// first. The check for an exception is the cleanup of a variable in front of it.
Stmt *MarkerBuilder::makeSyncedReturn(ReturnStmt *result, DeclContext *owner) {
  if (!returnSync)
    returnSync = marker(kReturnSyncMarker, {context.VoidPtrTy});
  SourceLocation at = result->getBeginLoc();
  SmallVector<Stmt *, 3> statements;
  auto guardBy = [&](FunctionDecl *cleanup) {
    auto *guard = VarDecl::Create(context, owner, at, at, &context.Idents.get("cilk.return"), context.IntTy,
                                  context.getTrivialTypeSourceInfo(context.IntTy, at), SC_None);
    guard->setImplicit();
    guard->addAttr(CleanupAttr::CreateImplicit(context, cleanup));
    guard->addAttr(UninitializedAttr::CreateImplicit(context));
    statements.push_back(new (context) DeclStmt(DeclGroupRef(guard), at, at));
  };
  if (throws) {
    if (!returnCheck)
      returnCheck = throwingMarker(kReturnCheckMarker, {context.VoidPtrTy});
    guardBy(returnCheck);
  }
  guardBy(returnSync);
  statements.push_back(result);
  return CompoundStmt::Create(context, statements, FPOptionsOverride(), at, result->getEndLoc());
}

// Makes a synced return of every return below `stmt`, also in statement expressions, but not in other functions.
void FunctionRewriter::syncReturns(Stmt *stmt) {
  for (Stmt *&child : stmt->children()) {
    if (!child || isa<LambdaExpr>(child))
      continue;
    syncReturns(child);
    if (auto *result = dyn_cast<ReturnStmt>(child))
      child = makeSyncedReturn(result);
  }
}

bool FunctionRewriter::containsSpawn(Stmt *stmt) const {
  if (!stmt || isa<LambdaExpr>(stmt))
    return false;
  if (auto *op = dyn_cast<UnaryOperator>(stmt); op && keywords.isSpawn(op))
    return true;
  if (auto *attributed = dyn_cast<AttributedStmt>(stmt); attributed && keywords.spawnedLocation(attributed).isValid())
    return true;
  return llvm::any_of(stmt->children(), [&](Stmt *child) { return containsSpawn(child); });
}

// Rewrites the body of a cilk_for. An iteration syncs at its end, before its objects and its iterator are destroyed.
Stmt *FunctionRewriter::rewriteIteration(Stmt *body) {
  if (!(hasDestructors || keywords.throwsFromTasks()) || !containsSpawn(body))
    return rewrite(body);
  if (!isa<CompoundStmt>(body))
    body = CompoundStmt::Create(context, body, FPOptionsOverride(), body->getBeginLoc(), body->getEndLoc());
  SmallVector<Stmt *, 1> block;
  std::unique_ptr<DependFrame> outer = openFrame(body);
  rewriteScope(body, block);
  return closeFrame(std::move(outer), block.front());
}

} // namespace cilk2gpu
