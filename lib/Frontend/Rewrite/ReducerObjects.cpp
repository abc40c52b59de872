// Registers reducers where their lifetime begins, and unregisters them before it ends. Between both, the view of the
// strand that registers is the reducer itself. An object with several reducers has two functions that do it.
#include "ReducerRewrite.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace cilk2gpu {

Expr *ReducerRewriter::reference(ValueDecl *decl, QualType type) {
  return DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), decl, false, decl->getLocation(),
                             type.getUnqualifiedType(), VK_LValue);
}

static Expr *load(Expr *lvalue, ASTContext &context) {
  return ImplicitCastExpr::Create(context, lvalue->getType().getUnqualifiedType(), CK_LValueToRValue, lvalue, nullptr,
                                  VK_PRValue, FPOptionsOverride());
}

Expr *ReducerRewriter::makeRegister(Expr *reducer, const ReducerType &type) {
  Callbacks functions = callbacks(type, reducer);
  if (!functions.identity)
    return nullptr;
  SourceLocation at = reducer->getExprLoc();
  if (!registerFunction)
    registerFunction = markers.external(
        "__cilkrts_reducer_register",
        {context.VoidPtrTy, context.getSizeType(), functions.identity->getType(), functions.reduce->getType()},
        context.VoidTy);
  Expr *size = sizeLiteral(context.getTypeSizeInChars(type.view).getQuantity(), at);
  return markers.callMarker(registerFunction,
                            {markers.addressOf(reducer, at), size, functions.identity, functions.reduce}, at);
}

Expr *ReducerRewriter::makeUnregister(Expr *reducer) {
  SourceLocation at = reducer->getExprLoc();
  if (!unregisterFunction)
    unregisterFunction = markers.external("__cilkrts_reducer_unregister", {context.VoidPtrTy}, context.VoidTy);
  return markers.callMarker(unregisterFunction, {markers.addressOf(reducer, at)}, at);
}

void ReducerRewriter::forEachReducer(QualType type, Object object, Action action, SmallVectorImpl<Stmt *> &output) {
  if (!containsReducer(type))
    return;
  if (std::optional<ReducerType> reducer = findReducer(type)) {
    if (Expr *made = action(object(), *reducer))
      output.push_back(made);
  } else if (const ConstantArrayType *array = context.getAsConstantArrayType(type)) {
    forEachElement(array, object, action, output);
  } else if (RecordDecl *record = type->getAsRecordDecl()) {
    forEachMember(record->getDefinition(), object, action, output);
  }
}

// Makes a loop over the elements.
void ReducerRewriter::forEachElement(const ConstantArrayType *array, Object object, Action action,
                                     SmallVectorImpl<Stmt *> &output) {
  SourceLocation at;
  QualType sizeType = context.getSizeType();
  auto *index = VarDecl::Create(context, objectOwner, at, at, nullptr, sizeType,
                                context.getTrivialTypeSourceInfo(sizeType, at), SC_None);
  index->setImplicit();
  index->setIsUsed();
  index->setInit(sizeLiteral(0, at));
  auto element = [&]() -> Expr * {
    QualType decayed = context.getPointerType(array->getElementType());
    Expr *base = ImplicitCastExpr::Create(context, decayed, CK_ArrayToPointerDecay, object(), nullptr, VK_PRValue,
                                          FPOptionsOverride());
    return new (context) ArraySubscriptExpr(base, load(reference(index, sizeType), context), array->getElementType(),
                                            VK_LValue, OK_Ordinary, at);
  };
  SmallVector<Stmt *, 4> body;
  forEachReducer(array->getElementType(), element, action, body);
  Expr *condition = BinaryOperator::Create(
      context, load(reference(index, sizeType), context), sizeLiteral(array->getSize().getZExtValue(), at), BO_NE,
      context.getLogicalOperationType(), VK_PRValue, OK_Ordinary, at, FPOptionsOverride());
  Expr *step = UnaryOperator::Create(context, reference(index, sizeType), UO_PreInc, sizeType,
                                     context.getLangOpts().CPlusPlus ? VK_LValue : VK_PRValue, OK_Ordinary, at, true,
                                     FPOptionsOverride());
  auto *declaration = new (context) DeclStmt(DeclGroupRef(index), at, at);
  auto *block = CompoundStmt::Create(context, body, FPOptionsOverride(), at, at);
  output.push_back(new (context) ForStmt(context, declaration, condition, nullptr, step, block, at, at, at));
}

void ReducerRewriter::forEachMember(RecordDecl *record, Object object, Action action, SmallVectorImpl<Stmt *> &output) {
  if (auto *derived = dyn_cast<CXXRecordDecl>(record)) {
    for (const CXXBaseSpecifier &base : derived->bases()) {
      auto part = [&]() -> Expr * {
        CXXCastPath path = {const_cast<CXXBaseSpecifier *>(&base)};
        return ImplicitCastExpr::Create(context, base.getType(), CK_UncheckedDerivedToBase, object(), &path, VK_LValue,
                                        FPOptionsOverride());
      };
      forEachReducer(base.getType(), part, action, output);
    }
  }
  for (FieldDecl *field : record->fields()) {
    auto member = [&]() -> Expr * {
      return MemberExpr::CreateImplicit(context, object(), /*IsArrow=*/false, field, field->getType(), VK_LValue,
                                        OK_Ordinary);
    };
    forEachReducer(field->getType(), member, action, output);
  }
}

// Makes the function that registers or unregisters all reducers of an object. Its parameter is the object's address.
FunctionDecl *ReducerRewriter::makeFunction(QualType type, bool registers) {
  FunctionDecl *&result = made[{context.getCanonicalType(type).getTypePtr(), unsigned(registers)}];
  if (result)
    return result;
  SourceLocation at;
  QualType pointer = context.getPointerType(type.getUnqualifiedType());
  auto *owner = context.getTranslationUnitDecl();
  auto *object = ParmVarDecl::Create(context, owner, at, at, nullptr, pointer,
                                     context.getTrivialTypeSourceInfo(pointer, at), SC_None, nullptr);
  object->setImplicit();
  object->setIsUsed();
  QualType signature = context.getFunctionType(context.VoidTy, {pointer}, FunctionProtoType::ExtProtoInfo());
  std::string name = (registers ? "cilk_reducer.register" : "cilk_reducer.unregister") + std::to_string(made.size());
  result = FunctionDecl::Create(context, owner, at, at, DeclarationName(&context.Idents.get(name)), signature,
                                context.getTrivialTypeSourceInfo(signature, at), SC_Static);
  result->setImplicit();
  result->setIsUsed();
  result->addAttr(NoThrowAttr::CreateImplicit(context));
  object->setDeclContext(result);
  result->setParams({object});
  auto target = [&]() -> Expr * {
    return UnaryOperator::Create(context, load(reference(object, pointer), context), UO_Deref,
                                 type.getUnqualifiedType(), VK_LValue, OK_Ordinary, at, false, FPOptionsOverride());
  };
  auto act = [&](Expr *reducer, const ReducerType &kind) {
    return registers ? makeRegister(reducer, kind) : makeUnregister(reducer);
  };
  objectOwner = result;
  SmallVector<Stmt *, 8> body;
  forEachReducer(type, target, act, body);
  FunctionDecl *function = result;
  Stmt *block = CompoundStmt::Create(context, body, FPOptionsOverride(), at, at);
  if (!registers) { // `delete` may have a null pointer
    Expr *isObject =
        ImplicitCastExpr::Create(context, context.BoolTy, CK_PointerToBoolean,
                                 load(reference(object, pointer), context), nullptr, VK_PRValue, FPOptionsOverride());
    block = IfStmt::Create(context, at, IfStatementKind::Ordinary, nullptr, nullptr, isObject, at, at, block);
    block = CompoundStmt::Create(context, block, FPOptionsOverride(), at, at);
  }
  function->setBody(block);
  done.insert(function);
  sema.Consumer.HandleTopLevelDecl(DeclGroupRef(function));
  return function;
}

Expr *ReducerRewriter::callFor(FunctionDecl *callee, Expr *object) {
  SourceLocation at = object->getExprLoc();
  Expr *address = UnaryOperator::Create(context, object, UO_AddrOf, context.getPointerType(object->getType()),
                                        VK_PRValue, OK_Ordinary, at, false, FPOptionsOverride());
  return markers.callMarker(callee, {address}, at);
}

// Makes the call that registers all reducers of the object.
Expr *ReducerRewriter::registerCall(QualType type, Expr *object) {
  if (std::optional<ReducerType> reducer = findReducer(type))
    return makeRegister(object, *reducer);
  return callFor(makeFunction(type, /*registers=*/true), object);
}

Expr *ReducerRewriter::unregisterCall(QualType type, Expr *object) {
  return findReducer(type) ? makeUnregister(object) : callFor(makeFunction(type, /*registers=*/false), object);
}

// Makes the end of the variable's scope unregister its reducers, before the variable is destroyed.
void ReducerRewriter::addCleanup(VarDecl *variable) {
  bool isSimple = findReducer(variable->getType()).has_value();
  if (isSimple)
    makeUnregister(reference(variable, variable->getType())); // declares the function
  FunctionDecl *cleanup = isSimple ? unregisterFunction : makeFunction(variable->getType(), /*registers=*/false);
  SourceLocation at = variable->getLocation();
  variable->addAttr(CleanupAttr::CreateImplicit(context, cleanup, SourceRange(at, at)));
}

// new T   ->   p = new T, register(p), p
Expr *ReducerRewriter::rewriteNew(CXXNewExpr *made) {
  rewriteChildren(made);
  QualType type = made->getAllocatedType();
  if (made->isArray() || type->isDependentType() || !containsReducer(type))
    return made;
  SmallVector<Expr *, 3> parts;
  Expr *object = markers.bind(made, parts);
  SourceLocation at = made->getExprLoc();
  Expr *target =
      UnaryOperator::Create(context, object, UO_Deref, type, VK_LValue, OK_Ordinary, at, false, FPOptionsOverride());
  Expr *registered = registerCall(type, target);
  if (!registered)
    return made;
  parts.push_back(registered);
  parts.push_back(object);
  return PseudoObjectExpr::Create(context, made, parts, /*resultIndex=*/2);
}

// delete p   ->   p' = p, unregister(p'), delete p'
Expr *ReducerRewriter::rewriteDelete(CXXDeleteExpr *deleted) {
  rewriteChildren(deleted);
  QualType type = deleted->getDestroyedType();
  if (deleted->isArrayForm() || type.isNull() || type->isDependentType() || !containsReducer(type))
    return deleted;
  SmallVector<Expr *, 3> parts;
  Expr *object = markers.bind(deleted->getArgument(), parts);
  *deleted->child_begin() = object;
  SourceLocation at = deleted->getExprLoc();
  Expr *target =
      UnaryOperator::Create(context, object, UO_Deref, type, VK_LValue, OK_Ordinary, at, false, FPOptionsOverride());
  parts.push_back(unregisterCall(type, target));
  parts.push_back(deleted);
  return PseudoObjectExpr::Create(context, deleted, parts, PseudoObjectExpr::NoResult);
}

} // namespace cilk2gpu
