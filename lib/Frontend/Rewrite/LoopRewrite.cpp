// Rewrites a cilk_for into the body of one iteration between the markers:
// - The bounds and the step are kept in variables of the parent, because the body reads them.
// - `continue` must belong to a loop. So a `do ... while (0)` surrounds the body; CodeGen emits no loop for it.
// - Profiles and coverage count how often a branch is taken, but not how often a `do` is entered. So an `if (1)`
//   surrounds the body; CodeGen emits no branch for it.
// - An iterator starts as a copy of the first iterator and is advanced by the number of steps.
//
//   cilk_for (T i = first; i < bound; i += step) body
//   ->  T first' = first; B bound' = bound; S step' = step;
//       { uint64_t value = for_begin(...); T i = value; if (1) do body while (0); }
//       for_end(id);
//
// For `cilk_for (v = first; ...)` with a v that is declared outside, an assignment of v's last value follows.
#include "Frontend/Checks/StaticWrites.h"
#include "LoopBuilder.h"
#include "SpawnRewrite.h"
#include "cilk2gpu/Support/Markers.h"

using namespace clang;

namespace cilk2gpu {

void MarkerBuilder::declareLoopMarkers() {
  if (forBegin)
    return;
  QualType longType = context.getIntTypeForBitwidth(64, 1);
  forBegin = marker(kForBeginMarker, {context.IntTy, longType, longType, longType, context.IntTy, longType},
                    context.getIntTypeForBitwidth(64, 0));
  forEnd = marker(kForEndMarker, {context.IntTy});
}

Expr *MarkerBuilder::beginLoop(unsigned id, ArrayRef<Expr *> arguments, SourceLocation at) {
  declareLoopMarkers();
  SmallVector<Expr *, 6> all = {literal(id, at)};
  all.append(arguments.begin(), arguments.end());
  return callMarker(forBegin, all, at);
}

Expr *MarkerBuilder::endLoop(unsigned id, SourceLocation at) { return callMarker(forEnd, {literal(id, at)}, at); }

Stmt *MarkerBuilder::makeLoop(const LoopSite &site, unsigned id, Stmt *body) {
  LoopBuilder builder(context, site);
  SmallVector<Stmt *, 6> statements;
  SmallVector<Expr *, 5> arguments = builder.declareHeader(statements);
  statements.push_back(
      builder.makeIteration(beginLoop(id, arguments, site.at), body,
                            [&](Stmt *iteration, Expr *number) { return catchAll(id, iteration, site.at, number); }));
  statements.push_back(endLoop(id, site.at));
  if (throws)
    statements.push_back(makeCheck(id, site.at));
  if (site.outer)
    statements.push_back(builder.makeFinal());
  return builder.block(statements);
}

static bool hasErrors(const Stmt *stmt) {
  if (auto *declarations = dyn_cast_or_null<DeclStmt>(stmt))
    return llvm::any_of(declarations->decls(), [](const Decl *decl) { return decl->isInvalidDecl(); });
  auto *expr = dyn_cast_or_null<Expr>(stmt);
  return expr && expr->containsErrors();
}

static Stmt *bodyOf(Stmt *loop) {
  auto *counted = dyn_cast<ForStmt>(loop);
  return counted ? counted->getBody() : cast<CXXForRangeStmt>(loop)->getBody();
}

// Checks a loop up to the code in its body. Returns nothing if the loop is refused.
std::optional<LoopSite> FunctionRewriter::matchLoopHeader(Stmt *loop, Expr *grain) {
  auto *counted = dyn_cast<ForStmt>(loop);
  SourceLocation at = counted ? counted->getForLoc() : cast<CXXForRangeStmt>(loop)->getForLoc();
  Stmt *body = bodyOf(loop);
  keywords.account(at);
  bool isBad = hasErrors(grain);
  for (Stmt *part : loop->children())
    isBad |= part != body && hasErrors(part);
  if (isBad || keywords.isReported(at))
    return std::nullopt;
  for (Stmt *part : loop->children())
    if (part && part != body)
      refuse(part, Misplacement::Condition);
  std::optional<LoopSite> site = matchLoop(loop, grain, sema);
  if (site && checkLoopBody(*site, functionBody, context, keywords))
    return site;
  keywords.markReported(at);
  return std::nullopt;
}

// Rewrites the loop. Returns it unchanged if it was refused.
Stmt *FunctionRewriter::rewriteLoop(Stmt *loop, Expr *grain) {
  std::optional<LoopSite> site = matchLoopHeader(loop, grain);
  Stmt *loopBody = bodyOf(loop);
  if (site)
    warnStaticWrites(loopBody, /*isIteration=*/true, keywords, context.getDiagnostics());
  unsigned id = nextId++;
  ++loopDepth;
  Stmt *body = rewriteIteration(loopBody);
  --loopDepth;
  return site ? markers.makeLoop(*site, id, body) : loop;
}

} // namespace cilk2gpu
