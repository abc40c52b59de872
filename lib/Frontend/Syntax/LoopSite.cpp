// Recognises the loop variable, bound and step of a cilk_for. For a loop that passes the checks, the iterations can be
// counted before it starts: bound and step do not depend on the loop variable, and no jump leaves the loop early.
#include "LoopSite.h"
#include "DeepWalk.h"
#include "Diagnostics.h"
#include "RegionJumps.h"
#include "cilk2gpu/abi/Records.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace cilk2gpu {

// Also examines lambdas, because a lambda may capture and use the variable.
bool refersTo(const Stmt *stmt, const VarDecl *variable) {
  if (!stmt)
    return false;
  if (auto *ref = dyn_cast<DeclRefExpr>(stmt))
    return ref->getDecl() == variable;
  if (auto *argument = dyn_cast<CXXDefaultArgExpr>(stmt))
    return refersTo(argument->getExpr(), variable);
  bool refers = false;
  for (const Stmt *child : stmt->children())
    withEnoughStack([&] { refers = refers || refersTo(child, variable); });
  return refers;
}

static bool isVariable(const Expr *expr, const VarDecl *variable) {
  auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref && ref->getDecl() == variable;
}

// Returns true if this operand of a comparison is the variable, or a copy of it for an operator that takes it by value.
static bool isComparedVariable(const Expr *expr, const VarDecl *variable) {
  expr = expr->IgnoreParenImpCasts();
  if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(expr)) // a copy with a destructor
    expr = bind->getSubExpr();
  auto *construct = dyn_cast<CXXConstructExpr>(expr);
  bool isCopy = construct && construct->getConstructor()->isCopyOrMoveConstructor();
  return isVariable(isCopy ? construct->getArg(0) : expr, variable);
}

namespace {
/// A binary operator, built-in or of a class. C++20 may write a class's operator in terms of another operator.
struct Operation {
  BinaryOperatorKind kind;
  Expr *left, *right;
};
} // namespace

static std::optional<Operation> asOperation(Expr *expr) {
  if (auto *binary = dyn_cast<BinaryOperator>(expr))
    return Operation{binary->getOpcode(), binary->getLHS(), binary->getRHS()};
  if (auto *rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expr)) {
    CXXRewrittenBinaryOperator::DecomposedForm form = rewritten->getDecomposedForm();
    return Operation{form.Opcode, const_cast<Expr *>(form.LHS), const_cast<Expr *>(form.RHS)};
  }
  auto *call = dyn_cast<CXXOperatorCallExpr>(expr);
  if (!call || call->getNumArgs() != 2 || !call->isInfixBinaryOp())
    return std::nullopt;
  return Operation{BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0), call->getArg(1)};
}

// Returns the operand e of `++e`, `e++`, `--e` or `e--`, and true for an increment.
static std::optional<std::pair<Expr *, bool>> asIncrement(Expr *expr) {
  if (auto *unary = dyn_cast<UnaryOperator>(expr); unary && unary->isIncrementDecrementOp())
    return std::pair(unary->getSubExpr(), unary->isIncrementOp());
  auto *call = dyn_cast<CXXOperatorCallExpr>(expr);
  if (call && (call->getOperator() == OO_PlusPlus || call->getOperator() == OO_MinusMinus))
    return std::pair(call->getArg(0), call->getOperator() == OO_PlusPlus);
  return std::nullopt;
}

// Returns the expression without conversions and copies of its result.
static Expr *asComputed(Expr *expr) {
  for (;;) {
    expr = expr->IgnoreParenImpCasts();
    if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(expr))
      expr = bind->getSubExpr();
    else if (auto *construct = dyn_cast<CXXConstructExpr>(expr);
             construct && construct->getConstructor()->isCopyOrMoveConstructor())
      expr = construct->getArg(0);
    else
      return expr;
  }
}

static Expr *withoutCleanups(Expr *expr) {
  expr = expr->IgnoreParens();
  while (isa<ExprWithCleanups, CXXBindTemporaryExpr>(expr)) {
    auto *cleanups = dyn_cast<ExprWithCleanups>(expr);
    expr = (cleanups ? cleanups->getSubExpr() : cast<CXXBindTemporaryExpr>(expr)->getSubExpr())->IgnoreParens();
  }
  return expr;
}

// Returns the integer as written, before its conversion to the type of an operation, or null if it is not an integer.
static Expr *asWrittenInteger(Expr *expr, ASTContext &context) {
  for (;;) {
    if (auto *paren = dyn_cast<ParenExpr>(expr))
      expr = paren->getSubExpr();
    else if (auto *cast = dyn_cast<ImplicitCastExpr>(expr);
             cast && (cast->getCastKind() == CK_IntegralCast || cast->getCastKind() == CK_NoOp))
      expr = cast->getSubExpr();
    else if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else
      break;
  }
  QualType type = expr->getType();
  bool isInteger = type->isIntegralOrUnscopedEnumerationType() && context.getTypeSize(type) <= 64;
  if (isInteger && expr->isGLValue())
    expr = ImplicitCastExpr::Create(context, type.getUnqualifiedType(), CK_LValueToRValue, expr, nullptr, VK_PRValue,
                                    FPOptionsOverride());
  return isInteger ? expr : nullptr;
}

static bool isLoopType(QualType type, ASTContext &context) {
  if (type->isRecordType())
    return context.getLangOpts().CPlusPlus;
  if (type->isPointerType()) {
    QualType element = type->getPointeeType();
    return element->isObjectType() && !element->isIncompleteType() && !element->isVariablyModifiedType() &&
           !context.getTypeSizeInChars(element).isZero();
  }
  // In C, enumerations are integers. In C++, an enumeration has an operator ++ only if the program defines it, and that
  // operator may do anything.
  if (auto *enumeration = type->getAs<EnumType>())
    type = context.getLangOpts().CPlusPlus ? QualType() : enumeration->getDecl()->getIntegerType();
  return !type.isNull() && type->isIntegerType() && !type->isBooleanType() && context.getTypeSize(type) <= 64;
}

// Returns the variable that the increment changes, or null.
static const Decl *changedVariable(ForStmt *loop) {
  Expr *increment = loop->getInc() ? withoutCleanups(loop->getInc()) : nullptr;
  if (!increment)
    return nullptr;
  auto unary = asIncrement(increment);
  std::optional<Operation> change = asOperation(increment);
  Expr *object = unary ? unary->first : change ? change->left : nullptr;
  auto *ref = object ? dyn_cast<DeclRefExpr>(object->IgnoreParenImpCasts()) : nullptr;
  return ref ? ref->getDecl() : nullptr;
}

// Errors in the first part of a header, in the order of Message::LoopVariable's %select.
enum class BadVariable { Missing, Dependent, Form, None };

// Handles `cilk_for (T i = a, e = b; ...)`. The variable that the increment changes is the loop variable. The
// declarations of the other variables are moved in front of the loop.
static BadVariable matchDeclarations(ForStmt *loop, LoopSite &site, ASTContext &context) {
  auto *declarations = dyn_cast_or_null<DeclStmt>(loop->getInit());
  if (!declarations)
    return replaceOuterVariable(loop, site, context) ? BadVariable::None : BadVariable::Missing;
  const Decl *changed = changedVariable(loop);
  bool isFound = llvm::is_contained(declarations->decls(), changed);
  site.variable = dyn_cast<VarDecl>(isFound ? const_cast<Decl *>(changed) : *declarations->decl_begin());
  if (!site.variable || !site.variable->hasLocalStorage())
    return BadVariable::Form;
  SourceLocation begin = declarations->getBeginLoc(), end = declarations->getEndLoc();
  for (Decl *decl : declarations->decls()) {
    auto *statement = new (context) DeclStmt(DeclGroupRef(decl), begin, end);
    auto *other = dyn_cast<VarDecl>(decl);
    if (decl == site.variable) {
      site.declaration = statement;
    } else if (!other || !other->hasLocalStorage()) {
      return BadVariable::Form;
    } else if (refersTo(other->getInit(), site.variable)) {
      return BadVariable::Dependent;
    } else {
      site.prologue.push_back(statement);
    }
  }
  return BadVariable::None;
}

static bool matchVariable(ForStmt *loop, LoopSite &site, ASTContext &context) {
  DiagnosticsEngine &diags = context.getDiagnostics();
  BadVariable bad = matchDeclarations(loop, site, context);
  if (bad != BadVariable::None) {
    report(diags, loop->getInit() ? loop->getInit()->getBeginLoc() : loop->getForLoc(), Message::LoopVariable)
        << unsigned(bad);
    return false;
  }
  VarDecl *variable = site.variable;
  if (!isLoopType(variable->getType(), context)) {
    report(diags, variable->getLocation(), Message::LoopVariableType) << variable << variable->getType();
    return false;
  }
  if (!variable->getInit() || refersTo(variable->getInit(), variable)) {
    report(diags, variable->getLocation(), Message::LoopFirst) << variable << bool(variable->getInit());
    return false;
  }
  return true;
}

static std::optional<int32_t> asComparison(BinaryOperatorKind kind, bool isSwapped) {
  switch (kind) {
  case BO_LT:
    return isSwapped ? abi::kGreater : abi::kLess;
  case BO_LE:
    return isSwapped ? abi::kGreaterEqual : abi::kLessEqual;
  case BO_GT:
    return isSwapped ? abi::kLess : abi::kGreater;
  case BO_GE:
    return isSwapped ? abi::kLessEqual : abi::kGreaterEqual;
  case BO_NE:
    return abi::kNotEqual;
  default:
    return std::nullopt;
  }
}

// Errors in a condition, in the order of Message::LoopCondition's %select.
enum class BadCondition { None, Missing, Form, Dependent, Type };

// Converts the bound of a loop over pointers. It must point to the same type, except for qualifiers. A pointer to a
// base class is refused, because the base class has another size.
static Expr *convertPointerBound(Expr *bound, QualType type, ASTContext &context) {
  if (!bound->getType()->isPointerType() ||
      !ASTContext::hasSameUnqualifiedType(bound->getType()->getPointeeType(), type->getPointeeType()))
    return nullptr;
  return ImplicitCastExpr::Create(context, type.getUnqualifiedType(), CK_BitCast, bound, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

// Returns the bound of a loop over iterators as it was written, followed by the destruction of its temporaries.
static Expr *iteratorBound(Expr *bound, Expr *condition, ASTContext &context) {
  bound = bound->IgnoreParens();
  for (;;) {
    if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(bound))
      bound = temporary->getSubExpr();
    else if (auto *cast = dyn_cast<ImplicitCastExpr>(bound); cast && cast->getCastKind() == CK_NoOp)
      bound = cast->getSubExpr();
    else
      break;
  }
  auto *cleanups = dyn_cast<ExprWithCleanups>(condition);
  return cleanups ? ExprWithCleanups::Create(context, bound, cleanups->cleanupsHaveSideEffects(), {}) : bound;
}

static BadCondition matchCondition(ForStmt *loop, LoopSite &site, ASTContext &context) {
  if (!loop->getCond())
    return BadCondition::Missing;
  std::optional<Operation> compare = asOperation(withoutCleanups(loop->getCond()));
  if (!compare || loop->getConditionVariable())
    return BadCondition::Form;
  bool isSwapped = !isComparedVariable(compare->left, site.variable);
  std::optional<int32_t> comparison = asComparison(compare->kind, isSwapped);
  if (!comparison || (isSwapped && !isComparedVariable(compare->right, site.variable)))
    return BadCondition::Form;
  site.bound = isSwapped ? compare->left : compare->right;
  site.comparison = *comparison;
  if (refersTo(site.bound, site.variable))
    return BadCondition::Dependent;
  if (site.hasClass() && !site.outer) {
    site.bound = iteratorBound(site.bound, loop->getCond(), context);
    return BadCondition::None; // the types are checked with the operators
  }
  if (site.hasPointer()) {
    site.bound = convertPointerBound(site.bound, site.variable->getType(), context);
    return site.bound ? BadCondition::None : BadCondition::Type;
  }
  QualType type = site.bound->getType();
  if (!type->isIntegerType() || context.getTypeSize(type) > 64)
    return BadCondition::Type;
  if (type->isUnsignedIntegerType())
    site.comparison |= abi::kUnsigned;
  return BadCondition::None;
}

// Errors in an increment, in the order of Message::LoopStep's %select.
enum class BadStep { None, Missing, Form, Dependent, Type };

// Returns the e of `i = i + e`, `i = e + i` or `i = i - e`, else null.
static Expr *matchSum(Expr *value, LoopSite &site) {
  std::optional<Operation> sum = asOperation(asComputed(value));
  if (!sum || (sum->kind != BO_Add && sum->kind != BO_Sub))
    return nullptr;
  site.isNegative = sum->kind == BO_Sub;
  if (isComparedVariable(sum->left, site.variable))
    return sum->right;
  return !site.isNegative && isComparedVariable(sum->right, site.variable) ? sum->left : nullptr;
}

// Returns the type of `i + e` or `i - e` in an increment that adds or subtracts e.
static QualType sumType(Expr *increment) {
  if (auto *compound = dyn_cast<CompoundAssignOperator>(increment))
    return compound->getComputationResultType();
  auto *assignment = dyn_cast<BinaryOperator>(increment);
  return assignment ? assignment->getRHS()->IgnoreParenImpCasts()->getType() : QualType();
}

// Returns true if the step goes in the direction opposite to its sign. Sums of unsigned integers wrap around, so the
// same step may go either way.
static bool goesOtherWay(const LoopSite &site) {
  int32_t kind = site.comparison & ~abi::kUnsigned;
  if (kind == abi::kNotEqual)
    return site.variable->getType()->isSignedIntegerType();
  bool isUp = kind == abi::kLess || kind == abi::kLessEqual;
  return isUp == site.isNegative;
}

static BadStep matchStep(ForStmt *loop, LoopSite &site, ASTContext &context) {
  if (!loop->getInc())
    return BadStep::Missing;
  Expr *increment = withoutCleanups(loop->getInc());
  if (auto unary = asIncrement(increment)) {
    site.isNegative = !unary->second;
    return isVariable(unary->first, site.variable) ? BadStep::None : BadStep::Form;
  }
  std::optional<Operation> change = asOperation(increment);
  if (!change || !isVariable(change->left, site.variable))
    return BadStep::Form;
  Expr *amount = nullptr;
  if (change->kind == BO_AddAssign || change->kind == BO_SubAssign) {
    site.isNegative = change->kind == BO_SubAssign;
    amount = change->right;
  } else if (change->kind == BO_Assign) {
    amount = matchSum(change->right, site);
  }
  if (!amount)
    return BadStep::Form;
  if (refersTo(amount, site.variable))
    return BadStep::Dependent;
  site.step = asWrittenInteger(amount, context);
  QualType sum = sumType(increment);
  if (!sum.isNull() && sum->isUnsignedIntegerType() && goesOtherWay(site))
    site.stepType = context.getCorrespondingSignedType(sum);
  return site.step ? BadStep::None : BadStep::Type;
}

static bool matchHeader(ForStmt *loop, LoopSite &site, ASTContext &context) {
  DiagnosticsEngine &diags = context.getDiagnostics();
  if (!matchVariable(loop, site, context))
    return false;
  site.conditionAt = loop->getCond() ? loop->getCond()->getBeginLoc() : site.at;
  site.incrementAt = loop->getInc() ? loop->getInc()->getBeginLoc() : site.at;
  BadCondition badCondition = matchCondition(loop, site, context);
  BadStep badStep = matchStep(loop, site, context);
  if (badCondition != BadCondition::None)
    report(diags, loop->getCond() ? loop->getCond()->getBeginLoc() : loop->getForLoc(), Message::LoopCondition)
        << site.variable << unsigned(badCondition) - 1;
  if (badStep != BadStep::None)
    report(diags, loop->getInc() ? loop->getInc()->getBeginLoc() : loop->getForLoc(), Message::LoopStep)
        << site.variable << unsigned(badStep) - 1;
  return badCondition == BadCondition::None && badStep == BadStep::None;
}

// Decomposes a loop over a range. Clang has made hidden variables for the range, its begin and its end.
static void matchRange(CXXForRangeStmt *loop, LoopSite &site, ASTContext &context) {
  if (loop->getInit())
    site.prologue.push_back(loop->getInit());
  site.prologue.push_back(loop->getRangeStmt());
  site.prologue.push_back(loop->getEndStmt());
  site.declaration = loop->getBeginStmt();
  site.variable = cast<VarDecl>(site.declaration->getSingleDecl());
  auto *end = cast<VarDecl>(loop->getEndStmt()->getSingleDecl());
  QualType type = end->getType();
  site.bound =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), end, false, site.at, type, VK_LValue);
  if (site.hasPointer())
    site.bound = ImplicitCastExpr::Create(context, type.getUnqualifiedType(), CK_LValueToRValue, site.bound, nullptr,
                                          VK_PRValue, FPOptionsOverride());
  site.comparison = abi::kNotEqual;
  site.element = loop->getLoopVarStmt();
}

static bool checkIterator(LoopSite &site, Sema &sema) {
  if (!site.hasClass() || findIteratorOperators(site, sema))
    return true;
  QualType type = site.variable->getType();
  bool isBound = !type->isRecordType();
  report(sema.Diags, site.element ? site.at : site.variable->getLocation(), Message::LoopIterator)
      << (isBound ? site.bound->getType() : type)
      << (isBound        ? 2
          : site.element ? 1
                         : 0);
  return false;
}

std::optional<LoopSite> matchLoop(Stmt *loop, Expr *grain, Sema &sema) {
  ASTContext &context = sema.Context;
  LoopSite site;
  site.at = loop->getBeginLoc();
  site.end = loop->getEndLoc();
  site.loop = loop;
  site.grain = grain ? asWrittenInteger(grain, context) : nullptr;
  bool isGood = true;
  if (auto *range = dyn_cast<CXXForRangeStmt>(loop)) {
    site.at = site.conditionAt = site.incrementAt = range->getForLoc();
    site.body = range->getBody();
    matchRange(range, site, context);
  } else {
    site.body = cast<ForStmt>(loop)->getBody();
    isGood = matchHeader(cast<ForStmt>(loop), site, context) && checkEnd(site, context);
  }
  isGood = isGood && checkIterator(site, sema);
  if (grain && !site.grain) {
    report(sema.Diags, grain->getBeginLoc(), Message::GrainSyntax);
    return std::nullopt;
  }
  return isGood ? std::optional(site) : std::nullopt;
}

// Finds an assignment to the variable by name. A change through a pointer is not found, and changes only the
// iteration's copy.
static const Stmt *findChange(const Stmt *stmt, const VarDecl *variable) {
  if (!stmt || isa<LambdaExpr>(stmt))
    return nullptr;
  if (auto *expr = const_cast<Expr *>(dyn_cast<Expr>(stmt))) {
    if (auto unary = asIncrement(expr); unary && isVariable(unary->first, variable))
      return stmt;
    if (std::optional<Operation> change = asOperation(expr);
        change && BinaryOperator::isAssignmentOp(change->kind) && isVariable(change->left, variable))
      return stmt;
  }
  const Stmt *found = nullptr;
  for (const Stmt *child : stmt->children())
    withEnoughStack([&] { found = found ? found : findChange(child, variable); });
  return found;
}

// Returns the index of the jump's kind in Message::LoopJump's %select.
static unsigned jumpKind(const Stmt *jump) {
  return isa<BreakStmt>(jump) ? 0 : isa<ContinueStmt>(jump) ? 1 : isa<ReturnStmt>(jump) ? 2 : 3;
}

bool checkLoopBody(LoopSite &site, Stmt *function, ASTContext &context, Keywords &keywords) {
  DiagnosticsEngine &diags = context.getDiagnostics();
  RegionJumps body(site.body);
  bool isGood = true;
  auto bad = [&](SourceLocation at) { return isGood = false, keywords.markReported(at); };
  for (Stmt *jump : body.leaving) {
    auto *control = dyn_cast<ContinueStmt>(jump);
    bool isNamed = control && control->hasLabelTarget() && control->getNamedLoopOrSwitch() == site.loop;
    if (isNamed)
      site.continues.push_back(control);
    if (isNamed || (control && !control->hasLabelTarget()))
      continue; // ends the iteration
    if (bad(jump->getBeginLoc()))
      report(diags, jump->getBeginLoc(), Message::LoopJump) << jumpKind(jump);
  }
  llvm::SmallDenseSet<const Stmt *> own;
  for (auto [jump, label] : body.gotos)
    own.insert(jump);
  for (auto [jump, label] : RegionJumps(function).gotos)
    if (!own.contains(jump) && body.labels.contains(label) && bad(jump->getBeginLoc()))
      report(diags, jump->getBeginLoc(), Message::LoopEntry);
  for (Stmt *label : body.foreignCases)
    if (bad(label->getBeginLoc()))
      report(diags, label->getBeginLoc(), Message::LoopEntry);
  if (const Stmt *change = findChange(site.body, site.variable); change && bad(change->getBeginLoc()))
    report(diags, change->getBeginLoc(), Message::LoopChange) << site.variable;
  return isGood;
}

} // namespace cilk2gpu
