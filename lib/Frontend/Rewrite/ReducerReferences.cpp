// See ReducerReferences.h.
#include "ReducerReferences.h"
#include "Frontend/Syntax/Diagnostics.h"
#include "Frontend/Syntax/ReducerType.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2gpu {

namespace {

// Properties of a variable that cannot be bound to a view, in the order of Message::ReducerOutlived's %select.
enum class Storage { Static, Thread, Namespace, Constant };

} // namespace

static std::optional<Storage> storageOutside(const VarDecl *variable) {
  if (variable->isConstexpr())
    return Storage::Constant;
  if (variable->getTLSKind() != VarDecl::TLS_None)
    return Storage::Thread;
  if (variable->hasLocalStorage())
    return std::nullopt;
  return variable->isStaticLocal() || variable->isStaticDataMember() ? Storage::Static : Storage::Namespace;
}

// Returns true if the object that the expression designates is a view, or a part of a view.
bool ReducerReferences::designatesView(const Expr *expr) const {
  expr = expr->IgnoreParens();
  if (findNamedReducer(expr))
    return true;
  if (auto *ref = dyn_cast<DeclRefExpr>(expr))
    return bound.contains(ref->getDecl());
  if (auto *cast = dyn_cast<CastExpr>(expr))
    return cast->isGLValue() && designatesView(cast->getSubExpr());
  if (auto *member = dyn_cast<MemberExpr>(expr))
    return !member->isArrow() && designatesView(member->getBase());
  if (auto *element = dyn_cast<ArraySubscriptExpr>(expr))
    return designatesView(element->getBase()->IgnoreParenImpCasts());
  if (auto *choice = dyn_cast<ConditionalOperator>(expr))
    return designatesView(choice->getTrueExpr()) || designatesView(choice->getFalseExpr());
  if (auto *cleanups = dyn_cast<ExprWithCleanups>(expr))
    return designatesView(cleanups->getSubExpr());
  auto *comma = dyn_cast<BinaryOperator>(expr);
  return comma && comma->getOpcode() == BO_Comma && designatesView(comma->getRHS());
}

// Returns true if the value of the expression is a reference, or a pointer, to a view.
bool ReducerReferences::leadsToView(QualType target, const Expr *value) const {
  if (target->isReferenceType())
    return !findReferencedReducer(target) && designatesView(value);
  if (!target->isPointerType() || findPointedReducer(target))
    return false;
  auto *address = dyn_cast<UnaryOperator>(value->IgnoreParenCasts());
  return address && address->getOpcode() == UO_AddrOf && designatesView(address->getSubExpr());
}

// Returns true if a part of the value is a pointer to a view.
bool ReducerReferences::holdsView(QualType target, const Expr *value) const {
  auto *list = dyn_cast<InitListExpr>(value->IgnoreParenImpCasts());
  if (!list)
    return leadsToView(target, value);
  const ArrayType *array = context.getAsArrayType(list->getType());
  const RecordDecl *record = list->getType()->getAsRecordDecl();
  llvm::SmallVector<QualType> parts(list->getNumInits(), array ? array->getElementType() : target);
  auto *derived = dyn_cast_or_null<CXXRecordDecl>(record);
  unsigned bases = derived ? derived->getNumBases() : 0;
  if (record && !record->isUnion() && bases <= parts.size())
    for (auto [type, field] : llvm::zip(llvm::drop_begin(parts, bases), record->fields()))
      type = field->getType();
  return llvm::any_of(llvm::zip(parts, list->inits()), [&](auto part) {
    auto [type, init] = part;
    return init && holdsView(type, init);
  });
}

bool ReducerReferences::checkOutlived(const VarDecl *variable) {
  const Expr *init = variable->getInit();
  std::optional<Storage> storage = storageOutside(variable);
  if (!init || !(storage ? holdsView(variable->getType(), init) : leadsToView(variable->getType(), init)))
    return true;
  if (!storage) {
    bound.insert(variable);
    return true;
  }
  SourceLocation at = variable->getInit()->getExprLoc();
  if (reported.insert(at).second)
    report(diagnostics, at, Message::ReducerOutlived) << variable << unsigned(*storage);
  return false;
}

// The type system does not distinguish pointers to reducers from pointers to views.
void ReducerReferences::checkPointer(QualType target, const Expr *source) {
  if (target.isNull() || !target->isPointerType())
    return;
  const Expr *value = source->IgnoreParenImpCasts();
  if (findPointedReducer(target)) {
    auto *address = dyn_cast<UnaryOperator>(value);
    if (address && address->getOpcode() == UO_AddrOf && reported.insert(address->getExprLoc()).second)
      report(diagnostics, address->getExprLoc(), Message::ReducerAddress);
  } else if (!target->isVoidPointerType() && pointsToReducer(source) && reported.insert(source->getExprLoc()).second) {
    report(diagnostics, source->getExprLoc(), Message::ReducerPointer) << target->getPointeeType().getCanonicalType();
  }
}

// The type system does not distinguish an array of reducers from an array of views.
void ReducerReferences::checkArray(QualType target, const Expr *source) {
  if (target.isNull() || !(target->isReferenceType() || target->isPointerType()))
    return;
  const Expr *value = source->IgnoreParenImpCasts();
  if (auto *address = dyn_cast<UnaryOperator>(value); address && address->getOpcode() == UO_AddrOf)
    value = address->getSubExpr()->IgnoreParenImpCasts();
  QualType pointee = target->getPointeeType();
  std::optional<QualType> element = pointee->isArrayType() ? findReducerElements(value) : std::nullopt;
  if (element && !containsReducer(pointee) && reported.insert(source->getExprLoc()).second)
    report(diagnostics, source->getExprLoc(), Message::ReducerArray) << element->getCanonicalType();
}

Expr *ReducerReferences::useOf(DeclRefExpr *ref, const DeclContext *function) {
  ValueDecl *variable = ref->getDecl();
  if (ref->isNonOdrUse() == NOUR_None || !bound.contains(variable))
    return ref;
  if (variable->getDeclContext() != function && reported.insert(ref->getExprLoc()).second)
    report(diagnostics, ref->getExprLoc(), Message::ReducerUncaptured);
  return DeclRefExpr::Create(context, ref->getQualifierLoc(), ref->getTemplateKeywordLoc(), variable,
                             /*RefersToEnclosingVariableOrCapture=*/false, ref->getNameInfo(), ref->getType(),
                             ref->getValueKind(), ref->getFoundDecl());
}

// The type of the hidden reference says that it refers to a reducer, so each use of it would look up a view.
void ReducerReferences::bindRange(CXXForRangeStmt *loop) {
  auto *range = dyn_cast_or_null<VarDecl>(loop->getRangeStmt()->getSingleDecl());
  const Expr *source = range && range->getInit() ? range->getInit()->IgnoreParenImpCasts() : nullptr;
  if (!source || !findReferencedReducer(range->getType()))
    return;
  if (std::optional<ReducerType> reducer = findNamedReducer(source))
    range->setType(context.getLValueReferenceType(reducer->view));
}

// Gives `auto &[a, b] = array` the type of a reference to an array of reducers. `auto` has deduced one to an array of
// views.
void ReducerReferences::nameBindings(DecompositionDecl *variable) {
  auto *array = variable->getType()->isLValueReferenceType()
                    ? context.getAsConstantArrayType(variable->getType().getNonReferenceType())
                    : nullptr;
  std::optional<QualType> element =
      array && variable->getInit() ? findReducerElements(variable->getInit()) : std::nullopt;
  if (!element || array->getElementType().isConstQualified() || !named.insert(variable).second)
    return;
  QualType type = context.getConstantArrayType(*element, array->getSize(), nullptr, ArraySizeModifier::Normal, 0);
  variable->setType(context.getLValueReferenceType(type));
  for (BindingDecl *binding : variable->bindings()) {
    auto *part = dyn_cast_or_null<ArraySubscriptExpr>(binding->getBinding());
    if (!part)
      continue;
    part->setType(*element);
    for (Expr *base = part->getBase(); base; base = isa<CastExpr>(base) ? cast<CastExpr>(base)->getSubExpr() : nullptr)
      base->setType(base->getType()->isPointerType() ? context.getPointerType(*element) : type);
  }
}

// Gives the hidden pointer of a range-based `for` the type of a pointer to a reducer. `auto` has deduced it.
void ReducerReferences::nameElements(CXXForRangeStmt *loop) {
  auto *range = dyn_cast_or_null<VarDecl>(loop->getRangeStmt()->getSingleDecl());
  const Expr *source = range && range->getInit() ? range->getInit()->IgnoreParenImpCasts() : nullptr;
  std::optional<QualType> element = source ? findReducerElements(source) : std::nullopt;
  if (!element || !loop->getBeginStmt() || !loop->getEndStmt() || !named.insert(range).second)
    return;
  QualType pointer = context.getPointerType(*element);
  llvm::SmallPtrSet<const Decl *, 2> hidden;
  for (DeclStmt *statement : {loop->getBeginStmt(), loop->getEndStmt()}) {
    auto *variable = cast<VarDecl>(statement->getSingleDecl());
    variable->setType(pointer);
    hidden.insert(variable);
  }
  auto isHidden = [&](Expr *expr) {
    auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
    return ref && hidden.contains(ref->getDecl());
  };
  auto rename = [&](auto &&self, Stmt *stmt) -> void {
    auto *expr = dyn_cast_or_null<Expr>(stmt);
    if (!expr)
      return;
    for (Stmt *child : expr->children())
      self(self, child);
    if (auto *target = dyn_cast<UnaryOperator>(expr); target && target->getOpcode() == UO_Deref)
      expr->setType(isHidden(target->getSubExpr()) ? *element : expr->getType());
    else if (isa<DeclRefExpr, ImplicitCastExpr>(expr) && expr->getType()->isPointerType() && isHidden(expr))
      expr->setType(pointer);
  };
  rename(rename, loop->getLoopVariable()->getInit());
}

} // namespace cilk2gpu
