// Handles loop variables that are declared in front of their cilk_for, as is usual in C. Each iteration gets a variable
// of its own with that name. After the loop, the outer variable has the value that the serial elision gives it
// (LoopRewrite.cpp).
#include "DeepWalk.h"
#include "LoopSite.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2gpu {

namespace {
/// Replaces one variable by another, also in sizes of arrays.
class Replacement : public DynamicRecursiveASTVisitor {
public:
  Replacement(VarDecl *from, VarDecl *to) : from(from), to(to) {}

  bool TraverseStmt(Stmt *stmt) override {
    bool goesOn = true;
    withEnoughStack([&] { goesOn = DynamicRecursiveASTVisitor::TraverseStmt(stmt); });
    return goesOn;
  }

  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (ref->getDecl() == from)
      ref->setDecl(to);
    return true;
  }

  // The body of a lambda refers to the lambda's own copy or reference, which the capture makes.
  bool TraverseLambdaExpr(LambdaExpr *lambda) override {
    for (Expr *init : lambda->capture_inits())
      TraverseStmt(init);
    return true;
  }

private:
  VarDecl *from, *to;
};
} // namespace

bool replaceOuterVariable(ForStmt *loop, LoopSite &site, ASTContext &context) {
  auto *init = dyn_cast_or_null<BinaryOperator>(loop->getInit());
  auto *ref = init && init->getOpcode() == BO_Assign ? dyn_cast<DeclRefExpr>(init->getLHS()->IgnoreParens()) : nullptr;
  auto *outer = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!outer || !outer->hasLocalStorage() || ref->refersToEnclosingVariableOrCapture() ||
      !outer->getType()->isScalarType() || outer->getType().isVolatileQualified() || outer->getType()->isAtomicType())
    return false;
  site.outer = outer;
  site.variable = VarDecl::Create(context, outer->getDeclContext(), outer->getLocation(), outer->getLocation(),
                                  outer->getIdentifier(), outer->getType(), outer->getTypeSourceInfo(), SC_None);
  site.variable->setIsUsed();
  site.variable->setInit(init->getRHS());
  site.declaration = new (context) DeclStmt(DeclGroupRef(site.variable), init->getBeginLoc(), init->getEndLoc());
  Replacement replacement(outer, site.variable);
  replacement.TraverseStmt(loop->getCond());
  replacement.TraverseStmt(loop->getInc());
  replacement.TraverseStmt(loop->getBody());
  return true;
}

} // namespace cilk2gpu
