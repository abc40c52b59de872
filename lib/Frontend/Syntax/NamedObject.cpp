// Decomposes lvalues. A reference, a dereference and a base class name no object, because they may refer to any object.
#include "NamedObject.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cilk2gpu {

// Returns true for arithmetic on local integers and constants: its value stays the same as long as its variables do.
static bool isComparable(const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    auto *variable = dyn_cast<VarDecl>(ref->getDecl());
    return isa<EnumConstantDecl>(ref->getDecl()) ||
           (variable && variable->hasLocalStorage() && variable->getType()->isIntegerType() &&
            !variable->getType().isVolatileQualified());
  }
  if (auto *binary = dyn_cast<BinaryOperator>(expr))
    return !binary->isAssignmentOp() && binary->getOpcode() != BO_Comma && isComparable(binary->getLHS()) &&
           isComparable(binary->getRHS());
  return isa<IntegerLiteral, CharacterLiteral>(expr);
}

static bool isSameIndex(const Expr *a, const Expr *b, const ASTContext &context) {
  llvm::FoldingSetNodeID left, right;
  a->IgnoreParenImpCasts()->Profile(left, context, /*Canonical=*/true);
  b->IgnoreParenImpCasts()->Profile(right, context, /*Canonical=*/true);
  return left == right;
}

static void addVariables(const Stmt *stmt, VariableSet &variables) {
  if (auto *ref = dyn_cast<DeclRefExpr>(stmt))
    if (auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      variables.insert(variable);
  for (const Stmt *child : stmt->children())
    if (child)
      addVariables(child, variables);
}

bool NamedObject::hasVariableIndex() const {
  return llvm::any_of(steps, [](const Step &step) { return !step.field && !step.constant; });
}

VariableSet NamedObject::indexVariables() const {
  VariableSet variables;
  for (const Step &step : steps)
    if (step.index)
      addVariables(step.index, variables);
  return variables;
}

static NamedObject::Step elementStep(const Expr *index, const ASTContext &context) {
  NamedObject::Step step;
  Expr::EvalResult value;
  if (!index->isValueDependent() && index->EvaluateAsInt(value, context) && value.Val.getInt().isRepresentableByInt64())
    step.constant = value.Val.getInt().getExtValue();
  else if (isComparable(index))
    step.index = index;
  return step;
}

static bool append(const Expr *expr, NamedObject &object, const ASTContext &context) {
  expr = expr->IgnoreParenNoopCasts(context);
  if (auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    if (auto *binding = dyn_cast<BindingDecl>(ref->getDecl()); binding && !binding->getHoldingVar())
      return binding->getBinding() && append(binding->getBinding(), object, context);
    auto *variable = dyn_cast<VarDecl>(ref->getDecl());
    object.variable = variable;
    return variable && !variable->getType()->isReferenceType() && !variable->getType()->isAtomicType();
  }
  if (auto *member = dyn_cast<MemberExpr>(expr)) {
    auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field || member->isArrow() || field->getType()->isReferenceType() ||
        !append(member->getBase(), object, context))
      return false;
    object.steps.push_back({field, std::nullopt, nullptr});
    return true;
  }
  auto *element = dyn_cast<ArraySubscriptExpr>(expr);
  auto *decay = element ? dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens()) : nullptr;
  if (!decay || decay->getCastKind() != CK_ArrayToPointerDecay || !append(decay->getSubExpr(), object, context))
    return false;
  object.steps.push_back(elementStep(element->getIdx(), context));
  return true;
}

NamedObject namedObject(const Expr *expr, const ASTContext &context) {
  NamedObject object;
  return expr->isGLValue() && append(expr, object, context) ? object : NamedObject();
}

Overlap compare(const NamedObject &a, const NamedObject &b, bool isCurrent, const ASTContext &context) {
  if (!a.variable || a.variable != b.variable)
    return Overlap::Apart;
  bool isUnknown = false;
  for (auto [left, right] : llvm::zip(a.steps, b.steps)) {
    if (left.field && right.field) {
      if (left.field == right.field)
        continue;
      if (!left.field->getParent()->isUnion())
        return Overlap::Apart;
      break; // members of a union share their memory
    }
    if (left.field || right.field)
      break; // members of a union that differ in kind
    if (left.constant && right.constant) {
      if (*left.constant != *right.constant)
        return Overlap::Apart;
    } else {
      isUnknown |= !isCurrent || !left.index || !right.index || !isSameIndex(left.index, right.index, context);
    }
  }
  return isUnknown ? Overlap::Unknown : Overlap::Same;
}

} // namespace cilk2gpu
