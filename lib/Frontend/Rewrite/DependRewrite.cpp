// Finds the frames that have ordered spawns, and rewrites these spawns. Wherever such a frame syncs, it first runs its
// ordered tasks.
#include "DependFrame.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2gpu {

FunctionRewriter::FunctionRewriter(Sema &sema, Keywords &keywords, MarkerBuilder &markers, const VarDecl *syncVariable)
    : sema(sema), context(sema.getASTContext()), keywords(keywords), markers(markers), syncVariable(syncVariable) {}

FunctionRewriter::~FunctionRewriter() = default;

// Returns true if the statement has an ordered spawn that belongs to its own frame.
static bool hasDepend(const Stmt *stmt, const Keywords &keywords) {
  if (!stmt || isa<LambdaExpr>(stmt))
    return false;
  if (auto *choice = dyn_cast<SwitchStmt>(stmt); choice && keywords.isDepend(choice))
    return true;
  auto *loop = dyn_cast<ForStmt>(stmt);
  auto *range = dyn_cast<CXXForRangeStmt>(stmt);
  if ((loop && keywords.isFor(loop)) || (range && keywords.isFor(range)))
    return false;
  if (auto *block = dyn_cast<AttributedStmt>(stmt); block && keywords.spawnedLocation(block).isValid())
    return false;
  bool result = false;
  for (const Stmt *child : stmt->children())
    withEnoughStack([&] { result = result || hasDepend(child, keywords); });
  return result;
}

// Begins the frame of a function's or iteration's body, and returns the frame around it.
std::unique_ptr<DependFrame> FunctionRewriter::openFrame(Stmt *body) {
  auto inner = hasDepend(body, keywords) ? std::make_unique<DependFrame>(markers, sema, function) : nullptr;
  return std::exchange(frame, std::move(inner));
}

// Ends the frame. `body` is its rewritten body. Returns the body with the declaration of the frame's table.
Stmt *FunctionRewriter::closeFrame(std::unique_ptr<DependFrame> outer, Stmt *body) {
  std::unique_ptr<DependFrame> inner = std::exchange(frame, std::move(outer));
  if (!inner)
    return body;
  inner->finish();
  SmallVector<Stmt *, 16> statements = {inner->declareTable()};
  auto *block = dyn_cast<CompoundStmt>(body);
  if (!block) {
    statements.push_back(body);
    return CompoundStmt::Create(context, statements, FPOptionsOverride(), body->getBeginLoc(), body->getEndLoc());
  }
  statements.append(block->body_begin(), block->body_end());
  FPOptionsOverride features = block->hasStoredFPFeatures() ? block->getStoredFPFeatures() : FPOptionsOverride();
  return CompoundStmt::Create(context, statements, features, block->getLBracLoc(), block->getRBracLoc());
}

Expr *FunctionRewriter::makeSync(SourceLocation at, bool isWritten) {
  Expr *sync = markers.makeSync(at, isWritten && keywords.keepsPedigrees());
  if (!frame)
    return sync;
  return PseudoObjectExpr::Create(context, sync, {frame->makeRun(at), sync}, PseudoObjectExpr::NoResult);
}

// The ordered tasks run before the returned value is evaluated, so that they need no guard.
Stmt *FunctionRewriter::makeSyncedReturn(ReturnStmt *result) {
  Stmt *synced = markers.makeSyncedReturn(result, function);
  if (!frame)
    return synced;
  Stmt *statements[] = {frame->makeRun(result->getBeginLoc()), synced};
  return CompoundStmt::Create(context, statements, FPOptionsOverride(), result->getBeginLoc(), result->getEndLoc());
}

// Rewrites the statement behind a depend pragma. A second pragma adds its items to those of the first one.
Stmt *FunctionRewriter::rewriteDepend(SwitchStmt *pragma) {
  SourceLocation at = pragma->getSwitchLoc();
  SmallVector<DependItem, 4> items;
  bool isGood = true;
  Stmt *statement = pragma;
  for (auto *next = pragma; next && keywords.isDepend(next); next = dyn_cast_or_null<SwitchStmt>(statement)) {
    refuse(next->getCond(), Misplacement::Expression);
    bool isReported = keywords.isReported(next->getSwitchLoc());
    auto found = dependItems(next, keywords, context, /*reports=*/!isReported);
    if (!found)
      keywords.markReported(next->getSwitchLoc());
    isGood &= found.has_value();
    if (found)
      items.append(found->begin(), found->end());
    statement = dependStatement(next);
  }
  if (isa_and_nonnull<NullStmt>(statement)) {
    declared = DependOrder{.pragma = at, .items = std::move(items), .isGood = isGood};
    return statement;
  }
  auto *expr = dyn_cast_or_null<Expr>(statement);
  if (expr && expr->containsErrors())
    return pragma;
  SpawnSite site = expr ? matchStatement(expr, keywords, context) : SpawnSite();
  if (!site.spawn) {
    if (keywords.markReported(at))
      report(context.getDiagnostics(), at, Message::DependWithoutSpawn) << keywords.spawnSpelling();
    return statement ? rewrite(statement) : pragma;
  }
  const DependOrder order{.pragma = at, .items = std::move(items), .isGood = isGood};
  Expr *task = rewriteSpawn(site, &order);
  return task ? static_cast<Stmt *>(task) : pragma;
}

} // namespace cilk2gpu
