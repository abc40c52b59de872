// Traces a value back to the objects whose addresses it holds. A temporary with a destructor may own the objects to
// which its members point. The bodies of called functions are not examined: if the result of a call can hold an
// address, it may hold any address that was passed in.
#include "TemporaryEscape.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2gpu {

static bool holds(const Expr *expr);
static bool isTemporary(const Expr *object);

// Returns true if values of the type cannot hold an object's address.
static bool holdsNoAddress(QualType type) {
  return type->isVoidType() || type->isArithmeticType() || type->isEnumeralType() || type->isFunctionPointerType() ||
         type->isMemberPointerType() || type->isNullPtrType();
}

// Returns the operand whose object or value is also the object or value of the expression, or null if there is none.
// Other operands only have side effects.
static const Expr *transparentOperand(const Expr *expr) {
  if (auto *paren = dyn_cast<ParenExpr>(expr))
    return paren->getSubExpr();
  if (auto *full = dyn_cast<FullExpr>(expr))
    return full->getSubExpr();
  if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(expr))
    return bind->getSubExpr();
  if (auto *argument = dyn_cast<CXXDefaultArgExpr>(expr))
    return argument->getExpr();
  if (auto *init = dyn_cast<CXXDefaultInitExpr>(expr))
    return init->getExpr();
  if (auto *choice = dyn_cast<GenericSelectionExpr>(expr))
    return choice->getResultExpr();
  if (auto *choice = dyn_cast<ChooseExpr>(expr))
    return choice->getChosenSubExpr();
  if (auto *substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(expr))
    return substituted->getReplacement();
  auto *binary = dyn_cast<BinaryOperator>(expr);
  return binary && binary->getOpcode() == BO_Comma ? binary->getRHS() : nullptr;
}

// Returns true if the statement makes a temporary with a destructor. It may free the objects to which members point.
static bool destroysTemporary(const Stmt *statement) {
  if (!statement)
    return false;
  if (isa<CXXBindTemporaryExpr>(statement))
    return true;
  if (auto *argument = dyn_cast<CXXDefaultArgExpr>(statement))
    return destroysTemporary(argument->getExpr());
  return !isa<LambdaExpr>(statement) &&
         llvm::any_of(statement->children(), [](const Stmt *child) { return destroysTemporary(child); });
}

// Returns true if the object is part of a temporary that may own the objects to which its members point.
static bool isInOwner(const Expr *object) { return isTemporary(object) && destroysTemporary(object); }

// Returns true if the object is a temporary, or may be one.
static bool isTemporary(const Expr *object) {
  if (const Expr *operand = transparentOperand(object))
    return isTemporary(operand);
  if (object->isPRValue())
    return true; // the value is put into a temporary object
  if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(object))
    return temporary->getStorageDuration() == SD_FullExpression;
  if (auto *member = dyn_cast<MemberExpr>(object)) {
    if (member->getMemberDecl()->getType()->isReferenceType())
      return holds(member->getBase()) || (!member->isArrow() && isInOwner(member->getBase()));
    return member->isArrow() ? holds(member->getBase()) : isTemporary(member->getBase());
  }
  if (auto *element = dyn_cast<ArraySubscriptExpr>(object))
    return element->getBase()->isGLValue() ? isTemporary(element->getBase()) : holds(element->getBase());
  if (auto *cast = dyn_cast<CastExpr>(object))
    return isTemporary(cast->getSubExpr());
  if (auto *choice = dyn_cast<AbstractConditionalOperator>(object))
    return isTemporary(choice->getTrueExpr()) || isTemporary(choice->getFalseExpr());
  if (auto *opaque = dyn_cast<OpaqueValueExpr>(object))
    return !opaque->getSourceExpr() || isTemporary(opaque->getSourceExpr());
  if (auto *unary = dyn_cast<UnaryOperator>(object))
    return unary->getOpcode() == UO_Deref ? holds(unary->getSubExpr()) : isTemporary(unary->getSubExpr());
  if (auto *binary = dyn_cast<BinaryOperator>(object); binary && binary->isAssignmentOp())
    return isTemporary(binary->getLHS());
  if (isa<DeclRefExpr, StringLiteral, PredefinedExpr, CompoundLiteralExpr, CXXThisExpr, CXXTypeidExpr>(object))
    return false;
  return holds(object); // references that calls return, and all other expressions
}

// Returns true if a part of the expression is a temporary or holds the address of one.
static bool partHolds(const Expr *expr) {
  for (const Stmt *child : expr->children())
    if (auto *part = dyn_cast_or_null<Expr>(child); part && refersToTemporary(part))
      return true;
  return false;
}

// Returns true if the value, or the content of the object, may hold the address of a temporary or of an object that a
// temporary owns.
static bool holds(const Expr *expr) {
  if (expr->isPRValue() && holdsNoAddress(expr->getType()))
    return false;
  if (const Expr *operand = transparentOperand(expr))
    return holds(operand);
  if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr))
    return holds(temporary->getSubExpr());
  if (auto *cast = dyn_cast<CastExpr>(expr)) {
    bool takesAddress = cast->getCastKind() == CK_ArrayToPointerDecay;
    if (cast->getCastKind() == CK_LValueToRValue && isInOwner(cast->getSubExpr()))
      return true;
    return takesAddress ? isTemporary(cast->getSubExpr()) : holds(cast->getSubExpr());
  }
  if (auto *unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_AddrOf)
    return isTemporary(unary->getSubExpr());
  if (auto *opaque = dyn_cast<OpaqueValueExpr>(expr))
    return !opaque->getSourceExpr() || holds(opaque->getSourceExpr());
  if (auto *choice = dyn_cast<AbstractConditionalOperator>(expr))
    return holds(choice->getTrueExpr()) || holds(choice->getFalseExpr());
  if (auto *construct = dyn_cast<CXXConstructExpr>(expr); construct && construct->getNumArgs() == 1 &&
                                                          construct->getConstructor()->isCopyOrMoveConstructor() &&
                                                          construct->getConstructor()->isTrivial())
    return isInOwner(construct->getArg(0)) || holds(construct->getArg(0)); // a copy of the same bits
  if (auto *lambda = dyn_cast<LambdaExpr>(expr))
    return llvm::any_of(lambda->capture_inits(), [](const Expr *init) { return init && refersToTemporary(init); });
  if (auto *member = dyn_cast<MemberExpr>(expr); member && member->isGLValue())
    return holds(member->getBase());
  if (auto *element = dyn_cast<ArraySubscriptExpr>(expr)) {
    auto *decay = dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
    bool isArray = decay && decay->getCastKind() == CK_ArrayToPointerDecay;
    return holds(isArray ? decay->getSubExpr() : element->getBase());
  }
  if (auto *block = dyn_cast<StmtExpr>(expr)) {
    auto *last = dyn_cast_or_null<Expr>(block->getSubStmt()->body_back());
    return last && refersToTemporary(last);
  }
  return partHolds(expr);
}

bool refersToTemporary(const Expr *argument) {
  return argument->isGLValue() ? isTemporary(argument) || holds(argument) : holds(argument);
}

} // namespace cilk2gpu
