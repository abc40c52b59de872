// Walks over a body to find the destinations of results and their uses. Only plain accesses by name count. Accesses
// through a pointer or reference, and expressions that only take an address, are never reported, because they may be
// correct.
#include "ResultSites.h"
#include "Frontend/Syntax/RegionJumps.h"
#include "Frontend/Syntax/SpawnSite.h"
#include "MemberReads.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cilk2gpu {

// Deepest nesting of statements that is checked. Clang's construction of the control-flow graph recurses without a
// limit.
static constexpr unsigned kDeepestStatement = 2000;

bool ResultSites::collect(Stmt *body) {
  visit(body, nullptr);
  if (hasErrors || sites.empty())
    return false;
  forgetEscapedIndices();
  return true;
}

// Forgets indices that contain a variable which may change through a pointer. A forgotten index equals no other index.
void ResultSites::forgetEscapedIndices() {
  auto forget = [&](NamedObject &object) {
    if (llvm::any_of(object.indexVariables(), [&](const VarDecl *variable) { return escaped.contains(variable); }))
      for (NamedObject::Step &step : object.steps)
        step.index = nullptr;
  };
  for (ResultSite &site : sites) {
    forget(site.object);
    site.indexVariables = site.object.indexVariables();
  }
  for (auto &[stmt, use] : uses)
    forget(use.object);
}

void ResultSites::addSite(const void *completion, const Expr *destination, const VarDecl *variable, SourceLocation at,
                          const WaitingRegion *region, std::optional<AtomicExpr::AtomicOp> update) {
  ResultSite site{destination ? namedObject(destination, context) : NamedObject{variable, {}}, at, region, {}, update};
  if (!site.object.variable)
    return;
  site.isOrdered = llvm::any_of(written, [&](const NamedObject &item) {
    return compare(item, site.object, /*isCurrent=*/true, context) == Overlap::Same;
  });
  completions[completion].push_back(sites.size());
  sites.push_back(std::move(site));
}

using Pointed = llvm::SmallSetVector<const VarDecl *, 4>;

// Adds the local variables to which the operand points or refers, and the variables to which a lambda in it refers.
static void addPointedAt(const Expr *operand, Pointed &variables, const ASTContext &context) {
  operand = operand->IgnoreParenImpCasts();
  if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(operand))
    operand = temporary->getSubExpr()->IgnoreParenImpCasts();
  if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(operand))
    operand = bind->getSubExpr();
  if (auto *lambda = dyn_cast<LambdaExpr>(operand)) {
    for (auto [capture, init] : llvm::zip(lambda->captures(), lambda->capture_inits()))
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef && init)
        addPointedAt(init, variables, context);
    return;
  }
  if (auto *unary = dyn_cast<UnaryOperator>(operand)) {
    if (unary->getOpcode() == UO_AddrOf)
      addPointedAt(unary->getSubExpr(), variables, context);
    return;
  }
  if (auto *binary = dyn_cast<BinaryOperator>(operand)) {
    if (binary->isAdditiveOp() && binary->getType()->isPointerType())
      for (Expr *side : {binary->getLHS(), binary->getRHS()})
        if (side->getType()->isPointerType() && isa<ImplicitCastExpr>(side->IgnoreParens()))
          addPointedAt(side, variables, context);
    return;
  }
  const VarDecl *variable = namedObject(operand, context).variable;
  if (variable && variable->hasLocalStorage())
    variables.insert(variable);
}

// Adds the local variables that a spawned call may use through its operands.
void ResultSites::addArguments(UnaryOperator *spawn, const WaitingRegion *region) {
  SpawnSite site;
  site.spawn = spawn;
  if (!site.call())
    return;
  Pointed variables;
  auto add = [&](const Expr *operand) {
    auto *cast = dyn_cast<ImplicitCastExpr>(operand->IgnoreParens());
    bool isValue = cast && cast->getCastKind() == CK_LValueToRValue;
    if (operand->isGLValue() || (operand->getType()->isPointerType() && !isValue))
      addPointedAt(operand, variables, context);
  };
  if (const Expr *object = site.object())
    add(object);
  for (const Expr *argument : site.call()->arguments())
    add(argument);
  for (const VarDecl *variable : variables) {
    completions[site.call()].push_back(sites.size()); // the control-flow graph leaves out __extension__
    sites.push_back({{variable, {}}, spawn->getOperatorLoc(), region, {}, std::nullopt, /*isArgument=*/true});
  }
}

void ResultSites::addUse(ResultUse::Kind kind, const Expr *object, const Stmt *stmt, bool isByMember) {
  NamedObject named = namedObject(object, context);
  if (named.variable && isDeferred)
    escaped.insert(named.variable);
  else if (named.variable)
    uses.try_emplace(stmt, ResultUse{kind, std::move(named), object->getExprLoc(), stmt, std::nullopt, isByMember});
}

// Visits the operand of an access. The name of the variable is part of the access; other parts of the operand, such as
// indices, are visited like any expression.
void ResultSites::visitOperand(Expr *operand, const WaitingRegion *region) {
  if (isa<DeclRefExpr>(operand->IgnoreParens()))
    regions[operand] = region;
  else
    visitExpression(operand, region, /*isStatement=*/false);
}

// Returns true if the expression calls a class's operator= with another object of the same class.
static bool isClassAssignment(const Expr *expr) {
  auto *call = dyn_cast<CXXOperatorCallExpr>(expr);
  auto *method = call ? dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee()) : nullptr;
  return method && call->getNumArgs() == 2 &&
         (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
}

static const Expr *copiedObject(const Expr *expr) {
  if (auto *cast = dyn_cast<ImplicitCastExpr>(expr))
    return cast->getCastKind() == CK_LValueToRValue ? cast->getSubExpr() : nullptr;
  auto *construct = dyn_cast<CXXConstructExpr>(expr);
  bool isCopy = construct && construct->getNumArgs() == 1 && construct->getConstructor()->isCopyOrMoveConstructor();
  return isCopy ? construct->getArg(0) : nullptr;
}

// Visits reads and writes. Returns false if the caller must still visit the operands.
bool ResultSites::visitAccess(Expr *expr, const WaitingRegion *region) {
  if (const Expr *source = copiedObject(expr)) {
    addUse(ResultUse::Read, source, expr);
    visitOperand(const_cast<Expr *>(source), region);
    return true;
  }
  if (auto *unary = dyn_cast<UnaryOperator>(expr); unary && unary->isIncrementDecrementOp()) {
    addUse(ResultUse::Write, unary->getSubExpr(), expr);
    visitOperand(unary->getSubExpr(), region);
    return true;
  }
  if (auto *binary = dyn_cast<BinaryOperator>(expr); binary && binary->isAssignmentOp()) {
    addUse(ResultUse::Write, binary->getLHS(), expr);
    visitOperand(binary->getLHS(), region);
    visitExpression(binary->getRHS(), region, /*isStatement=*/false);
    return true;
  }
  if (const Expr *object = readByMember(expr))
    addUse(ResultUse::Read, object, expr, /*isByMember=*/true);
  if (isClassAssignment(expr)) {
    auto *call = cast<CXXOperatorCallExpr>(expr);
    addUse(ResultUse::Write, call->getArg(0), expr);
    addUse(ResultUse::Read, call->getArg(1), call->getArg(1));
  }
  return false;
}

// Returns true for an operand that is never evaluated and therefore is not a use.
static bool isUnevaluated(const Expr *expr) {
  return isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, OffsetOfExpr, RequiresExpr, TypeTraitExpr>(expr);
}

void ResultSites::visitExpression(Expr *expr, const WaitingRegion *region, bool isStatement) {
  hasErrors |= expr->containsErrors() || depth == kDeepestStatement;
  if (hasErrors || isUnevaluated(expr))
    return;
  llvm::SaveAndRestore deeper(depth, depth + 1);
  if (region)
    regions[expr] = region;
  if (auto *lambda = dyn_cast<LambdaExpr>(expr)) {
    for (Expr *init : lambda->capture_inits())
      if (init)
        visitExpression(init, region, /*isStatement=*/false);
    return;
  }
  if (auto *choice = dyn_cast<GenericSelectionExpr>(expr)) {
    if (!choice->isResultDependent())
      visitExpression(choice->getResultExpr(), region, /*isStatement=*/false);
    return;
  }
  if (auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    if (syncVariable && ref->getDecl() == syncVariable)
      syncs.insert(ref);
    else if (auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      escaped.insert(variable);
    return;
  }
  if (BinaryOperator *comma = isStatement ? asSequence(expr) : nullptr) {
    if (region)
      regions[comma] = region;
    visitExpression(comma->getLHS(), region, /*isStatement=*/true);
    visitExpression(comma->getRHS(), region, /*isStatement=*/true);
    return;
  }
  if (auto *op = dyn_cast<UnaryOperator>(expr); op && keywords.isSpawn(op))
    addArguments(op, region);
  SpawnSite site = isStatement ? matchStatement(expr, keywords, context) : SpawnSite();
  if (site.spawn && site.destination) {
    // An update by a class's operator is not a site, because the class decides whether several children may update one
    // object.
    if (!site.operation || site.operation->getOperator() == OO_Equal)
      addSite(site.whole, site.destination, nullptr, site.spawn->getOperatorLoc(), region,
              site.update ? updateOperation(site.update, context) : std::nullopt);
    if (region)
      regions[site.whole] = region;
    visitOperand(site.destination, region);
    visitExpression(site.value, region, /*isStatement=*/false);
    return;
  }
  if (!visitAccess(expr, region))
    visitChildren(expr, region);
}

void ResultSites::visitChildren(Stmt *stmt, const WaitingRegion *region) {
  bool isStatement = !isa<Expr>(stmt);
  for (Stmt *child : stmt->children()) {
    if (auto *expr = dyn_cast_or_null<Expr>(child))
      visitExpression(expr, region, isStatement);
    else if (child)
      visit(child, region);
  }
}

// Visits an ordered spawn. Its items are no uses, because the spawn does not read them before the task runs. The items
// that its task writes are sites.
void ResultSites::visitDepend(SwitchStmt *pragma, const WaitingRegion *region) {
  Stmt *statement = dependStatement(pragma);
  auto items = dependItems(pragma, keywords, context, /*reports=*/false);
  hasErrors |= !statement || !items;
  if (hasErrors)
    return;
  if (region)
    regions[pragma] = regions[pragma->getBody()] = region;
  for (const DependItem &item : *items)
    if (NamedObject object = namedObject(item.object, context); item.writes && object.variable)
      written.push_back(std::move(object));
  visit(statement, region);
  auto *expr = dyn_cast<Expr>(statement);
  SpawnSite spawned = expr ? matchStatement(expr, keywords, context) : SpawnSite();
  if (spawned.spawn && spawned.call())
    for (const NamedObject &object : written) {
      completions[spawned.call()].push_back(sites.size());
      sites.push_back({.object = object,
                       .at = spawned.spawn->getOperatorLoc(),
                       .region = region,
                       .indexVariables = {},
                       .isOrdered = true,
                       .isItem = true});
    }
  written.clear();
}

const WaitingRegion *ResultSites::openRegion(Stmt *stmt, const WaitingRegion *parent) {
  const WaitingRegion *region =
      ownedRegions.emplace_back(std::make_unique<WaitingRegion>(WaitingRegion{parent, stmt})).get();
  for (Stmt *jump : RegionJumps(stmt).leaving)
    leaving[jump].push_back(region);
  return region;
}

void ResultSites::visit(Stmt *stmt, const WaitingRegion *region) {
  if (auto *expr = dyn_cast<Expr>(stmt))
    return visitExpression(expr, region, /*isStatement=*/true);
  hasErrors |= depth == kDeepestStatement;
  if (hasErrors)
    return;
  llvm::SaveAndRestore deeper(depth, depth + 1);
  if (region)
    regions[stmt] = region;
  if (auto *choice = dyn_cast<SwitchStmt>(stmt); choice && keywords.isDepend(choice))
    return visitDepend(choice, region);
  Stmt *block = nullptr;
  if (auto *loop = dyn_cast<ForStmt>(stmt); loop && keywords.isFor(loop))
    block = loop->getBody();
  else if (auto *range = dyn_cast<CXXForRangeStmt>(stmt); range && keywords.isFor(range))
    block = range->getBody();
  else if (auto *scope = dyn_cast<AttributedStmt>(stmt);
           scope && (keywords.scopeLocation(scope).isValid() || keywords.spawnedLocation(scope).isValid()))
    block = scope->getSubStmt();
  else if (auto *attempt = dyn_cast<CXXTryStmt>(stmt))
    block = attempt->getTryBlock();
  hasHandlers |= isa<CXXTryStmt>(stmt);
  llvm::SaveAndRestore deferring(isDeferred, isDeferred || isa<DeferStmt>(stmt));
  if (auto *declarations = dyn_cast<DeclStmt>(stmt)) {
    for (Decl *decl : declarations->decls()) {
      hasErrors |= decl->isInvalidDecl();
      auto *variable = dyn_cast<VarDecl>(decl);
      if (!variable || !variable->getInit() || hasErrors || variable->getInit()->containsErrors())
        continue;
      SpawnSite site = matchInitializer(variable, keywords);
      if (site.spawn)
        addSite(variable, nullptr, variable, site.spawn->getOperatorLoc(), region);
    }
  }
  for (Stmt *child : stmt->children()) {
    if (!child)
      continue;
    visit(child, child == block ? openRegion(block, region) : region);
  }
}

} // namespace cilk2gpu
