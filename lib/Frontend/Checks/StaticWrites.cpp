// Finds direct writes by name to a static variable or a part of it. Thread-local and atomic variables are ignored,
// because the program is responsible for them; constants have no writes.
#include "StaticWrites.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "Frontend/Syntax/Diagnostics.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2gpu {

// Returns the variable that is the object or contains it. For iterations of a loop, returns null if an index is not a
// literal, because then each iteration usually writes an element of its own.
static const VarDecl *rootVariable(const Expr *object, bool isIteration) {
  object = object->IgnoreParenImpCasts();
  if (auto *opaque = dyn_cast<OpaqueValueExpr>(object))
    return opaque->getSourceExpr() ? rootVariable(opaque->getSourceExpr(), isIteration) : nullptr;
  if (auto *member = dyn_cast<MemberExpr>(object))
    return member->isArrow() ? nullptr : rootVariable(member->getBase(), isIteration);
  if (auto *element = dyn_cast<ArraySubscriptExpr>(object)) {
    if (isIteration && !isa<IntegerLiteral>(element->getIdx()->IgnoreParenImpCasts()))
      return nullptr;
    auto *decay = dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
    bool isArray = decay && decay->getCastKind() == CK_ArrayToPointerDecay;
    return isArray ? rootVariable(decay->getSubExpr(), isIteration) : nullptr;
  }
  auto *ref = dyn_cast<DeclRefExpr>(object);
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

static const Expr *writtenObject(const Stmt *stmt) {
  if (auto *binary = dyn_cast<BinaryOperator>(stmt))
    return binary->isAssignmentOp() ? binary->getLHS() : nullptr;
  if (auto *unary = dyn_cast<UnaryOperator>(stmt))
    return unary->isIncrementDecrementOp() ? unary->getSubExpr() : nullptr;
  return nullptr;
}

static bool isSharedStatic(const VarDecl *variable) {
  return variable && variable->isStaticLocal() && variable->getTLSKind() == VarDecl::TLS_None &&
         !variable->getType()->isReferenceType() &&
         !variable->getASTContext().getBaseElementType(variable->getType())->isAtomicType();
}

namespace {
class Search {
public:
  Search(bool isIteration, Keywords &keywords, DiagnosticsEngine &diags)
      : isIteration(isIteration), keywords(keywords), diags(diags) {}

  void visit(const Stmt *stmt) {
    if (!stmt || isa<LambdaExpr>(stmt))
      return;
    const Expr *object = writtenObject(stmt);
    const VarDecl *variable = object ? rootVariable(object, isIteration) : nullptr;
    if (isSharedStatic(variable) && seen.insert(variable).second && keywords.markReported(object->getExprLoc()))
      report(diags, object->getExprLoc(), Message::StaticWritten) << variable << isIteration;
    for (const Stmt *child : stmt->children())
      withEnoughStack([&] { visit(child); });
  }

private:
  bool isIteration;
  Keywords &keywords;
  DiagnosticsEngine &diags;
  llvm::SmallDenseSet<const VarDecl *> seen;
};
} // namespace

void warnStaticWrites(const Stmt *body, bool isIteration, Keywords &keywords, DiagnosticsEngine &diags) {
  Search(isIteration, keywords, diags).visit(body);
}

} // namespace cilk2gpu
