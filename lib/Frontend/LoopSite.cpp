// Recognises a cilk_for's loop variable, bound and step. What passes here counts its iterations before it starts: the
// bound and the step cannot depend on the loop variable, and nothing leaves the loop early.
#include "LoopSite.h"
#include "Diagnostics.h"
#include "RegionJumps.h"
#include "abi/Records.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2gpu {

// Looks through lambdas as well: a captured loop variable is used there.
static bool refersTo(const Stmt *stmt, const VarDecl *variable) {
  if (!stmt)
    return false;
  if (auto *ref = dyn_cast<DeclRefExpr>(stmt))
    return ref->getDecl() == variable;
  if (auto *argument = dyn_cast<CXXDefaultArgExpr>(stmt))
    return refersTo(argument->getExpr(), variable);
  return llvm::any_of(stmt->children(), [&](const Stmt *child) { return refersTo(child, variable); });
}

static bool isVariable(const Expr *expr, const VarDecl *variable) {
  auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref && ref->getDecl() == variable;
}

static Expr *withoutCleanups(Expr *expr) {
  expr = expr->IgnoreParens();
  while (auto *cleanups = dyn_cast<ExprWithCleanups>(expr))
    expr = cleanups->getSubExpr()->IgnoreParens();
  return expr;
}

// The integer that was written, before its conversion to the type of an operation. Null if it is something else.
static Expr *asWrittenInteger(Expr *expr, ASTContext &context) {
  for (;;) {
    if (auto *paren = dyn_cast<ParenExpr>(expr))
      expr = paren->getSubExpr();
    else if (auto *cast = dyn_cast<ImplicitCastExpr>(expr); cast && cast->getCastKind() == CK_IntegralCast)
      expr = cast->getSubExpr();
    else
      break;
  }
  QualType type = expr->getType();
  bool isInteger = type->isIntegralOrUnscopedEnumerationType() && context.getTypeSize(type) <= 64;
  return isInteger ? expr : nullptr;
}

static bool isLoopType(QualType type, ASTContext &context) {
  if (type->isPointerType()) {
    QualType element = type->getPointeeType();
    return element->isObjectType() && !element->isIncompleteType() && !element->isVariablyModifiedType() &&
           !context.getTypeSizeInChars(element).isZero();
  }
  return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType() && !type->isBitIntType() &&
         context.getTypeSize(type) <= 64;
}

static VarDecl *matchVariable(ForStmt *loop, ASTContext &context) {
  DiagnosticsEngine &diags = context.getDiagnostics();
  auto *declarations = dyn_cast_or_null<DeclStmt>(loop->getInit());
  bool isSingle = declarations && declarations->isSingleDecl();
  auto *variable = isSingle ? dyn_cast<VarDecl>(declarations->getSingleDecl()) : nullptr;
  if (!variable || !variable->hasLocalStorage()) {
    report(diags, declarations ? declarations->getBeginLoc() : loop->getForLoc(), Message::LoopVariable)
        << (!declarations ? 0 : !isSingle ? 1 : 2);
    return nullptr;
  }
  if (!isLoopType(variable->getType(), context)) {
    report(diags, variable->getLocation(), Message::LoopVariableType) << variable << variable->getType();
    return nullptr;
  }
  if (!variable->getInit() || refersTo(variable->getInit(), variable)) {
    report(diags, variable->getLocation(), Message::LoopFirst) << variable << bool(variable->getInit());
    return nullptr;
  }
  return variable;
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

// What is wrong with a condition; the order is that of Message::LoopCondition's %select.
enum class BadCondition { None, Missing, Form, Dependent, Type };

// A bound of a pointer loop: the same elements, be it with other qualifiers. A base class would have another size.
static Expr *convertPointerBound(Expr *bound, QualType type, ASTContext &context) {
  if (!bound->getType()->isPointerType() ||
      !ASTContext::hasSameUnqualifiedType(bound->getType()->getPointeeType(), type->getPointeeType()))
    return nullptr;
  return ImplicitCastExpr::Create(context, type.getUnqualifiedType(), CK_BitCast, bound, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

static BadCondition matchCondition(LoopSite &site, ASTContext &context) {
  if (!site.loop->getCond())
    return BadCondition::Missing;
  auto *compare = dyn_cast<BinaryOperator>(withoutCleanups(site.loop->getCond()));
  if (!compare || site.loop->getConditionVariable())
    return BadCondition::Form;
  bool isSwapped = !isVariable(compare->getLHS(), site.variable);
  std::optional<int32_t> comparison = asComparison(compare->getOpcode(), isSwapped);
  if (!comparison || (isSwapped && !isVariable(compare->getRHS(), site.variable)))
    return BadCondition::Form;
  site.bound = isSwapped ? compare->getLHS() : compare->getRHS();
  site.comparison = *comparison;
  if (refersTo(site.bound, site.variable))
    return BadCondition::Dependent;
  if (site.hasPointer()) {
    site.bound = convertPointerBound(site.bound, site.variable->getType(), context);
    return site.bound ? BadCondition::None : BadCondition::Type;
  }
  QualType type = site.bound->getType();
  if (!type->isIntegerType() || type->isBitIntType() || context.getTypeSize(type) > 64)
    return BadCondition::Type;
  if (type->isUnsignedIntegerType())
    site.comparison |= abi::kUnsigned;
  return BadCondition::None;
}

// What is wrong with an increment; the order is that of Message::LoopStep's %select.
enum class BadStep { None, Missing, Form, Dependent, Type };

// `i = i + e`, `i = e + i`, `i = i - e`: the e, else null.
static Expr *matchSum(BinaryOperator *assign, LoopSite &site) {
  auto *sum = dyn_cast<BinaryOperator>(assign->getRHS()->IgnoreParenImpCasts());
  if (!sum || (sum->getOpcode() != BO_Add && sum->getOpcode() != BO_Sub))
    return nullptr;
  site.isNegative = sum->getOpcode() == BO_Sub;
  if (isVariable(sum->getLHS(), site.variable))
    return sum->getRHS();
  return !site.isNegative && isVariable(sum->getRHS(), site.variable) ? sum->getLHS() : nullptr;
}

static BadStep matchStep(LoopSite &site, ASTContext &context) {
  if (!site.loop->getInc())
    return BadStep::Missing;
  Expr *increment = withoutCleanups(site.loop->getInc());
  if (auto *unary = dyn_cast<UnaryOperator>(increment)) {
    site.isNegative = unary->isDecrementOp();
    return unary->isIncrementDecrementOp() && isVariable(unary->getSubExpr(), site.variable) ? BadStep::None
                                                                                             : BadStep::Form;
  }
  auto *binary = dyn_cast<BinaryOperator>(increment);
  if (!binary || !isVariable(binary->getLHS(), site.variable))
    return BadStep::Form;
  Expr *amount = nullptr;
  if (binary->getOpcode() == BO_AddAssign || binary->getOpcode() == BO_SubAssign) {
    site.isNegative = binary->getOpcode() == BO_SubAssign;
    amount = binary->getRHS();
  } else if (binary->getOpcode() == BO_Assign) {
    amount = matchSum(binary, site);
  }
  if (!amount)
    return BadStep::Form;
  if (refersTo(amount, site.variable))
    return BadStep::Dependent;
  site.step = asWrittenInteger(amount, context);
  return site.step ? BadStep::None : BadStep::Type;
}

std::optional<LoopSite> matchLoop(ForStmt *loop, Expr *grain, ASTContext &context) {
  DiagnosticsEngine &diags = context.getDiagnostics();
  LoopSite site;
  site.loop = loop;
  site.grain = grain ? asWrittenInteger(grain, context) : nullptr;
  site.variable = matchVariable(loop, context);
  if (!site.variable)
    return std::nullopt;
  BadCondition badCondition = matchCondition(site, context);
  BadStep badStep = matchStep(site, context);
  if (badCondition != BadCondition::None)
    report(diags, loop->getCond() ? loop->getCond()->getBeginLoc() : loop->getForLoc(), Message::LoopCondition)
        << site.variable << unsigned(badCondition) - 1;
  if (badStep != BadStep::None)
    report(diags, loop->getInc() ? loop->getInc()->getBeginLoc() : loop->getForLoc(), Message::LoopStep)
        << site.variable << unsigned(badStep) - 1;
  if (grain && !site.grain)
    report(diags, grain->getBeginLoc(), Message::GrainSyntax);
  bool isGood = badCondition == BadCondition::None && badStep == BadStep::None && (!grain || site.grain);
  return isGood ? std::optional(site) : std::nullopt;
}

// Assignments to the variable by name. A change through a pointer goes to the iteration's own copy and is not seen.
static const Stmt *findChange(const Stmt *stmt, const VarDecl *variable) {
  if (!stmt || isa<LambdaExpr>(stmt))
    return nullptr;
  if (auto *unary = dyn_cast<UnaryOperator>(stmt);
      unary && unary->isIncrementDecrementOp() && isVariable(unary->getSubExpr(), variable))
    return stmt;
  if (auto *binary = dyn_cast<BinaryOperator>(stmt);
      binary && binary->isAssignmentOp() && isVariable(binary->getLHS(), variable))
    return stmt;
  for (const Stmt *child : stmt->children())
    if (const Stmt *found = findChange(child, variable))
      return found;
  return nullptr;
}

// In the order of Message::LoopJump's %select.
static unsigned jumpKind(const Stmt *jump) {
  return isa<BreakStmt>(jump) ? 0 : isa<ContinueStmt>(jump) ? 1 : isa<ReturnStmt>(jump) ? 2 : 3;
}

bool checkLoopBody(const LoopSite &site, Stmt *function, ASTContext &context, Keywords &keywords) {
  DiagnosticsEngine &diags = context.getDiagnostics();
  RegionJumps body(site.loop->getBody());
  bool isGood = true;
  auto bad = [&](SourceLocation at) { return isGood = false, keywords.markReported(at); };
  for (Stmt *jump : body.leaving) {
    auto *control = dyn_cast<ContinueStmt>(jump);
    if (control && !control->hasLabelTarget())
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
  if (const Stmt *change = findChange(site.loop->getBody(), site.variable); change && bad(change->getBeginLoc()))
    report(diags, change->getBeginLoc(), Message::LoopChange) << site.variable;
  return isGood;
}

} // namespace cilk2gpu
