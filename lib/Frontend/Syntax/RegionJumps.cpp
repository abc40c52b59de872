// Walks over a region to find its jumps. It enters expressions, because a statement expression may contain any jump.
#include "RegionJumps.h"
#include "DeepWalk.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2gpu {

RegionJumps::RegionJumps(Stmt *region) {
  visit(region, Inside());
  for (auto [jump, label] : gotos)
    if (!isa<AddrLabelExpr>(jump) && !labels.contains(label))
      leaving.push_back(jump);
}

void RegionJumps::visitControl(LoopControlStmt *stmt, bool isInside) {
  if (stmt->hasLabelTarget() ? !targets.contains(stmt->getNamedLoopOrSwitch()) : !isInside)
    leaving.push_back(stmt);
}

void RegionJumps::visit(Stmt *stmt, Inside inside) {
  if (!stmt)
    return;
  if (auto *lambda = dyn_cast<LambdaExpr>(stmt)) {
    for (Expr *init : lambda->capture_inits())
      visit(init, inside);
    return;
  }
  if (auto *jump = dyn_cast<BreakStmt>(stmt)) {
    visitControl(jump, inside.breakable);
  } else if (auto *jump = dyn_cast<ContinueStmt>(stmt)) {
    visitControl(jump, inside.loop);
  } else if (auto *jump = dyn_cast<GotoStmt>(stmt)) {
    gotos.push_back({jump, jump->getLabel()});
  } else if (auto *address = dyn_cast<AddrLabelExpr>(stmt)) {
    gotos.push_back({address, address->getLabel()});
  } else if (auto *assembly = dyn_cast<GCCAsmStmt>(stmt)) {
    for (AddrLabelExpr *target : assembly->labels())
      gotos.push_back({assembly, target->getLabel()});
  } else if (auto *label = dyn_cast<LabelStmt>(stmt)) {
    labels.insert(label->getDecl());
  } else if (isa<ReturnStmt, IndirectGotoStmt>(stmt)) {
    leaving.push_back(stmt);
  } else if (isa<SwitchCase>(stmt) && !inside.choice) {
    foreignCases.push_back(stmt);
  } else if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt)) {
    targets.insert(stmt);
    inside.loop = inside.breakable = true;
  } else if (isa<SwitchStmt>(stmt)) {
    targets.insert(stmt);
    inside.breakable = inside.choice = true;
  }
  for (Stmt *child : stmt->children())
    withEnoughStack([&] { visit(child, inside); });
}

} // namespace cilk2gpu
