// Builds the wrapper. The operands of the call become its parameters: temporaries and values by value, other objects by
// reference. The call moves into the wrapper, where the parameters replace its operands.
#include "SpawnWrapper.h"
#include "Frontend/Checks/SpawnTemporaries.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace cilk2gpu {

namespace {
class WrapperBuilder {
public:
  WrapperBuilder(const SpawnSite &site, Sema &sema)
      : context(sema.Context), sema(sema), at(site.call()->getExprLoc()) {}

  CallExpr *build(CallExpr *call, MemberExpr *member, unsigned number, Expr *sync);

private:
  Expr *pass(Expr *operand);
  Expr *bitCast(Expr *pointer, QualType type) {
    return ImplicitCastExpr::Create(context, type, CK_BitCast, pointer, nullptr, VK_PRValue, FPOptionsOverride());
  }
  FunctionDecl *declare(CallExpr *call, unsigned number);
  Expr *reference(ValueDecl *decl, QualType type, ExprValueKind kind) {
    return DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), decl, false, at, type, kind);
  }

  ASTContext &context;
  Sema &sema;
  SourceLocation at;
  SmallVector<Expr *, 4> arguments; ///< arguments of the call of the wrapper
  SmallVector<ParmVarDecl *, 4> parameters;
};
} // namespace

// Adds a parameter for the operand and returns the operand's replacement inside of the wrapper.
Expr *WrapperBuilder::pass(Expr *operand) {
  MaterializeTemporaryExpr *temporary = ownedTemporary(operand, context);
  Expr *value = temporary ? temporary->getSubExpr() : operand;
  QualType type = value->getType().getUnqualifiedType();
  // For a pointer to an array of variable size, the wrapper does not know the size, and the call does not need it.
  bool isVariable = type->isPointerType() && type->isVariablyModifiedType();
  if (isVariable && value->isPRValue())
    value = bitCast(value, context.VoidPtrTy);
  QualType passed =
      value->isGLValue() ? context.getLValueReferenceType(value->getType()) : value->getType().getUnqualifiedType();
  auto *parameter = ParmVarDecl::Create(context, context.getTranslationUnitDecl(), at, at, nullptr, passed,
                                        context.getTrivialTypeSourceInfo(passed, at), SC_None, nullptr);
  parameter->setImplicit();
  parameter->setIsUsed();
  arguments.push_back(value);
  parameters.push_back(parameter);
  Expr *inside = reference(parameter, value->isGLValue() ? value->getType() : passed, VK_LValue);
  if (!temporary) {
    if (value->isGLValue())
      return inside;
    inside =
        ImplicitCastExpr::Create(context, passed, CK_LValueToRValue, inside, nullptr, VK_PRValue, FPOptionsOverride());
    return isVariable ? bitCast(inside, type) : inside;
  }
  auto *cast = dyn_cast<ImplicitCastExpr>(operand);
  if (!cast)
    return inside;
  while (auto *next = dyn_cast<ImplicitCastExpr>(cast->getSubExpr()))
    cast = next;
  cast->setSubExpr(inside);
  return operand;
}

// Returns true for an argument that stays in the call. It is a string literal, because GPU compilers look there for the
// format string of a printf, or a constant argument of a builtin, because some builtins take only constants.
static bool staysInCall(const Expr *argument, const CallExpr *call, const ASTContext &context) {
  const FunctionDecl *callee = call->getDirectCallee();
  return argument->isPRValue() && (isa<StringLiteral, PredefinedExpr>(argument->IgnoreParenImpCasts()) ||
                                   (isTrueBuiltin(callee, context) && argument->isEvaluatable(context)));
}

FunctionDecl *WrapperBuilder::declare(CallExpr *call, unsigned number) {
  QualType result = call->isLValue()   ? context.getLValueReferenceType(call->getType())
                    : call->isXValue() ? context.getRValueReferenceType(call->getType())
                                       : call->getType();
  SmallVector<QualType, 4> types;
  for (ParmVarDecl *parameter : parameters)
    types.push_back(parameter->getType());
  QualType type = context.getFunctionType(result, types, FunctionProtoType::ExtProtoInfo());
  std::string name = "cilk_spawn.call" + std::to_string(number);
  auto *function = FunctionDecl::Create(context, context.getTranslationUnitDecl(), at, at,
                                        DeclarationName(&context.Idents.get(name)), type,
                                        context.getTrivialTypeSourceInfo(type, at), SC_Static);
  function->setImplicit();
  function->setIsUsed();
  for (ParmVarDecl *parameter : parameters)
    parameter->setDeclContext(function);
  function->setParams(parameters);
  return function;
}

CallExpr *WrapperBuilder::build(CallExpr *call, MemberExpr *member, unsigned number, Expr *sync) {
  if (member)
    member->setBase(pass(member->getBase()));
  for (unsigned i = 0; i != call->getNumArgs(); ++i)
    if (!staysInCall(call->getArg(i), call, context))
      call->setArg(i, pass(call->getArg(i)));
  FunctionDecl *function = declare(call, number);
  Stmt *last = call;
  if (!call->getType()->isVoidType())
    last = ReturnStmt::Create(context, at, call, nullptr);
  function->setBody(CompoundStmt::Create(context, {sync, last}, FPOptionsOverride(), at, at));
  sema.Consumer.HandleTopLevelDecl(DeclGroupRef(function));
  Expr *callee = reference(function, function->getType(), VK_LValue);
  callee = ImplicitCastExpr::Create(context, context.getPointerType(function->getType()), CK_FunctionToPointerDecay,
                                    callee, nullptr, VK_PRValue, FPOptionsOverride());
  return CallExpr::Create(context, callee, arguments, call->getType(), call->getValueKind(), at, FPOptionsOverride());
}

void wrapCall(const SpawnSite &site, unsigned number, Expr *sync, Sema &sema) {
  CallExpr *call = WrapperBuilder(site, sema).build(site.call(), site.member(), number, sync);
  if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(site.spawn->getSubExpr()->IgnoreParens()))
    bind->setSubExpr(call); // a result with a destructor
  else
    site.spawn->setSubExpr(call);
}

} // namespace cilk2gpu
