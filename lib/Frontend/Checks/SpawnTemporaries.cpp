// Examines the arguments of a spawned call, and the object whose member function is called.
#include "SpawnTemporaries.h"
#include "TemporaryEscape.h"

using namespace clang;

namespace cilk2gpu {

MaterializeTemporaryExpr *ownedTemporary(const Expr *operand, const ASTContext &context) {
  if (!operand->isGLValue())
    return nullptr;
  while (auto *cast = dyn_cast<ImplicitCastExpr>(operand)) {
    if (cast->getCastKind() != CK_NoOp && cast->getCastKind() != CK_DerivedToBase &&
        cast->getCastKind() != CK_UncheckedDerivedToBase)
      return nullptr;
    operand = cast->getSubExpr();
  }
  auto *temporary = dyn_cast<MaterializeTemporaryExpr>(operand->IgnoreParens());
  if (!temporary || temporary->getStorageDuration() != SD_FullExpression)
    return nullptr;
  const Expr *value = temporary->getSubExpr();
  QualType type = value->getType();
  bool isCopyable = type.isTriviallyCopyableType(context) && !type.isDestructedType() && !type->isArrayType();
  return isCopyable && !refersToTemporary(value) ? const_cast<MaterializeTemporaryExpr *>(temporary) : nullptr;
}

// Returns the arguments, and the object whose member function is called.
static SmallVector<const Expr *, 8> operandsOf(const SpawnSite &site) {
  SmallVector<const Expr *, 8> operands(site.call()->arguments());
  if (const Expr *object = site.object())
    operands.push_back(object);
  return operands;
}

bool canWrap(const SpawnSite &site, const ASTContext &context) {
  const CallExpr *call = site.call();
  if (llvm::any_of(operandsOf(site), [&](const Expr *operand) {
        return refersToTemporary(operand) && !ownedTemporary(operand, context);
      }))
    return false;
  return call->getDirectCallee() && isa<DeclRefExpr, MemberExpr>(call->getCallee()->IgnoreParenImpCasts()) &&
         llvm::all_of(call->arguments(), [&](const Expr *arg) {
           return arg->isGLValue() || arg->getType().isTriviallyCopyableType(context);
         });
}

bool needsWrapper(const SpawnSite &site, const ASTContext &context) {
  if (!canWrap(site, context))
    return false;
  const FunctionDecl *callee = site.call()->getDirectCallee();
  return callee->isVariadic() || isTrueBuiltin(callee, context) ||
         llvm::any_of(operandsOf(site), [&](const Expr *operand) { return ownedTemporary(operand, context); });
}

bool placesTemporaries(const SpawnSite &site, const ASTContext &context) {
  return !canWrap(site, context) && llvm::any_of(operandsOf(site), refersToTemporary);
}

bool hasObjects(const SpawnSite &site, const ASTContext &context) {
  return site.operation || site.conversion || site.hasClassArgument(context) || site.hasClassResult(context) ||
         placesTemporaries(site, context) || (site.destination && refersToTemporary(site.destination));
}

} // namespace cilk2gpu
