// Recognises the legal positions of a spawn in Clang's AST and checks callee, arguments and result. A site that passes
// the checks can be rewritten. Code in which Sema found errors is never examined.
#include "SpawnSite.h"
#include "Diagnostics.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace cilk2gpu {

MemberExpr *SpawnSite::member() const {
  auto *member = dyn_cast<MemberExpr>(call()->getCallee()->IgnoreParens());
  return member && isa<CXXMemberCallExpr>(call()) ? member : nullptr;
}

const Expr *SpawnSite::object() const {
  if (const MemberExpr *called = member())
    return called->getBase();
  auto *access = dyn_cast<BinaryOperator>(call()->getCallee()->IgnoreParens());
  return access && access->isPtrMemOp() ? access->getLHS() : nullptr;
}

bool isClassValue(const Expr *argument, const ASTContext &context) {
  QualType type = argument->getType();
  return argument->isPRValue() && type->isRecordType() && !type.isTriviallyCopyableType(context);
}

bool SpawnSite::hasClassArgument(const ASTContext &context) const {
  return llvm::any_of(call()->arguments(), [&](const Expr *argument) { return isClassValue(argument, context); });
}

QualType SpawnSite::resultType() const {
  if (variable)
    return variable->getType().getUnqualifiedType();
  return destination ? destination->getType().getUnqualifiedType() : QualType();
}

static bool isTrivialCopy(const CXXConstructExpr *construct) {
  const CXXConstructorDecl *constructor = construct->getConstructor();
  return construct->getNumArgs() == 1 && constructor->isCopyOrMoveConstructor() &&
         (constructor->isTrivial() ||
          (construct->isElidable() && constructor->getASTContext().getLangOpts().ElideConstructors));
}

// Returns true if the constructor makes an object from one value and evaluates nothing else.
static bool isConversion(const CXXConstructExpr *construct) {
  return construct->getNumArgs() != 0 &&
         llvm::all_of(llvm::drop_begin(construct->arguments()),
                      [](const Expr *argument) { return isa<CXXDefaultArgExpr>(argument); });
}

// Returns the call of a conversion function that converts an object, else null.
static CallExpr *asConversionCall(Expr *expr) {
  auto *cast = dyn_cast<CastExpr>(expr);
  if (!cast || cast->getCastKind() != CK_UserDefinedConversion)
    return nullptr;
  Expr *operand = cast->getSubExpr();
  if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(operand)) // the result has a destructor
    operand = bind->getSubExpr();
  auto *call = dyn_cast<CallExpr>(operand);
  return call && isa_and_nonnull<CXXConversionDecl>(call->getDirectCallee()) ? call : nullptr;
}

// Returns true if the cast neither calls a library function nor evaluates the size of an array.
static bool isPlainCast(const CastExpr *cast) {
  return cast->getCastKind() != CK_ToVoid && cast->getCastKind() != CK_Dynamic &&
         (isa<ImplicitCastExpr>(cast) || !cast->getType()->isVariablyModifiedType());
}

// Looks through expressions around a call's result that have no other operands: conversions, and copies in C++. A
// conversion may be implicit or explicit, built-in or of a class. Sets site.value to the outermost expression that a
// built-in assignment can take. Sets site.conversion to the outermost expression that a class makes from that value.
static bool findSpawn(Expr *expr, SpawnSite &site, const Keywords &keywords) {
  site.value = nullptr;
  site.conversion = nullptr;
  site.converter = nullptr;
  Expr *copy = nullptr, *converted = nullptr; // a copy and a conversion of a conversion function's result
  while (expr) {
    if (auto *cleanups = dyn_cast<ExprWithCleanups>(expr)) {
      site.hasCleanups |= cleanups->cleanupsHaveSideEffects();
      expr = cleanups->getSubExpr();
    } else if (auto *construct = dyn_cast<CXXConstructExpr>(expr); construct && isTrivialCopy(construct)) {
      copy = copy ? copy : construct;
      site.value = nullptr;
      expr = construct->getArg(0);
    } else if (auto *construct = dyn_cast<CXXConstructExpr>(expr); construct && isConversion(construct)) {
      site.conversion = site.conversion ? site.conversion : construct;
      expr = construct->getArg(0);
    } else if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr)) {
      site.value = nullptr;
      expr = temporary->getSubExpr();
    } else if (auto *list = dyn_cast<InitListExpr>(expr);
               list && list->getNumInits() == 1 && !list->getType()->isAggregateType()) {
      expr = list->getInit(0);
    } else {
      if (!site.value)
        site.value = expr;
      if (auto *op = dyn_cast<UnaryOperator>(expr)) {
        site.spawn = keywords.isSpawn(op) ? op : nullptr;
        site.value = converted ? converted : site.value;
        return site.spawn;
      }
      if (auto *paren = dyn_cast<ParenExpr>(expr))
        expr = paren->getSubExpr();
      else if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(expr))
        expr = bind->getSubExpr();
      else if (CallExpr *call = asConversionCall(expr)) {
        bool isCopied =
            copy && (expr->isGLValue() || !ASTContext::hasSameUnqualifiedType(copy->getType(), expr->getType()));
        site.conversion = site.conversion ? site.conversion : isCopied ? copy : expr;
        site.converter = cast<CXXMethodDecl>(call->getDirectCallee());
        converted = converted ? converted : site.value;
        auto *member = dyn_cast<CXXMemberCallExpr>(call);
        expr = member ? member->getImplicitObjectArgument() : call->getArg(0);
      } else if (auto *cast = dyn_cast<CastExpr>(expr); cast && isPlainCast(cast))
        expr = cast->getSubExpr();
      else
        return false;
    }
  }
  return false;
}

// Returns true if the integer type has atomic operations, and a value can be added to it without rounding.
static bool canUpdate(QualType type, QualType value, const ASTContext &context) {
  type = type.getAtomicUnqualifiedType();
  return type->isIntegralOrUnscopedEnumerationType() && !type->isBooleanType() && !type->isBitIntType() &&
         context.getTypeSize(type) <= 64 && value->isIntegralOrUnscopedEnumerationType();
}

CharUnits alignmentOf(const Expr *object, const ASTContext &context) {
  object = object->IgnoreParens();
  if (auto *cast = dyn_cast<ImplicitCastExpr>(object);
      cast && cast->getSubExpr()->isGLValue() && (cast->isGLValue() || cast->getCastKind() == CK_ArrayToPointerDecay))
    return alignmentOf(cast->getSubExpr(), context);
  if (auto *ref = dyn_cast<DeclRefExpr>(object); ref && !ref->getDecl()->getType()->isReferenceType())
    return context.getDeclAlign(ref->getDecl(), /*ForAlignof=*/true);
  if (auto *element = dyn_cast<ArraySubscriptExpr>(object)) {
    const Expr *base = element->getBase()->IgnoreParens();
    auto *decay = dyn_cast<ImplicitCastExpr>(base);
    CharUnits size = context.getTypeSizeInChars(element->getType());
    if (decay && decay->getCastKind() == CK_ArrayToPointerDecay)
      return alignmentOf(decay->getSubExpr(), context).alignmentAtOffset(size);
  }
  auto *member = dyn_cast<MemberExpr>(object);
  auto *field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  bool hasPlace = field && !field->getType()->isReferenceType() && !field->getParent()->isInvalidDecl();
  if (!hasPlace)
    return context.getTypeAlignInChars(object->getType());
  const Expr *base = member->getBase();
  CharUnits whole =
      member->isArrow() ? context.getTypeAlignInChars(base->getType()->getPointeeType()) : alignmentOf(base, context);
  return whole.alignmentAtOffset(context.toCharUnitsFromBits(context.getFieldOffset(field)));
}

std::optional<AtomicExpr::AtomicOp> updateOperation(const BinaryOperator *assign, const ASTContext &context) {
  const Expr *object = assign->getLHS();
  if (!canUpdate(object->getType(), assign->getRHS()->getType(), context) ||
      alignmentOf(object, context) < context.getTypeSizeInChars(object->getType()))
    return std::nullopt;
  switch (assign->getOpcode()) {
  case BO_AddAssign:
  case BO_SubAssign:
    return AtomicExpr::AO__atomic_fetch_add;
  case BO_AndAssign:
    return AtomicExpr::AO__atomic_fetch_and;
  case BO_OrAssign:
    return AtomicExpr::AO__atomic_fetch_or;
  case BO_XorAssign:
    return AtomicExpr::AO__atomic_fetch_xor;
  default:
    return std::nullopt;
  }
}

static bool matchAssignment(Expr *expr, SpawnSite &site, const Keywords &keywords, const ASTContext &context) {
  if (auto *assign = dyn_cast<BinaryOperator>(expr)) {
    bool isUpdate = updateOperation(assign, context).has_value();
    if ((assign->getOpcode() != BO_Assign && !isUpdate) || !findSpawn(assign->getRHS(), site, keywords))
      return false;
    site.destination = assign->getLHS();
    (isUpdate ? site.update : site.assignment) = assign;
    site.whole = assign;
    return true;
  }
  // C++ calls operator= for every class. A trivial operator= is a plain copy. The child calls every other operator=,
  // and operators such as operator+=, with the object that it makes of the result.
  auto *call = dyn_cast<CXXOperatorCallExpr>(expr);
  if (!call || !call->isAssignmentOp() || call->getNumArgs() != 2 || !findSpawn(call->getArg(1), site, keywords))
    return false;
  site.destination = call->getArg(0);
  site.whole = call;
  auto *method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
  if (!method)
    return false;
  bool isPlain = call->getOperator() == OO_Equal && !site.conversion &&
                 ASTContext::hasSameUnqualifiedType(site.destination->getType(), site.value->getType()) &&
                 method->isTrivial() && site.value->getType().isTriviallyCopyableType(method->getASTContext());
  if (!isPlain)
    site.operation = call;
  return true;
}

BinaryOperator *asSequence(Expr *expr) {
  if (auto *cleanups = dyn_cast<ExprWithCleanups>(expr))
    expr = cleanups->getSubExpr();
  while (auto *paren = dyn_cast<ParenExpr>(expr)) // a fold expression has them
    expr = paren->getSubExpr();
  auto *comma = dyn_cast<BinaryOperator>(expr);
  return comma && comma->getOpcode() == BO_Comma ? comma : nullptr;
}

SpawnSite matchStatement(Expr *expr, const Keywords &keywords, const ASTContext &context) {
  SpawnSite site;
  for (;;) {
    if (auto *cleanups = dyn_cast<ExprWithCleanups>(expr)) {
      site.hasCleanups |= cleanups->cleanupsHaveSideEffects();
      expr = cleanups->getSubExpr();
    } else if (auto *paren = dyn_cast<ParenExpr>(expr)) {
      expr = paren->getSubExpr();
    } else if (auto *cast = dyn_cast<CastExpr>(expr); cast && cast->getCastKind() == CK_ToVoid) {
      expr = cast->getSubExpr();
    } else {
      break;
    }
  }
  if (matchAssignment(expr, site, keywords, context))
    return site;
  site.destination = nullptr;
  site.assignment = nullptr;
  site.operation = nullptr;
  site.spawn = nullptr;
  return findSpawn(expr, site, keywords) && !site.conversion ? site : SpawnSite();
}

// Returns true if a binding of `auto [a, b]` may read the object at its declaration. A `get` function of the program
// may read it. A `get` function of the library returns a reference to an element.
static bool hasReadingBinding(const VarDecl *variable) {
  auto *decomposition = dyn_cast<DecompositionDecl>(variable);
  return decomposition && llvm::any_of(decomposition->flat_bindings(), [](const BindingDecl *binding) {
           const VarDecl *holder = binding->getHoldingVar();
           auto *call =
               holder && holder->getInit() ? dyn_cast<CallExpr>(holder->getInit()->IgnoreParenImpCasts()) : nullptr;
           const FunctionDecl *getter = call && call->isGLValue() ? call->getDirectCallee() : nullptr;
           return holder && !(getter && getter->isInStdNamespace());
         });
}

SpawnSite matchInitializer(VarDecl *variable, const Keywords &keywords) {
  SpawnSite site;
  if (!variable->hasLocalStorage() || variable->getType()->isReferenceType() || hasReadingBinding(variable) ||
      !findSpawn(variable->getInit(), site, keywords))
    return SpawnSite();
  QualType type = variable->getType()->isAtomicType()                             ? variable->getType()
                  : site.conversion && site.conversion->getType()->isRecordType() ? site.conversion->getType()
                                                                                  : site.value->getType();
  if (!ASTContext::hasSameUnqualifiedType(variable->getType(), type))
    return SpawnSite();
  site.variable = variable;
  return site;
}

SpawnSite matchReturned(Expr *value, const Keywords &keywords) {
  SpawnSite site;
  return findSpawn(value, site, keywords) ? site : SpawnSite();
}

bool isIndirect(const CallExpr *call) {
  return !call->getDirectCallee() || !isa<DeclRefExpr, MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
}

// Checks the type of a pointer. It may point to any function that has a prototype and is not variadic. A builtin is
// allowed, too, because CodeGen treats it specially only in a call by name.
static bool checkPointer(const SpawnSite &site, ASTContext &context) {
  QualType type = site.call()->getCallee()->IgnoreParens()->getType();
  if (type->isSpecificPlaceholderType(BuiltinType::BoundMember))
    type = Expr::findBoundMemberType(site.call()->getCallee()->IgnoreParens());
  else if (const auto *pointer = type->getAs<PointerType>())
    type = pointer->getPointeeType();
  auto *prototype = type->getAs<FunctionProtoType>();
  if (prototype && !prototype->isVariadic())
    return true;
  report(context.getDiagnostics(), site.spawn->getOperatorLoc(), Message::Pointer) << !prototype;
  return false;
}

bool isTrueBuiltin(const FunctionDecl *callee, const ASTContext &context) {
  unsigned id = callee->getBuiltinID();
  if (!id)
    return false;
  const Builtin::Context &builtins = context.BuiltinInfo;
  bool isFunction = builtins.isPredefinedLibFunction(id) && !builtins.isInStdNamespace(id);
  return !isFunction || callee->hasAttr<ReturnsTwiceAttr>() || id == Builtin::BIalloca || id == Builtin::BI_alloca ||
         id == Builtin::BIlongjmp || id == Builtin::BI_longjmp || id == Builtin::BIsiglongjmp;
}

// Returns true if a wrapper function can call the builtin: it does not use the frame of the function that calls it, and
// it returns.
static bool canWrapBuiltin(const CallExpr *call, const ASTContext &context) {
  const FunctionDecl *callee = call->getDirectCallee();
  switch (unsigned id = callee->getBuiltinID()) {
  case Builtin::BIalloca:
  case Builtin::BI_alloca:
  case Builtin::BI__builtin_alloca:
  case Builtin::BI__builtin_alloca_uninitialized:
  case Builtin::BI__builtin_alloca_with_align:
  case Builtin::BI__builtin_alloca_with_align_uninitialized:
  case Builtin::BI__builtin_frame_address:
  case Builtin::BI__builtin_return_address:
  case Builtin::BI__builtin_dwarf_cfa:
  case Builtin::BI__builtin_unreachable:
    return false;
  default:
    return context.BuiltinInfo.getName(id).starts_with("__") && !callee->isNoReturn() &&
           !callee->hasAttr<ReturnsTwiceAttr>() && !context.BuiltinInfo.isInStdNamespace(id) &&
           !context.BuiltinInfo.isUnevaluated(id) && !StringRef(context.BuiltinInfo.getName(id)).contains("_va_") &&
           !StringRef(context.BuiltinInfo.getName(id)).contains("jmp") &&
           llvm::all_of(call->arguments(), [&](const Expr *argument) {
             return argument->isGLValue() || argument->getType().isTriviallyCopyableType(context);
           });
  }
}

// Returns true if the callee is declared noreturn. CodeGen emits no code behind its call, so the child would have no
// end.
static bool neverReturns(const CallExpr *call) {
  if (const FunctionDecl *callee = call->getDirectCallee(); callee && callee->isNoReturn())
    return true;
  const auto *pointer = call->getCallee()->getType()->getAs<PointerType>();
  const auto *type = pointer ? pointer->getPointeeType()->getAs<FunctionType>() : nullptr;
  return type && type->getNoReturnAttr();
}

// Returns true if the callee can be spawned.
static bool checkCallee(const SpawnSite &site, ASTContext &context, const Keywords &keywords) {
  DiagnosticsEngine &diags = context.getDiagnostics();
  SourceLocation at = site.spawn->getOperatorLoc();
  const CallExpr *call = site.call();
  if (!call) {
    report(diags, at, Message::NotACall) << site.spawn->getType() << keywords.spawnSpelling();
    return false;
  }
  auto *op = dyn_cast<CXXOperatorCallExpr>(call);
  if ((op && op->getOperator() != OO_Call) || isa<UserDefinedLiteral>(call)) {
    report(diags, at, Message::Operator);
    return false;
  }
  const FunctionDecl *callee = call->getDirectCallee();
  if (neverReturns(call) && !(callee && isTrueBuiltin(callee, context))) {
    report(diags, at, Message::NoReturn) << keywords.spawnSpelling();
    return false;
  }
  if (isIndirect(call))
    return checkPointer(site, context);
  if (isa<CXXDestructorDecl>(callee)) {
    report(diags, at, Message::Destructor) << callee;
    return false;
  }
  if (isTrueBuiltin(callee, context) && !canWrapBuiltin(call, context)) {
    report(diags, at, Message::Builtin) << callee;
    return false;
  }
  const FunctionDecl *definition = callee->getDefinition();
  if (callee->getType()->isFunctionNoProtoType() &&
      (call->getNumArgs() != 0 || !definition || definition->getNumParams() != 0)) {
    report(diags, at, Message::NoPrototype) << callee;
    return false;
  }
  return true;
}

static bool isNamedRegister(const Expr *destination) {
  auto *ref = dyn_cast<DeclRefExpr>(destination->IgnoreParens());
  auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable && variable->getStorageClass() == SC_Register && variable->hasAttr<AsmLabelAttr>();
}

// Returns true if CodeGen calls a library function to write the atomic object.
static bool needsLibrary(const SpawnSite &site, const ASTContext &context) {
  QualType type = site.resultType();
  if (type.isNull() || !type->isAtomicType())
    return false;
  CharUnits alignment = site.destination ? alignmentOf(site.destination, context) : context.getDeclAlign(site.variable);
  return !context.getTargetInfo().hasBuiltinAtomic(context.getTypeSize(type), context.toBits(alignment));
}

static bool checkResult(const SpawnSite &site, ASTContext &context, DiagnosticsEngine &diags) {
  // A virtual operator= is called through a pointer, and the lowering could not distinguish its call from the spawned
  // call.
  if (auto *method = site.operation ? cast<CXXMethodDecl>(site.operation->getDirectCallee()) : nullptr;
      method && method->isVirtual()) {
    report(diags, site.spawn->getOperatorLoc(), Message::VirtualAssignment) << site.destination->getType();
    return false;
  }
  if (site.converter && site.converter->isVirtual()) {
    report(diags, site.spawn->getOperatorLoc(), Message::VirtualConversion) << site.converter;
    return false;
  }
  if (needsLibrary(site, context)) {
    SourceLocation at = site.destination ? site.destination->getBeginLoc() : site.variable->getLocation();
    report(diags, at, Message::BadDestination) << 3;
    return false;
  }
  if (!site.destination)
    return true;
  int problem = site.destination->getObjectKind() != OK_Ordinary                   ? 0
                : isNamedRegister(site.destination)                                ? 1
                : site.destination->getType().getAddressSpace() != LangAS::Default ? 2
                                                                                   : -1;
  if (problem < 0)
    return true;
  report(diags, site.destination->getBeginLoc(), Message::BadDestination) << problem;
  return false;
}

bool checkSite(const SpawnSite &site, ASTContext &context, const Keywords &keywords) {
  return checkCallee(site, context, keywords) && checkResult(site, context, context.getDiagnostics());
}

} // namespace cilk2gpu
