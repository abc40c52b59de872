// Looks for a read of a field of `this` in the function's body. A template that is not instantiated yet is examined as
// written, and then has no conversions from objects to values. Functions that do not return a number are ignored,
// because they may only compute an address.
#include "MemberReads.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2gpu {

// Returns true for `this`, its fields, and their fields.
static bool isOwnField(const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (isa<CXXThisExpr>(expr))
    return true;
  if (auto *dependent = dyn_cast<CXXDependentScopeMemberExpr>(expr))
    return dependent->isImplicitAccess() || isOwnField(dependent->getBase());
  if (auto *unresolved = dyn_cast<UnresolvedMemberExpr>(expr))
    return unresolved->isImplicitAccess() || isOwnField(unresolved->getBase());
  auto *member = dyn_cast<MemberExpr>(expr);
  auto *field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  bool isReached = field && (!member->isArrow() || isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()));
  return isReached && !field->getType()->isReferenceType() && isOwnField(member->getBase());
}

static bool isReadInPattern(const Expr *expr) {
  if (isa<CXXDependentScopeMemberExpr>(expr))
    return isOwnField(expr);
  return isa<MemberExpr>(expr) && !expr->getType()->isArrayType() && isOwnField(expr);
}

static bool readsFields(const Stmt *stmt, bool isPattern) {
  if (!stmt || isa<LambdaExpr>(stmt))
    return false;
  auto *expr = dyn_cast<Expr>(stmt);
  if (auto *load = dyn_cast<ImplicitCastExpr>(stmt);
      load && load->getCastKind() == CK_LValueToRValue && isa<MemberExpr>(load->getSubExpr()->IgnoreParens()))
    if (isOwnField(load->getSubExpr()))
      return true;
  if (expr && isPattern && isReadInPattern(expr))
    return true;
  auto *unary = dyn_cast<UnaryOperator>(stmt);
  if (unary && unary->getOpcode() == UO_AddrOf)
    return false;
  auto *call = dyn_cast<CallExpr>(stmt);
  bool reads = false;
  for (const Stmt *child : stmt->children())
    if (!call || child != call->getCallee())
      withEnoughStack([&] { reads = reads || readsFields(child, isPattern); });
  return reads;
}

static bool readsObject(const CXXMethodDecl *method) {
  QualType type = method->getReturnType();
  if (!method->isInstance() || !(type->isArithmeticType() || type->isEnumeralType()))
    return false;
  const FunctionDecl *definition = method->getDefinition();
  if (!definition)
    definition = method->getTemplateInstantiationPattern();
  const Stmt *body = definition ? definition->getBody() : nullptr;
  return body && readsFields(body, definition->isDependentContext());
}

const Expr *readByMember(const Expr *expr) {
  auto *call = dyn_cast<CallExpr>(expr);
  auto *method = call ? dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee()) : nullptr;
  if (!method || !readsObject(method))
    return nullptr;
  if (auto *named = dyn_cast<CXXMemberCallExpr>(call)) {
    auto *member = dyn_cast<MemberExpr>(named->getCallee()->IgnoreParens());
    return member && !member->isArrow() ? member->getBase() : nullptr;
  }
  return isa<CXXOperatorCallExpr>(call) ? call->getArg(0) : nullptr;
}

} // namespace cilk2gpu
