// Walks over a function's body and rewrites uses of reducers. A template's instantiations may share expressions with
// one another, so an expression may be visited again after it was rewritten. The first argument of a lookup is the
// reducer itself, and stays.
#include "ReducerRewrite.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Template.h"

using namespace clang;

namespace cilk2gpu {

static constexpr const char kLookup[] = "__hyper_lookup";

void ReducerRewriter::refuse(SourceLocation at, Message message, unsigned kind) {
  if (reported.insert(at).second)
    report(sema.getDiagnostics(), at, message) << kind;
}

Expr *ReducerRewriter::sizeLiteral(uint64_t value, SourceLocation at) {
  QualType type = context.getSizeType();
  return IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(type), value), type, at);
}

// Returns the declaration whose type the expression has as it is written, or null.
static const Decl *declarationOf(const Expr *named) {
  while (named) {
    named = named->IgnoreParenImpCasts();
    if (auto *ref = dyn_cast<DeclRefExpr>(named))
      return ref->getDecl();
    if (auto *member = dyn_cast<MemberExpr>(named))
      return member->getMemberDecl();
    auto *element = dyn_cast<ArraySubscriptExpr>(named);
    named = element ? element->getBase() : nullptr;
  }
  return nullptr;
}

// Returns the arguments with which the alias template is used.
static ArrayRef<TemplateArgument> aliasArguments(const ReducerType &reducer, SourceLocation at, Sema &sema) {
  TemplateArgumentListInfo written;
  for (const TemplateArgument &argument : reducer.alias->template_arguments())
    written.addArgument(sema.getTrivialTemplateArgumentLoc(argument, QualType(), at));
  Sema::CheckTemplateArgumentInfo converted;
  TemplateDecl *alias = reducer.alias->getTemplateName().getAsTemplateDecl();
  if (sema.CheckTemplateArgumentList(alias, at, written, {}, /*PartialTemplateArgs=*/false, converted))
    return {};
  return ArrayRef<TemplateArgument>(converted.SugaredConverted).copy(sema.Context.getAllocator());
}

// Returns the arguments of the templates around the text of the reducer's type.
MultiLevelTemplateArgumentList ReducerRewriter::argumentsOf(const ReducerType &reducer, const Expr *named,
                                                            const DeclContext *&owner) {
  MultiLevelTemplateArgumentList result;
  const Decl *decl = reducer.name;
  if (reducer.alias) {
    TemplateDecl *alias = reducer.alias->getTemplateName().getAsTemplateDecl();
    result.addOuterTemplateArguments(alias, aliasArguments(reducer, named->getExprLoc(), sema), /*Final=*/false);
    decl = alias;
  } else if (!decl) {
    decl = declarationOf(named);
  }
  if (auto *variable = dyn_cast_or_null<VarTemplateSpecializationDecl>(decl))
    return sema.getTemplateInstantiationArgs(variable);
  owner = decl ? decl->getDeclContext() : function;
  while (owner && !isa<FunctionDecl, CXXRecordDecl>(owner))
    owner = owner->getParent();
  if (!owner)
    return result;
  MultiLevelTemplateArgumentList outer = sema.getTemplateInstantiationArgs(cast<NamedDecl>(owner));
  if (!reducer.alias)
    return outer;
  for (const auto &level : outer)
    result.addOuterTemplateArguments(level.AssociatedDeclAndFinal.getPointer(), level.Args, /*Final=*/false);
  return result;
}

// Returns the call in the reducer's attribute. In templates, the attribute keeps the template's own expressions.
Expr *ReducerRewriter::instantiate(const ReducerType &reducer, const Expr *named) {
  Expr *call = reducer.call();
  if (!call)
    return nullptr;
  const DeclContext *owner = nullptr;
  MultiLevelTemplateArgumentList arguments = argumentsOf(reducer, named, owner);
  if (arguments.getNumLevels() == 0)
    return call;
  auto *entity = const_cast<FunctionDecl *>(function);
  Decl *around = entity ? static_cast<Decl *>(entity) : context.getTranslationUnitDecl();
  Sema::InstantiatingTemplate instantiating(sema, named->getExprLoc(), around);
  LocalInstantiationScope scope(sema);
  Sema::ContextRAII inside(sema, owner ? const_cast<DeclContext *>(owner) : context.getTranslationUnitDecl());
  EnterExpressionEvaluationContext evaluated(sema, Sema::ExpressionEvaluationContext::Unevaluated);
  ExprResult result = sema.SubstExpr(call, arguments);
  return result.isInvalid() ? nullptr : result.get();
}

ReducerRewriter::Callbacks ReducerRewriter::callbacks(const ReducerType &reducer, const Expr *named) {
  if (reducer.view->isIncompleteType()) // behind a fatal error, no message refuses the declaration
    return {};
  const void *place = reducer.alias ? static_cast<const void *>(reducer.alias) : reducer.name;
  auto [it, isNew] = resolved.try_emplace({reducer.attribute, place ? place : function});
  if (!isNew && it->second.identity)
    return it->second;
  Expr *made = instantiate(reducer, named);
  auto *call = made ? dyn_cast<CallExpr>(made->IgnoreParenImpCasts()) : nullptr;
  if (!call || call->getNumArgs() != 2) {
    refuse(named->getExprLoc(), Message::ReducerFunctions, 0);
    return {};
  }
  for (unsigned i : {0, 1}) {
    if (call->getArg(i)->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNotNull)) {
      refuse(call->getArg(i)->getExprLoc(), Message::ReducerNull, i);
      return {};
    }
    EnterExpressionEvaluationContext evaluated(sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
    sema.MarkDeclarationsReferencedInExpr(call->getArg(i));
  }
  Callbacks result = {call->getArg(0), call->getArg(1)};
  resolved[{reducer.attribute, place ? place : function}] = result;
  return result;
}

// Makes the pointer to the view of the reducer at `key`, a pointer.
Expr *ReducerRewriter::lookup(Expr *key, const ReducerType &reducer, const Expr *named) {
  Callbacks functions = callbacks(reducer, named);
  if (!functions.identity)
    return nullptr;
  SourceLocation at = named->getExprLoc();
  ++numLookups;
  if (!lookupFunction)
    lookupFunction = markers.external(
        kLookup, {context.VoidPtrTy, context.getSizeType(), functions.identity->getType(), functions.reduce->getType()},
        context.VoidPtrTy);
  Expr *size = sizeLiteral(context.getTypeSizeInChars(reducer.view).getQuantity(), at);
  Expr *view = markers.callMarker(lookupFunction, {key, size, functions.identity, functions.reduce}, at);
  QualType type = context.getPointerType(reducer.view);
  return ImplicitCastExpr::Create(context, type, CK_BitCast, view, nullptr, VK_PRValue, FPOptionsOverride());
}

Expr *ReducerRewriter::lookupNamed(Expr *named, const ReducerType &reducer) {
  Expr *view = lookup(markers.addressOf(named, named->getExprLoc()), reducer, named);
  if (!view)
    return named;
  return UnaryOperator::Create(context, view, UO_Deref, named->getType(), VK_LValue, OK_Ordinary, named->getExprLoc(),
                               false, FPOptionsOverride());
}

void ReducerRewriter::rewriteChildren(Stmt *parent) {
  for (Stmt *&child : parent->children())
    if (child)
      withEnoughStack([&] { child = rewrite(child); });
}

// Returns true for an operand that is not evaluated, and for what the compiler has evaluated.
static bool isUnevaluated(const Stmt *stmt) {
  if (auto *type = dyn_cast<CXXTypeidExpr>(stmt))
    return type->isTypeOperand() || !type->isPotentiallyEvaluated();
  return isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, ConstantExpr, RequiresExpr, OffsetOfExpr>(stmt);
}

Stmt *ReducerRewriter::rewrite(Stmt *stmt) {
  if (isUnevaluated(stmt))
    return stmt;
  if (auto *loop = dyn_cast<CXXForRangeStmt>(stmt)) {
    references.bindRange(loop);
    references.nameElements(loop);
  }
  if (auto *declarations = dyn_cast<DeclStmt>(stmt))
    rewriteDeclarations(declarations);
  else if (auto *lambda = dyn_cast<LambdaExpr>(stmt))
    rewriteLambda(lambda);
  else if (auto *result = dyn_cast<ReturnStmt>(stmt); result && result->getRetValue())
    result->setRetValue(rewriteSource(function ? function->getReturnType() : QualType(), result->getRetValue()));
  else if (auto *expr = dyn_cast<Expr>(stmt))
    return rewriteExpression(expr);
  else
    rewriteChildren(stmt);
  return stmt;
}

static bool isMemberPointerToReducer(const UnaryOperator *address) {
  auto *ref = dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParens());
  auto *field = ref && address->getOpcode() == UO_AddrOf ? dyn_cast<FieldDecl>(ref->getDecl()) : nullptr;
  return field && containsReducer(field->getType());
}

Expr *ReducerRewriter::rewriteExpression(Expr *expr) {
  if (auto *call = dyn_cast<CallExpr>(expr)) {
    rewriteCall(call);
  } else if (auto *construct = dyn_cast<CXXConstructExpr>(expr)) {
    rewriteConstruct(construct);
  } else if (auto *made = dyn_cast<CXXNewExpr>(expr)) {
    return rewriteNew(made);
  } else if (auto *deleted = dyn_cast<CXXDeleteExpr>(expr)) {
    return rewriteDelete(deleted);
  } else if (auto *assignment = dyn_cast<BinaryOperator>(expr); assignment && assignment->isAssignmentOp()) {
    rewriteAssignment(assignment);
  } else if (auto *member = dyn_cast<MemberExpr>(expr)) {
    rewriteMember(member);
  } else if (auto *argument = dyn_cast<CXXDefaultArgExpr>(expr)) {
    rewriteDefaultArgument(argument->getParam());
  } else if (auto *initial = dyn_cast<CXXDefaultInitExpr>(expr); initial && initial->hasRewrittenInit()) {
    Expr *own = initial->getExpr(), *replaced = rewriteSource(initial->getField()->getType(), own);
    return replaced == own ? expr : replaced; // Sema has made a copy, which the member's declaration does not change
  } else if (auto *address = dyn_cast<UnaryOperator>(expr); address && isMemberPointerToReducer(address)) {
    refuse(expr->getExprLoc(), Message::ReducerMemberPointer, 0);
  } else if (auto *ref = dyn_cast<DeclRefExpr>(expr); ref && references.useOf(ref, function) != ref) {
    return references.useOf(ref, function);
  } else {
    rewriteChildren(expr);
  }
  if (isa<ParenExpr, ImplicitCastExpr>(expr))
    return expr; // the expression below has been rewritten
  if (std::optional<ReducerType> reducer = findNamedReducer(expr))
    return lookupNamed(expr, *reducer);
  return expr;
}

void ReducerRewriter::rewriteMember(MemberExpr *member) {
  Expr *base = member->getBase();
  bool isPointer = member->isArrow() && pointsToReducer(base);
  rewriteChildren(member);
  if (!isPointer)
    return;
  std::optional<ReducerType> reducer = findPointedReducer(base->getType());
  Expr *key = ImplicitCastExpr::Create(context, context.VoidPtrTy, CK_BitCast, member->getBase(), nullptr, VK_PRValue,
                                       FPOptionsOverride());
  if (Expr *view = reducer ? lookup(key, *reducer, base) : nullptr)
    member->setBase(view);
}

// Rewrites what an initializer, an argument or a returned expression has below a reference or pointer to a reducer.
Expr *ReducerRewriter::rewriteSource(QualType target, Expr *source) {
  if (findReferencedReducer(target)) {
    rewriteKey(source, target.getNonReferenceType());
    return source;
  }
  references.checkPointer(target, source);
  references.checkArray(target, source);
  return cast<Expr>(rewrite(source));
}

// The expression must name a reducer. Its operands are rewritten, but not the name itself.
void ReducerRewriter::rewriteKey(Expr *expr, QualType target) {
  if (auto *argument = dyn_cast<CXXDefaultArgExpr>(expr))
    return rewriteDefaultArgument(argument->getParam());
  if (isa<CXXDefaultInitExpr>(expr))
    return; // rewritten where the member is declared
  Expr *named = expr->IgnoreParens();
  while (isa<ImplicitCastExpr, ExprWithCleanups, MaterializeTemporaryExpr>(named))
    named = cast<Expr>(*named->child_begin())->IgnoreParens();
  if (!findNamedReducer(named)) {
    if (reported.insert(expr->getExprLoc()).second)
      report(sema.getDiagnostics(), expr->getExprLoc(), Message::ReducerReference) << target.getCanonicalType();
    return;
  }
  if (auto *call = dyn_cast<CallExpr>(named))
    rewriteCall(call);
  else if (auto *member = dyn_cast<MemberExpr>(named))
    rewriteMember(member);
  else
    rewriteChildren(named);
}

void ReducerRewriter::rewriteCall(CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  StringRef name = callee && callee->getIdentifier() ? callee->getName() : StringRef();
  bool takesKey = name == kLookup || name.starts_with("__cilkrts_reducer_") || isBuiltinAddress(call);
  auto *type = call->getCallee()->getType()->getAs<PointerType>();
  auto *prototype = type ? type->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  bool isOperator = isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(callee);
  if (Stmt *pointer = call->getCallee())
    call->setCallee(cast<Expr>(rewrite(pointer)));
  for (unsigned i = 0; i != call->getNumArgs(); ++i) {
    Expr *argument = call->getArg(i);
    unsigned number = i - isOperator; // the object is the first operand of a member operator
    QualType target;
    if (callee && number < callee->getNumParams())
      target = callee->getParamDecl(number)->getType();
    else if (prototype && number < prototype->getNumParams())
      target = prototype->getParamType(number);
    if (takesKey && i == 0) {
      Expr *key = argument->IgnoreParenCasts();
      auto *address = dyn_cast<UnaryOperator>(key);
      Expr *named = address && address->getOpcode() == UO_AddrOf ? address->getSubExpr() : key;
      rewriteChildren(named->IgnoreParens());
    } else {
      call->setArg(i, rewriteSource(target, argument));
    }
  }
}

void ReducerRewriter::rewriteConstruct(CXXConstructExpr *construct) {
  const CXXConstructorDecl *callee = construct->getConstructor();
  for (unsigned i = 0; i != construct->getNumArgs(); ++i) {
    QualType target = i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : QualType();
    construct->setArg(i, rewriteSource(target, construct->getArg(i)));
  }
}

// Refuses a value that is a spawn's result.
void ReducerRewriter::refuseSpawn(const Expr *value) {
  while (isa<ParenExpr, CastExpr, ExprWithCleanups>(value))
    value = cast<Expr>(*value->child_begin());
  if (auto *spawn = dyn_cast<UnaryOperator>(value); spawn && keywords.isSpawn(spawn))
    refuse(spawn->getExprLoc(), Message::ReducerSpawn, 0);
}

void ReducerRewriter::rewriteAssignment(BinaryOperator *assignment) {
  if (findNamedReducer(assignment->getLHS()))
    refuseSpawn(assignment->getRHS());
  if (assignment->getOpcode() == BO_Assign)
    references.checkPointer(assignment->getLHS()->getType(), assignment->getRHS());
  rewriteChildren(assignment);
}

void ReducerRewriter::rewriteLambda(LambdaExpr *lambda) {
  for (auto [capture, init] : llvm::zip(lambda->captures(), lambda->capture_inits())) {
    if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByCopy && !lambda->isInitCapture(&capture) &&
        containsReducer(capture.getCapturedVar()->getType()))
      refuse(capture.getLocation(), Message::ReducerPlace, 4);
    bool isKey =
        capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef && !lambda->isInitCapture(&capture);
    if (init && !isKey)
      init = cast<Expr>(rewrite(init));
  }
  if (!lambda->getCallOperator()->isDependentContext())
    rewriteFunction(lambda->getCallOperator());
}

// Returns true if the pointer's type is deduced and the pointer is a reducer's address.
static bool isDeducedPointer(const VarDecl *variable) {
  const Expr *init = variable->getInit();
  QualType type = variable->getType();
  return init && type->getContainedAutoType() && type->isPointerType() && !findPointedReducer(type) &&
         pointsToReducer(init);
}

// Rewrites the initializer. Returns a variable whose initializer registers the reducers in `variable`, or null.
VarDecl *ReducerRewriter::rewriteLocal(VarDecl *variable) {
  if (auto *bindings = dyn_cast<DecompositionDecl>(variable))
    references.nameBindings(bindings);
  if (isDeducedPointer(variable)) {
    if (reported.insert(variable->getLocation()).second)
      report(sema.getDiagnostics(), variable->getLocation(), Message::ReducerAuto) << variable;
  } else if (Expr *init = variable->getInit(); init && references.checkOutlived(variable)) {
    unsigned before = numLookups;
    // The hidden variables of a range-based `for` refer to the array itself.
    Expr *replaced = variable->isImplicit() ? cast<Expr>(rewrite(init)) : rewriteSource(variable->getType(), init);
    if (replaced != init || numLookups != before || references.leads(variable))
      variable->setInit(replaced); // also forgets the constant that Clang has found
    if (findReducer(variable->getType()))
      refuseSpawn(init);
  }
  QualType type = variable->getType();
  if (!variable->hasLocalStorage() || !containsReducer(type) || !done.insert(variable).second)
    return nullptr;
  SourceLocation at = variable->getLocation();
  Expr *registered = registerCall(type, reference(variable, type));
  if (!registered)
    return nullptr;
  addCleanup(variable);
  QualType token = context.IntTy;
  auto *next = VarDecl::Create(context, variable->getDeclContext(), at, at, nullptr, token,
                               context.getTrivialTypeSourceInfo(token, at), SC_None);
  next->setImplicit();
  next->setIsUsed();
  Expr *zero = IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(token), 0), token, at);
  next->setInit(BinaryOperator::Create(context, registered, zero, BO_Comma, token, VK_PRValue, OK_Ordinary, at,
                                       FPOptionsOverride()));
  return next;
}

void ReducerRewriter::rewriteDeclarations(DeclStmt *statement) {
  SmallVector<Decl *, 4> all;
  for (Decl *decl : statement->decls()) {
    all.push_back(decl);
    if (auto *variable = dyn_cast<VarDecl>(decl))
      if (VarDecl *next = rewriteLocal(variable))
        all.push_back(next);
  }
  if (!statement->isSingleDecl() || all.size() > 1)
    statement->setDeclGroup(DeclGroupRef::Create(context, all.data(), all.size()));
}

void ReducerRewriter::useFunctions(const ReducerType &reducer) {
  auto *call = dyn_cast_or_null<CallExpr>(reducer.call());
  if (!call)
    return;
  for (Expr *argument : call->arguments())
    if (auto *ref = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts()))
      ref->getDecl()->setIsUsed();
}

// A call has the default argument of its parameter, so the lookup stands in the parameter's declaration.
void ReducerRewriter::rewriteDefaultArgument(ParmVarDecl *parameter) {
  if (!parameter->hasDefaultArg() || parameter->hasUninstantiatedDefaultArg() || parameter->hasUnparsedDefaultArg() ||
      !done.insert(parameter).second)
    return;
  parameter->setDefaultArg(rewriteSource(parameter->getType(), parameter->getDefaultArg()));
}

// Rewrites what a constructor initializes bases and members with.
void ReducerRewriter::rewriteInitializers(CXXConstructorDecl *constructor) {
  for (CXXCtorInitializer *&init : llvm::make_range(constructor->init_begin(), constructor->init_end())) {
    Expr *value = init->getInit();
    if (!value)
      continue;
    FieldDecl *member = init->getMember();
    Expr *replaced = member ? rewriteSource(member->getType(), value) : cast<Expr>(rewrite(value));
    if (replaced == value)
      continue;
    if (!member) {
      refuse(value->getExprLoc(), Message::ReducerMember, 0);
      continue;
    }
    auto *made = new (context) CXXCtorInitializer(context, member, init->getMemberLocation(), init->getLParenLoc(),
                                                  replaced, init->getRParenLoc());
    if (init->isWritten())
      made->setSourceOrder(init->getSourceOrder());
    init = made;
  }
}

void ReducerRewriter::rewriteFunction(FunctionDecl *next) {
  if (elides || next->isInvalidDecl() || next->isDependentContext() || !next->doesThisDeclarationHaveABody() ||
      !done.insert(next).second)
    return;
  FunctionDecl *outer = std::exchange(function, next);
  for (ParmVarDecl *parameter : next->parameters())
    rewriteDefaultArgument(parameter);
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(next))
    rewriteInitializers(constructor);
  if (Stmt *body = next->getBody())
    rewrite(body);
  function = outer;
}

void ReducerRewriter::rewriteVariable(VarDecl *variable) {
  Expr *init = variable->getInit();
  if (elides || !init || variable->isInvalidDecl() || variable->getDeclContext()->isDependentContext() ||
      init->isInstantiationDependent() || !done.insert(variable).second || !references.checkOutlived(variable))
    return;
  if (auto *bindings = dyn_cast<DecompositionDecl>(variable))
    references.nameBindings(bindings);
  Expr *replaced = rewriteSource(variable->getType(), init);
  if (replaced != init)
    variable->setInit(replaced);
}

void ReducerRewriter::rewriteField(FieldDecl *field) {
  if (elides || !field->hasInClassInitializer() || field->getParent()->isDependentContext() ||
      !done.insert(field).second)
    return;
  Expr *init = field->getInClassInitializer();
  Expr *replaced = init ? rewriteSource(field->getType(), init) : nullptr;
  if (replaced != init)
    field->setInClassInitializer(replaced);
}

} // namespace cilk2gpu
