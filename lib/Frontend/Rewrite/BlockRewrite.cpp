// Rewrites spawned statements that are no calls:
//
//   cilk_spawn { a; b; }      ->  block_begin(id); { a; b; } block_end(id);
//   cilk_spawn a[i] = f(x);   ->  block_begin(id), a[i] = f(x), block_end(id);
//
// The child evaluates the whole statement, as in OpenCilk. For the parser, the keyword in front of an expression
// belongs to the expression's first operand. So the keyword is found there and removed.
#include "DependFrame.h"
#include "Frontend/Syntax/RegionJumps.h"
#include "SpawnRewrite.h"
#include "cilk2gpu/Support/Markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2gpu {

Expr *MarkerBuilder::beginBlock(unsigned id, SourceLocation at) {
  if (!blockBegin) {
    blockBegin = marker(kSpawnedBlockBeginMarker, {context.IntTy});
    blockEnd = marker(kSpawnedBlockEndMarker, {context.IntTy});
  }
  return callMarker(blockBegin, {literal(id, at)}, at);
}

Expr *MarkerBuilder::endBlock(unsigned id, SourceLocation at) { return callMarker(blockEnd, {literal(id, at)}, at); }

// Reports jumps into the region from outside of it. Returns false if there are any.
bool FunctionRewriter::checkEntries(Stmt *region, Message message) {
  RegionJumps jumps(region);
  DiagnosticsEngine &diags = context.getDiagnostics();
  bool isGood = true;
  auto refuseEntry = [&](SourceLocation at) {
    isGood = false;
    if (keywords.markReported(at))
      report(diags, at, message);
  };
  llvm::SmallDenseSet<const Stmt *> own;
  for (auto [jump, label] : jumps.gotos)
    own.insert(jump);
  if (!jumps.labels.empty())
    for (auto [jump, label] : RegionJumps(functionBody).gotos)
      if (!own.contains(jump) && jumps.labels.contains(label))
        refuseEntry(jump->getBeginLoc());
  for (Stmt *label : jumps.foreignCases)
    refuseEntry(label->getBeginLoc());
  return isGood;
}

// Reports jumps out of a spawned block. Returns false if there are any.
bool FunctionRewriter::checkBlock(Stmt *block) {
  bool isGood = checkEntries(block, Message::BlockEntry);
  for (Stmt *jump : RegionJumps(block).leaving) {
    isGood = false;
    unsigned kind = isa<BreakStmt>(jump) ? 0 : isa<ContinueStmt>(jump) ? 1 : isa<ReturnStmt>(jump) ? 2 : 3;
    if (keywords.markReported(jump->getBeginLoc()))
      report(context.getDiagnostics(), jump->getBeginLoc(), Message::BlockJump) << kind;
  }
  return isGood;
}

Stmt *FunctionRewriter::rewriteSpawnedBlock(AttributedStmt *stmt) {
  SourceLocation at = keywords.spawnedLocation(stmt);
  keywords.account(at);
  Stmt *block = stmt->getSubStmt();
  bool isGood = checkBlock(block);
  unsigned id = nextId++;
  std::unique_ptr<DependFrame> outer = openFrame(block);
  SmallVector<Stmt *, 1> body;
  if ((hasDestructors || keywords.throwsFromTasks()) && containsSpawn(block) && isa<CompoundStmt>(block))
    rewriteScope(block, body); // the block's children end before its locals do
  else
    body.push_back(rewrite(block));
  Stmt *rewritten = closeFrame(std::move(outer), body.front());
  if (!isGood)
    return rewritten;
  Stmt *parts[] = {markers.beginBlock(id, at), markers.catchAll(id, rewritten, at), markers.endBlock(id, at)};
  return CompoundStmt::Create(context, parts, FPOptionsOverride(), at, stmt->getEndLoc());
}

// Returns the place of an expression's first operand if the operand stands at the expression's beginning.
static Stmt **firstOperand(Expr *expr) {
  auto place = [&](Expr *operand) -> Stmt ** {
    for (Stmt *&child : expr->children())
      if (child == operand)
        return &child;
    return nullptr;
  };
  if (auto *binary = dyn_cast<BinaryOperator>(expr))
    return place(binary->getLHS());
  if (auto *choice = dyn_cast<ConditionalOperator>(expr))
    return place(choice->getCond());
  if (auto *call = dyn_cast<CXXOperatorCallExpr>(expr))
    return call->isInfixBinaryOp() || call->isAssignmentOp() ? place(call->getArg(0)) : nullptr;
  if (isa<ImplicitCastExpr, ExprWithCleanups, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(expr))
    return &*expr->child_begin();
  return nullptr;
}

// Removes the spawn keyword at the beginning of an expression, and returns the keyword's node. Returns null for all
// other expressions.
UnaryOperator *FunctionRewriter::takeLeadingSpawn(Expr *&expr) {
  Stmt *holder = expr;
  Stmt **slot = &holder;
  while (slot && *slot) {
    auto *op = dyn_cast<UnaryOperator>(*slot);
    if (op && keywords.isSpawn(op)) {
      *slot = op->getSubExpr();
      expr = cast<Expr>(holder);
      return op;
    }
    slot = firstOperand(cast<Expr>(*slot));
  }
  return nullptr;
}

// `begin(id), expr, end(id)`. Temporaries of the expression are destroyed before the end marker.
Expr *FunctionRewriter::makeSpawnedExpression(UnaryOperator *spawn, Expr *expr) {
  SourceLocation at = spawn->getOperatorLoc();
  keywords.account(at);
  refuse(expr, Misplacement::Expression);
  unsigned id = nextId++;
  Expr *parts[] = {markers.beginBlock(id, at), expr, markers.endBlock(id, at)};
  return PseudoObjectExpr::Create(context, spawn, parts, PseudoObjectExpr::NoResult);
}

} // namespace cilk2gpu
