// Builds the PseudoObjectExpr that replaces a spawn. Its opaque values are bound: CodeGen evaluates them in order, each
// once, before the begin marker. There are three exceptions:
// - Objects made only for the child, and everything evaluated after them, stay in the call (Markers.h). The parent's
//   part ends with the last argument before them. If the destination is evaluated after them, it is evaluated behind
//   the begin marker, too.
// - For an aggregate passed by value, only the address of its source is bound, because an opaque value of class type is
//   an alias, not a copy. So the call copies the aggregate, between the begin marker and the call.
// - If code that is evaluated later may change the source of an aggregate, a copy is made at once and bound instead.
#include "Frontend/Checks/SpawnTemporaries.h"
#include "Frontend/Checks/TemporaryEscape.h"
#include "SpawnRewrite.h"
#include "SpawnWrapper.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/PedigreeMarks.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2gpu {

FunctionDecl *MarkerBuilder::external(StringRef name, ArrayRef<QualType> parameters, QualType result) {
  DeclContext *owner = context.getTranslationUnitDecl();
  if (context.getLangOpts().CPlusPlus)
    owner = LinkageSpecDecl::Create(context, owner, SourceLocation(), SourceLocation(), LinkageSpecLanguageIDs::C,
                                    /*HasBraces=*/false);
  QualType type = context.getFunctionType(result, parameters, FunctionProtoType::ExtProtoInfo());
  auto *function = FunctionDecl::Create(context, owner, SourceLocation(), SourceLocation(),
                                        DeclarationName(&context.Idents.get(name)), type, nullptr, SC_Extern);
  SmallVector<ParmVarDecl *, 2> decls;
  for (QualType parameter : parameters)
    decls.push_back(ParmVarDecl::Create(context, function, SourceLocation(), SourceLocation(), nullptr, parameter,
                                        nullptr, SC_None, nullptr));
  function->setParams(decls);
  function->setImplicit();
  function->addAttr(NoThrowAttr::CreateImplicit(context));
  return function;
}

FunctionDecl *MarkerBuilder::marker(const char *name, ArrayRef<QualType> parameters, QualType result) {
  FunctionDecl *function = external(name, parameters, result.isNull() ? context.VoidTy : result);
  function->addAttr(NoDuplicateAttr::CreateImplicit(context));
  function->addAttr(NoMergeAttr::CreateImplicit(context));
  function->addAttr(ConvergentAttr::CreateImplicit(context));
  function->addAttr(NoInlineAttr::CreateImplicit(context));
  return function;
}

Expr *MarkerBuilder::callMarker(FunctionDecl *callee, ArrayRef<Expr *> arguments, SourceLocation at) {
  QualType type = callee->getType();
  Expr *ref = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), callee, false, at, type,
                                  context.getLangOpts().CPlusPlus ? VK_LValue : VK_PRValue);
  Expr *pointer = ImplicitCastExpr::Create(context, context.getPointerType(type), CK_FunctionToPointerDecay, ref,
                                           nullptr, VK_PRValue, FPOptionsOverride());
  return CallExpr::Create(context, pointer, arguments, callee->getReturnType(), VK_PRValue, at, FPOptionsOverride());
}

FunctionDecl *MarkerBuilder::throwingMarker(const char *name, ArrayRef<QualType> parameters) {
  FunctionDecl *function = marker(name, parameters);
  function->dropAttr<NoThrowAttr>();
  return function;
}

Expr *MarkerBuilder::makeCheck(unsigned id, SourceLocation at) {
  if (!check)
    check = throwingMarker(kCheckMarker, {context.IntTy});
  return callMarker(check, {literal(id, at)}, at);
}

Expr *MarkerBuilder::makeSync(SourceLocation at, bool raises) {
  if (!sync)
    sync = marker(kSyncMarker, {});
  if (raises && !raise)
    raise = marker(kRaiseMarker, {});
  SmallVector<Expr *, 3> calls;
  if (raises)
    calls.push_back(callMarker(raise, {}, at));
  Expr *call = callMarker(sync, {}, at);
  calls.push_back(call);
  if (throws)
    calls.push_back(makeCheck(~0u, at));
  return calls.size() == 1 ? call : PseudoObjectExpr::Create(context, call, calls, PseudoObjectExpr::NoResult);
}

Stmt *MarkerBuilder::catchAll(unsigned id, Stmt *body, SourceLocation at, Expr *number, Stmt *more) {
  if (!throws)
    return body;
  QualType ulongType = context.getIntTypeForBitwidth(64, 0);
  if (!caught)
    caught = marker(kCaughtMarker, {context.IntTy, ulongType});
  if (!number)
    number = IntegerLiteral::Create(context, llvm::APInt(64, 0), ulongType, at);
  auto block = [&](ArrayRef<Stmt *> statements) {
    return CompoundStmt::Create(context, statements, FPOptionsOverride(), at, statements.back()->getEndLoc());
  };
  SmallVector<Stmt *, 2> handling = {callMarker(caught, {literal(id, at), number}, at)};
  if (more)
    handling.push_back(more);
  auto *handler = new (context) CXXCatchStmt(at, /*exDecl=*/nullptr, block(handling));
  auto *guarded = dyn_cast<CompoundStmt>(body);
  return CXXTryStmt::Create(context, at, guarded ? guarded : block(body), {handler});
}

Expr *MarkerBuilder::literal(unsigned value, SourceLocation at) {
  llvm::APInt bits(context.getIntWidth(context.IntTy), value);
  return IntegerLiteral::Create(context, bits, context.IntTy, at);
}

static Expr *pointerTo(Expr *lvalue, ASTContext &context, SourceLocation at) {
  return UnaryOperator::Create(context, lvalue, UO_AddrOf, context.getPointerType(lvalue->getType()), VK_PRValue,
                               OK_Ordinary, at, false, FPOptionsOverride());
}

Expr *MarkerBuilder::nullPointer(QualType type, SourceLocation at) {
  return ImplicitCastExpr::Create(context, type, CK_NullToPointer, literal(0, at), nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Expr *MarkerBuilder::addressOf(Expr *lvalue, SourceLocation at) {
  return ImplicitCastExpr::Create(context, context.VoidPtrTy, CK_BitCast, pointerTo(lvalue, context, at), nullptr,
                                  VK_PRValue, FPOptionsOverride());
}

Expr *MarkerBuilder::bind(Expr *source, SmallVectorImpl<Expr *> &bound) {
  auto *opaque = new (context)
      OpaqueValueExpr(source->getExprLoc(), source->getType(), source->getValueKind(), source->getObjectKind(), source);
  bound.push_back(opaque);
  return opaque;
}

// Binds a new object with the value of `argument`, whose class type is copied as bytes. For a load, CodeGen would bind
// the source itself instead of a copy; for a constant, it would have no object.
Expr *MarkerBuilder::bindCopy(Expr *argument, SmallVectorImpl<Expr *> &bound) {
  QualType type = argument->getType().getUnqualifiedType();
  SourceLocation at = argument->getExprLoc();
  Expr *object = new (context) CompoundLiteralExpr(at, context.getTrivialTypeSourceInfo(type, at), type, VK_LValue,
                                                   argument, /*fileScope=*/false);
  return ImplicitCastExpr::Create(context, type, CK_LValueToRValue, bind(object, bound), nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

// Returns true if CodeGen copies the argument after it has evaluated all arguments. In C++, a constructor makes the
// copy when it is the argument's turn.
static bool isCopiedLast(const Expr *argument) {
  auto *cast = dyn_cast<ImplicitCastExpr>(argument);
  return cast && cast->getCastKind() == CK_LValueToRValue && cast->getType()->isRecordType();
}

// Returns true for a parameter with pass_object_size. The parameter is constant, and CodeGen passes its known size on
// only if the argument names the parameter.
static bool hasObjectSize(const Expr *argument) {
  auto *ref = dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts());
  return ref && ref->getDecl()->hasAttr<PassObjectSizeAttr>();
}

// Binds `argument`, so that it is evaluated before the begin marker. Returns its replacement in the call. `mayChange`
// is true if code that is evaluated later may change the source from which the argument is copied.
Expr *MarkerBuilder::bindArgument(Expr *argument, bool mayChange, SmallVectorImpl<Expr *> &bound) {
  if (hasObjectSize(argument))
    return argument;
  if (argument->isGLValue() || !argument->getType()->isRecordType())
    return bind(argument, bound);
  if (mayChange && !isCopiedLast(argument))
    return bindCopy(argument, bound);
  Expr *inner = argument->IgnoreParens();
  if (auto *cast = dyn_cast<ImplicitCastExpr>(inner); cast && cast->getCastKind() == CK_LValueToRValue) {
    cast->setSubExpr(bind(cast->getSubExpr(), bound));
    return cast;
  }
  auto *construct = dyn_cast<CXXConstructExpr>(inner);
  if (construct && construct->getNumArgs() == 1 && construct->getConstructor()->isCopyOrMoveConstructor() &&
      construct->getConstructor()->isTrivial() && construct->getArg(0)->isGLValue()) {
    construct->setElidable(false);
    construct->setArg(0, bind(construct->getArg(0), bound));
    return construct;
  }
  return bindCopy(argument, bound);
}

Expr *MarkerBuilder::bindDestination(const SpawnSite &site, SmallVectorImpl<Expr *> &bound) {
  if (site.destination)
    return bind(site.destination, bound);
  if (!site.variable)
    return nullptr;
  // The type is unqualified: the variable may be const, but this assignment is its initialization.
  Expr *ref = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), site.variable, false,
                                  site.variable->getLocation(), site.resultType(), VK_LValue);
  return bind(ref, bound);
}

// Makes an atomic `x += f()`, because several children may update x at once. Integers wrap, so the order of the
// additions does not matter. Relaxed order is enough, because a sync orders the sum before any read. For an atomic
// object, the language demands sequential consistency.
Expr *MarkerBuilder::makeUpdate(const SpawnSite &site, Expr *destination) {
  SourceLocation at = site.update->getOperatorLoc();
  bool isAtomic = destination->getType()->isAtomicType();
  QualType type = destination->getType().getAtomicUnqualifiedType();
  Expr *value = site.update->getRHS();
  if (!ASTContext::hasSameUnqualifiedType(value->getType(), type))
    value = ImplicitCastExpr::Create(context, type, CK_IntegralCast, value, nullptr, VK_PRValue, FPOptionsOverride());
  AtomicExpr::AtomicOp operation = site.update->getOpcode() == BO_SubAssign ? AtomicExpr::AO__atomic_fetch_sub
                                                                            : *updateOperation(site.update, context);
  llvm::AtomicOrderingCABI ordering = isAtomic ? llvm::AtomicOrderingCABI::seq_cst : llvm::AtomicOrderingCABI::relaxed;
  Expr *object = pointerTo(destination, context, at);
  if (isAtomic)
    object = ImplicitCastExpr::Create(context, context.getPointerType(type), CK_BitCast, object, nullptr, VK_PRValue,
                                      FPOptionsOverride());
  Expr *operands[] = {object, literal(static_cast<unsigned>(ordering), at), value};
  return new (context) AtomicExpr(at, operands, type, operation, at);
}

// Makes the assignment of the result. If the destination is evaluated behind the begin marker, `before` receives the
// expressions that are evaluated before it; else `before` is null.
Expr *MarkerBuilder::makeStore(const SpawnSite &site, Expr *destination, SmallVectorImpl<Expr *> *before) {
  if (!destination)
    return site.spawn;
  // Atomic operations, and copies of structs, evaluate the object before the value.
  bool bindsValue = before && (site.update || destination->getType().getAtomicUnqualifiedType()->isRecordType());
  auto valueOf = [&](Expr *value) { return bindsValue ? bind(value, *before) : value; };
  if (site.assignment) {
    site.assignment->setLHS(destination);
    site.assignment->setRHS(valueOf(site.assignment->getRHS()));
    return site.assignment;
  }
  if (site.operation) {
    site.operation->setArg(0, destination);
    return site.operation;
  }
  if (site.update) {
    site.update->setRHS(valueOf(site.update->getRHS()));
    return makeUpdate(site, destination);
  }
  Expr *value = valueOf(site.value);
  QualType type = site.resultType();
  if (value->isGLValue())
    value = ImplicitCastExpr::Create(context, value->getType().getUnqualifiedType(), CK_LValueToRValue, value, nullptr,
                                     VK_PRValue, FPOptionsOverride());
  // The assignment is a prvalue in C++, too. For an lvalue of class type, CodeGen would make an unused copy of the
  // result.
  return BinaryOperator::Create(context, destination, value, BO_Assign, type.getAtomicUnqualifiedType(), VK_PRValue,
                                OK_Ordinary, site.spawn->getOperatorLoc(), FPOptionsOverride());
}

// Makes CodeGen emit an ordinary call of the function. Before C23, `int f() {...}` has no prototype, and its call would
// be variadic although the definition has no parameters. For a library function that Clang knows, CodeGen would emit
// its own code.
void MarkerBuilder::makeOrdinaryCall(CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee)
    return;
  QualType type = callee->getType();
  if (type->isFunctionNoProtoType())
    type = context.getFunctionType(callee->getReturnType(), {}, FunctionProtoType::ExtProtoInfo());
  else if (!callee->getBuiltinID())
    return;
  call->setCallee(ImplicitCastExpr::Create(context, context.getPointerType(type), CK_BitCast, call->getCallee(),
                                           nullptr, VK_PRValue, FPOptionsOverride()));
}

// Binds the pointer that the call goes through. For a member function, binds the object and the pointer.
void MarkerBuilder::bindPointer(CallExpr *call, SmallVectorImpl<Expr *> &bound) {
  if (auto *access = dyn_cast<BinaryOperator>(call->getCallee()->IgnoreParens()); access && access->isPtrMemOp()) {
    access->setLHS(bind(access->getLHS(), bound));
    access->setRHS(bind(access->getRHS(), bound));
  } else {
    call->setCallee(bind(call->getCallee(), bound));
  }
}

// Binds the call's operands in the order of their evaluation: the callee, then the arguments. If an operand must be
// evaluated where the child finds its objects, this operand and all later ones stay in the call, which evaluates them
// in the same order. Returns true if there is such an operand.
bool MarkerBuilder::bindOperands(const SpawnSite &site, SmallVectorImpl<Expr *> &bound) {
  CallExpr *call = site.call();
  bool ownsObjects = hasObjects(site, context);
  auto mayAct = [&](const Expr *later) { return later && later->HasSideEffects(context); };
  auto isPlaced = [&](const Expr *operand) {
    return ownsObjects && (refersToTemporary(operand) || isClassValue(operand, context));
  };
  bool inPlace = site.object() && isPlaced(site.object());
  if (MemberExpr *member = site.member(); member && !inPlace) // the object, or its address for `->`
    member->setBase(bind(member->getBase(), bound));
  else if (!inPlace && isIndirect(call))
    bindPointer(call, bound);
  for (unsigned i = 0; i != call->getNumArgs(); ++i) {
    bool mayChange = mayAct(site.destination) || llvm::any_of(llvm::drop_begin(call->arguments(), i + 1), mayAct);
    inPlace = inPlace || isPlaced(call->getArg(i));
    if (!inPlace)
      call->setArg(i, bindArgument(call->getArg(i), mayChange, bound));
  }
  if (mayAct(site.destination))
    for (unsigned i = 0; i != call->getNumArgs(); ++i)
      if (isCopiedLast(call->getArg(i)) && !isPlaced(call->getArg(i)))
        call->setArg(i, bindCopy(call->getArg(i), bound));
  return inPlace;
}

// Binds the object in a call `o.f()` of a static member function, only to evaluate it.
void MarkerBuilder::bindUnused(CallExpr *call, SmallVectorImpl<Expr *> &bound) {
  auto *member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  auto *function = member ? dyn_cast<CXXMethodDecl>(member->getMemberDecl()) : nullptr;
  if (!function || !function->isStatic())
    return;
  bound.push_back(member->getBase());
  QualType type = function->getType();
  Expr *ref = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), function, false,
                                  member->getMemberLoc(), type, VK_LValue);
  call->setCallee(ImplicitCastExpr::Create(context, context.getPointerType(type), CK_FunctionToPointerDecay, ref,
                                           nullptr, VK_PRValue, FPOptionsOverride()));
}

// Returns the function that the call names, or null. For a virtual function, returns the function to which CodeGen
// resolves the call.
static const FunctionDecl *namedFunction(const SpawnSite &site, const ASTContext &context) {
  const FunctionDecl *function = site.call()->getDirectCallee();
  MemberExpr *member = site.member();
  if (!member)
    return site.object() ? nullptr : function; // through a pointer to a member, known or not
  auto *method = cast<CXXMethodDecl>(function);
  const LangOptions &options = context.getLangOpts();
  return method->isVirtual() && member->performsVirtualDispatch(options)
             ? method->getDevirtualizedMethod(member->getBase(), options.AppleKext)
             : method;
}

// Makes the address of the spawned function, for a call between constructors and destructors. The address is null if
// the call does not name its function.
Expr *MarkerBuilder::makeCallee(const FunctionDecl *named, SourceLocation at) {
  if (!named)
    return nullPointer(context.VoidPtrTy, at);
  auto *function = const_cast<FunctionDecl *>(named);
  QualType type = function->getType();
  Expr *ref =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), function, false, at, type, VK_LValue);
  Expr *address = ImplicitCastExpr::Create(context, context.getPointerType(type), CK_FunctionToPointerDecay, ref,
                                           nullptr, VK_PRValue, FPOptionsOverride());
  return ImplicitCastExpr::Create(context, context.VoidPtrTy, CK_BitCast, address, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

// Returns true if each evaluation of the expression yields the same object.
static bool isFixed(const Expr *object) {
  object = object->IgnoreParens();
  if (auto *cast = dyn_cast<ImplicitCastExpr>(object); cast && cast->isGLValue())
    return isFixed(cast->getSubExpr());
  if (auto *load = dyn_cast<UnaryOperator>(object); load && load->getOpcode() == UO_Deref) { // *&object
    auto *address = dyn_cast<UnaryOperator>(load->getSubExpr()->IgnoreParens());
    return address && address->getOpcode() == UO_AddrOf && isFixed(address->getSubExpr());
  }
  if (auto *member = dyn_cast<MemberExpr>(object)) {
    const Expr *base = member->getBase()->IgnoreParenImpCasts();
    return !member->getMemberDecl()->getType()->isReferenceType() &&
           (member->isArrow() ? isa<CXXThisExpr>(base) : isFixed(base));
  }
  return isa<DeclRefExpr>(object);
}

// Returns true if the destination must be evaluated behind the begin marker. There are two reasons: its temporaries
// belong to the child, or it comes after arguments that are evaluated there. In C, the destination of a struct
// assignment comes first.
static bool isLate(const SpawnSite &site, bool inPlace, const ASTContext &context) {
  if (!site.destination || (inPlace && !context.getLangOpts().CPlusPlus && site.destination->getType()->isRecordType()))
    return false;
  return refersToTemporary(site.destination) || (inPlace && !isFixed(site.destination));
}

// Replaces the last evaluated operand `e` by an expression that evaluates `e` and then `then`.
void MarkerBuilder::appendToOperands(const SpawnSite &site, Expr *then) {
  auto append = [&](Expr *operand) -> Expr * {
    return PseudoObjectExpr::Create(context, operand, {operand, then}, /*resultIndex=*/0);
  };
  CallExpr *call = site.call();
  if (unsigned count = call->getNumArgs())
    call->setArg(count - 1, append(call->getArg(count - 1)));
  else if (MemberExpr *member = site.member())
    member->setBase(append(member->getBase()));
  else if (auto *access = dyn_cast<BinaryOperator>(call->getCallee()->IgnoreParens()))
    access->setRHS(append(access->getRHS())); // the pointer to a member
}

// Returns `type` with a smaller alignment, for an object whose alignment may be less than the alignment of `type`.
static QualType withAlignment(QualType type, CharUnits alignment, Expr *value, ASTContext &context) {
  if (context.getTypeAlignInChars(type) <= alignment)
    return type;
  auto *name = TypedefDecl::Create(context, context.getTranslationUnitDecl(), SourceLocation(), SourceLocation(),
                                   &context.Idents.get("cilk_spawn.unaligned"), context.getTrivialTypeSourceInfo(type));
  name->setImplicit();
  name->addAttr(AlignedAttr::CreateImplicit(context, /*IsAlignmentExpr=*/true, value));
  return context.getTypedefType(ElaboratedTypeKeyword::None, /*Qualifier=*/std::nullopt, name);
}

QualType MarkerBuilder::alignedType(const Expr *object) {
  CharUnits alignment = alignmentOf(object, context);
  return withAlignment(object->getType(), alignment, literal(alignment.getQuantity(), object->getExprLoc()), context);
}

// Makes the evaluation of the destination behind the begin marker, after the call's operands. A variable holds the
// address for the child. `before` receives the expressions to evaluate before the assignment.
Expr *MarkerBuilder::makeLate(const SpawnSite &site, bool inPlace, SmallVectorImpl<Expr *> &before) {
  SourceLocation at = site.destination->getExprLoc();
  QualType objectType = alignedType(site.destination);
  QualType type = context.getPointerType(objectType);
  Expr *object = new (context) CompoundLiteralExpr(at, context.getTrivialTypeSourceInfo(type, at), type, VK_LValue,
                                                   nullPointer(type, at), /*fileScope=*/false);
  Expr *kept = bind(object, before);
  Expr *keep = BinaryOperator::Create(context, kept, pointerTo(site.destination, context, at), BO_Assign, type,
                                      VK_PRValue, OK_Ordinary, at, FPOptionsOverride());
  if (inPlace)
    appendToOperands(site, keep);
  else
    before.push_back(keep);
  Expr *address =
      ImplicitCastExpr::Create(context, type, CK_LValueToRValue, kept, nullptr, VK_PRValue, FPOptionsOverride());
  return UnaryOperator::Create(context, address, UO_Deref, objectType, VK_LValue, OK_Ordinary, at, false,
                               FPOptionsOverride());
}

Expr *MarkerBuilder::makeSpawn(const SpawnSite &site, unsigned id) {
  if (!begin) {
    begin = marker(kSpawnBeginMarker, {context.IntTy, context.VoidPtrTy});
    end = marker(kSpawnEndMarker, {context.IntTy});
  }
  SourceLocation at = site.spawn->getOperatorLoc();
  SmallVector<Expr *, 8> parts;
  // Arguments come first: C++17 demands this order for an assignment, and Clang's code for C has it.
  bindUnused(site.call(), parts);
  if (needsWrapper(site, context))
    wrapCall(site, numWrappers++, makeSync(at), sema);
  bool ownsObjects = hasObjects(site, context);
  CallExpr *call = site.call();
  makeOrdinaryCall(call);
  const FunctionDecl *named = namedFunction(site, context);
  bool inPlace = bindOperands(site, parts);
  SmallVector<Expr *, 4> before;
  Expr *late = isLate(site, inPlace, context) ? makeLate(site, inPlace, before) : nullptr;
  Expr *destination = late ? late : bindDestination(site, parts);
  Expr *address = destination && !late ? addressOf(destination, at) : nullPointer(context.VoidPtrTy, at);
  parts.push_back(callMarker(begin, {literal(id, at), address}, at));
  // An object is constructed in its variable. All other objects that the call needs are destroyed before the child
  // ends.
  bool constructs = site.constructs(context);
  Expr *store =
      constructs ? site.conversion ? site.conversion : call : makeStore(site, destination, late ? &before : nullptr);
  if (late) {
    before.push_back(store);
    store = PseudoObjectExpr::Create(context, site.spawn, before, PseudoObjectExpr::NoResult);
  }
  if (ownsObjects)
    store = ExprWithCleanups::Create(context, store, /*CleanupsHaveSideEffects=*/true, {});
  unsigned result = constructs ? parts.size() : unsigned(PseudoObjectExpr::NoResult);
  parts.push_back(store);
  if (ownsObjects) {
    if (!callee)
      callee = marker(kSpawnCalleeMarker, {context.VoidPtrTy});
    parts.push_back(callMarker(callee, {makeCallee(named, at)}, at));
  }
  parts.push_back(callMarker(end, {literal(id, at)}, at));
  Expr *whole = PseudoObjectExpr::Create(context, site.spawn, parts, result);
  return site.hasCleanups ? ExprWithCleanups::Create(context, whole, /*CleanupsHaveSideEffects=*/true, {}) : whole;
}

} // namespace cilk2gpu
