// Walks over statements to find keywords in their legal positions. Keywords in expressions or declarations at other
// positions are refused.
#include "DependFrame.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "Frontend/Syntax/RegionJumps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2gpu {

static CompoundStmt *withBody(ASTContext &context, CompoundStmt *old, ArrayRef<Stmt *> body) {
  FPOptionsOverride features = old->hasStoredFPFeatures() ? old->getStoredFPFeatures() : FPOptionsOverride();
  return CompoundStmt::Create(context, body, features, old->getLBracLoc(), old->getRBracLoc());
}

Stmt *FunctionRewriter::rewriteBody(FunctionDecl *rewritten, bool destroys) {
  function = rewritten;
  functionBody = function->getBody();
  hasDestructors = destroys;
  std::unique_ptr<DependFrame> outer = openFrame(functionBody);
  Stmt *body = rewrite(functionBody);
  if (!hasDestructors)
    return body;
  syncReturns(body);
  if (auto *block = dyn_cast<CompoundStmt>(body)) { // else it is the try block of a function, in main
    SmallVector<Stmt *, 16> statements(block->body());
    statements.push_back(makeSync(block->getRBracLoc()));
    body = withBody(context, block, statements);
  }
  return closeFrame(std::move(outer), body);
}

bool FunctionRewriter::isSync(const Expr *expr) const {
  auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreImpCasts());
  return ref && syncVariable && ref->getDecl() == syncVariable;
}

// Rewrites a statement in a position that takes exactly one statement.
Stmt *FunctionRewriter::rewrite(Stmt *stmt) {
  if (!stmt)
    return nullptr;
  SmallVector<Stmt *, 4> output;
  rewriteInto(stmt, output);
  if (output.size() == 1)
    return output.front();
  return CompoundStmt::Create(context, output, FPOptionsOverride(), stmt->getBeginLoc(), stmt->getEndLoc());
}

// Returns true if `child` is a statement under `parent`, and not a condition or a part of a header.
static bool isStatementSlot(const Stmt *parent, const Stmt *child) {
  if (auto *branch = dyn_cast<IfStmt>(parent))
    return child == branch->getThen() || child == branch->getElse();
  if (auto *loop = dyn_cast<ForStmt>(parent))
    return child == loop->getBody() || child == loop->getInc();
  if (auto *loop = dyn_cast<WhileStmt>(parent))
    return child == loop->getBody();
  if (auto *loop = dyn_cast<DoStmt>(parent))
    return child == loop->getBody();
  if (auto *choice = dyn_cast<SwitchStmt>(parent))
    return child == choice->getBody();
  if (auto *loop = dyn_cast<CXXForRangeStmt>(parent))
    return child == loop->getBody();
  if (auto *label = dyn_cast<SwitchCase>(parent))
    return child == label->getSubStmt();
  return isa<LabelStmt, AttributedStmt, CXXCatchStmt>(parent);
}

// Returns the part before the first ';' in a statement's header.
static Stmt *initOf(Stmt *stmt) {
  if (auto *branch = dyn_cast<IfStmt>(stmt))
    return branch->getInit();
  if (auto *choice = dyn_cast<SwitchStmt>(stmt))
    return choice->getInit();
  if (auto *loop = dyn_cast<CXXForRangeStmt>(stmt))
    return loop->getInit();
  auto *loop = dyn_cast<ForStmt>(stmt);
  return loop ? loop->getInit() : nullptr;
}

// `for (T x = spawn f(); c; i) s` -> `T x; x = f() between markers; for (; c; i) s`, for all statements with such a
// header. Appends the declarations to `output` and returns the statement. The caller puts a block around both.
Stmt *FunctionRewriter::rewriteInit(Stmt *stmt, Output &output) {
  Stmt *init = initOf(stmt);
  if (!init)
    return stmt;
  SmallVector<Stmt *, 4> parts;
  rewriteInto(init, parts);
  bool isMoved = parts.size() > 1;
  for (Stmt *&child : stmt->children())
    if (child == init)
      child = isMoved ? nullptr : parts.front();
  if (!isMoved)
    return stmt;
  output.append(parts.begin(), parts.end());
  SmallVector<LoopControlStmt *, 1> jumps; // jumps that name the loop by its label, because the label will move
  if (auto *loop = dyn_cast<ForStmt>(stmt))
    for (Stmt *jump : RegionJumps(loop->getBody()).leaving)
      if (auto *control = dyn_cast<LoopControlStmt>(jump); control && control->getNamedLoopOrSwitch() == stmt)
        jumps.push_back(control);
  return jumps.empty() ? stmt : makeNamed(stmt, jumps, function, context);
}

// Reports a depend pragma in front of a declaration without a spawn.
static void reportUnused(std::optional<DependOrder> &order, Keywords &keywords, ASTContext &context) {
  if (order && order->isGood && keywords.markReported(order->pragma))
    report(context.getDiagnostics(), order->pragma, Message::DependWithoutSpawn) << keywords.spawnSpelling();
  order.reset();
}

// Appends the replacement of `stmt` to `output`. It has several statements if `stmt` declares variables that spawns
// initialize, because these declarations must stay in the enclosing block.
void FunctionRewriter::rewriteInto(Stmt *stmt, Output &output) {
  if (auto *compound = dyn_cast<CompoundStmt>(stmt)) {
    SmallVector<Stmt *, 16> body;
    for (Stmt *child : compound->body()) {
      bool follows = declared.has_value();
      rewriteInto(child, body);
      if (follows)
        reportUnused(declared, keywords, context);
    }
    reportUnused(declared, keywords, context);
    output.push_back(llvm::equal(compound->body(), body) ? compound : withBody(context, compound, body));
  } else if (auto *declarations = dyn_cast<DeclStmt>(stmt)) {
    rewriteDeclarations(declarations, output);
  } else if (auto *expr = dyn_cast<Expr>(stmt)) {
    output.push_back(rewriteExpression(expr));
  } else if (rewriteRegion(stmt, output)) {
    return;
  } else if (auto *attempt = dyn_cast<CXXTryStmt>(stmt)) {
    rewriteTry(attempt);
    output.push_back(attempt);
  } else if (isa<LabelStmt, SwitchCase, AttributedStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
                 CXXForRangeStmt>(stmt)) {
    bool isLoop = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt);
    SmallVector<Stmt *, 4> block;
    Stmt *rewritten = rewriteInit(stmt, block);
    loopDepth += isLoop;
    withEnoughStack([&] {
      output.push_back(rewritten);
      rewriteChildren(stmt, output);
    });
    loopDepth -= isLoop;
    if (block.empty())
      return;
    block.push_back(rewritten);
    output.back() = CompoundStmt::Create(context, block, FPOptionsOverride(), stmt->getBeginLoc(), stmt->getEndLoc());
  } else if (auto *result = dyn_cast<ReturnStmt>(stmt); !result || !rewriteReturn(result, output)) {
    refuse(stmt, result ? Misplacement::Return : Misplacement::Expression);
    if (scopeJumps.contains(stmt)) {
      output.push_back(makeSync(stmt->getBeginLoc()));
      syncedJumps.insert(stmt);
    }
    output.push_back(stmt);
  }
}

// Rewrites a cilk_for, with or without its pragma, a cilk_scope, a spawned block, or an ordered spawn. Returns false
// for all other statements.
bool FunctionRewriter::rewriteRegion(Stmt *stmt, Output &output) {
  if (std::optional<DoacrossText> text = matchPragma(stmt, keywords)) {
    output.push_back(rewriteDoacross(*text));
    return true;
  }
  if (auto *choice = dyn_cast<SwitchStmt>(stmt); choice && keywords.isDepend(choice)) {
    output.push_back(rewriteDepend(choice));
    return true;
  }
  Expr *grain = nullptr;
  Stmt *loop = stmt;
  if (auto *choice = dyn_cast<SwitchStmt>(stmt); choice && keywords.isGrain(choice)) {
    auto *label = dyn_cast<DefaultStmt>(choice->getBody());
    if (!label)
      return false;
    grain = choice->getCond();
    loop = label->getSubStmt();
    refuse(grain, Misplacement::Condition);
  }
  auto *counted = dyn_cast<ForStmt>(loop);
  auto *range = dyn_cast<CXXForRangeStmt>(loop);
  if ((counted && keywords.isFor(counted)) || (range && keywords.isFor(range))) {
    output.push_back(rewriteLoop(loop, grain));
    return true;
  }
  auto *scope = dyn_cast<AttributedStmt>(stmt);
  if (scope && keywords.spawnedLocation(scope).isValid()) {
    output.push_back(rewriteSpawnedBlock(scope));
    return true;
  }
  if (!scope || keywords.scopeLocation(scope).isInvalid())
    return false;
  keywords.account(keywords.scopeLocation(scope));
  checkEntries(scope->getSubStmt(), Message::ScopeEntry);
  rewriteScope(scope->getSubStmt(), output, /*isWritten=*/true);
  return true;
}

// `cilk_scope { a; break; b; }` -> `{ a; { sync; break; } b; sync; }`, for every jump out of the scope. A return needs
// no sync here, because the function syncs there anyway.
void FunctionRewriter::rewriteScope(Stmt *block, Output &output, bool isWritten) {
  SmallVector<Stmt *, 4> jumps;
  for (Stmt *jump : RegionJumps(block).leaving)
    if (!isa<ReturnStmt>(jump))
      jumps.push_back(jump);
  scopeJumps.insert(jumps.begin(), jumps.end());
  Stmt *rewritten = rewrite(block);
  auto *body = dyn_cast<CompoundStmt>(rewritten);
  if (!body)
    return output.push_back(rewritten); // reported when it was parsed
  SmallVector<Stmt *, 16> statements(body->body());
  statements.push_back(makeSync(body->getRBracLoc(), isWritten));
  output.push_back(withBody(context, body, statements));
  for (Stmt *jump : jumps)
    if (!syncedJumps.contains(jump) && keywords.markReported(jump->getBeginLoc()))
      report(context.getDiagnostics(), jump->getBeginLoc(), Message::ScopeJump);
}

// Rewrites a try statement. The end of a try block waits for the block's children, as in a cilk_scope. The handlers do
// not belong to the block. Only main's handlers may contain keywords.
void FunctionRewriter::rewriteTry(CXXTryStmt *stmt) {
  bool first = true;
  for (Stmt *&child : stmt->children()) {
    SmallVector<Stmt *, 1> block;
    if (!first)
      rewriteChildren(child, block);
    else if (containsSpawn(child))
      rewriteScope(child, block);
    else
      block.push_back(rewrite(child));
    if (first)
      child = block.front();
    first = false;
  }
}

// Rewrites the statements under `parent` that stand in positions for statements. A declaration after a label belongs to
// the block around the label, so statements that do not fit behind the label are appended to `output`.
void FunctionRewriter::rewriteChildren(Stmt *parent, Output &output) {
  bool isLabel = isa<LabelStmt, SwitchCase, AttributedStmt>(parent);
  Stmt *init = initOf(parent);
  for (Stmt *&child : parent->children()) {
    if (!child || child == init)
      continue; // rewritten
    if (!isStatementSlot(parent, child)) {
      refuse(child, Misplacement::Condition);
    } else if (isLabel) {
      SmallVector<Stmt *, 4> rest;
      rewriteInto(child, rest);
      child = rest.front();
      output.append(rest.begin() + 1, rest.end());
    } else {
      child = rewrite(child);
    }
  }
}

// Makes a variable for the value to which `const T &variable = spawn f()` refers, and makes the reference refer to it.
// Returns null for all other variables.
VarDecl *FunctionRewriter::makeReferredValue(VarDecl *variable) {
  if (!variable->getType()->isReferenceType() || !variable->hasLocalStorage() || isa<DecompositionDecl>(variable))
    return nullptr;
  Expr *init = variable->getInit();
  if (auto *cleanups = dyn_cast<ExprWithCleanups>(init))
    init = cleanups->getSubExpr();
  auto *temporary = dyn_cast<MaterializeTemporaryExpr>(init->IgnoreParens());
  if (!temporary || temporary->getExtendingDecl() != variable)
    return nullptr;
  SourceLocation at = variable->getLocation();
  QualType type = temporary->getType().getUnqualifiedType();
  auto *value = VarDecl::Create(context, variable->getDeclContext(), at, at, &context.Idents.get("cilk_spawn.value"),
                                type, context.getTrivialTypeSourceInfo(type, at), SC_None);
  value->setImplicit();
  value->setIsUsed();
  value->setInit(temporary->getSubExpr());
  if (!matchInitializer(value, keywords).spawn)
    return nullptr;
  variable->setInit(DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), value, false, at,
                                        temporary->getType(), VK_LValue));
  return value;
}

// Gives the variable the result of a spawn: the child constructs the variable, or assigns to it.
void FunctionRewriter::initialize(VarDecl *variable, Expr *assignment, bool constructs, Output &parts) {
  variable->setInit(constructs ? assignment : nullptr);
  if (!constructs)
    parts.push_back(assignment);
}

// `T x = spawn f(), y = x0;`  ->  `T x; x = f() between markers; T y = x0;`
void FunctionRewriter::rewriteDeclarations(DeclStmt *declarations, Output &output) {
  SmallVector<Stmt *, 4> parts;
  bool spawns = false, invalid = false;
  for (Decl *decl : declarations->decls()) {
    parts.push_back(new (context) DeclStmt(DeclGroupRef(decl), declarations->getBeginLoc(), declarations->getEndLoc()));
    auto *variable = dyn_cast<VarDecl>(decl);
    invalid |= decl->isInvalidDecl();
    if (!variable || !variable->getInit() || decl->isInvalidDecl() || variable->getInit()->containsErrors())
      continue;
    if (VarDecl *value = makeReferredValue(variable)) {
      spawns = true;
      Stmt *reference = parts.pop_back_val();
      parts.push_back(new (context) DeclStmt(DeclGroupRef(value), reference->getBeginLoc(), reference->getEndLoc()));
      SpawnSite site = matchInitializer(value, keywords);
      bool constructs = site.constructs(context);
      if (Expr *assignment = rewriteSpawn(site))
        initialize(value, assignment, constructs, parts);
      parts.push_back(reference);
      continue;
    }
    SpawnSite site = matchInitializer(variable, keywords);
    if (!site.spawn) {
      bool isReference = variable->getType()->isReferenceType();
      refuse(variable->getInit(), variable->isStaticLocal() || variable->getTLSKind() ? Misplacement::StaticInitializer
                                  : isReference                      ? Misplacement::ReferenceInitializer
                                  : isa<DecompositionDecl>(variable) ? Misplacement::Bindings
                                                                     : Misplacement::Expression);
      continue;
    }
    spawns = true;
    bool constructs = site.constructs(context);
    if (Expr *assignment = rewriteSpawn(site))
      initialize(variable, assignment, constructs, parts);
  }
  if (spawns) {
    output.append(parts.begin(), parts.end());
    return;
  }
  if (!invalid)
    for (Stmt *size : declarations->children()) // array bounds
      refuse(size, Misplacement::Expression);
  output.push_back(declarations);
}

// `a = 1, x = spawn f();`: the operands of a comma are evaluated one after the other, like statements.
Expr *FunctionRewriter::rewriteSequence(Expr *expr, BinaryOperator *comma) {
  auto rewriteOperand = [&](Expr *operand) {
    if (!isSync(operand)) // the elision of a sync is nothing, which is no operand
      return rewriteExpression(operand);
    refuse(operand, Misplacement::Expression);
    return operand;
  };
  Expr *last = comma->getRHS();
  withEnoughStack([&] {
    comma->setLHS(rewriteOperand(comma->getLHS()));
    comma->setRHS(rewriteOperand(last));
  });
  if (comma->getRHS() == last)
    return expr;
  comma->setType(context.VoidTy);
  comma->setValueKind(VK_PRValue);
  if (auto *cleanups = dyn_cast<ExprWithCleanups>(expr))
    return ExprWithCleanups::Create(context, comma, cleanups->cleanupsHaveSideEffects(), {});
  return comma;
}

Expr *FunctionRewriter::rewriteExpression(Expr *expr) {
  if (expr->containsErrors())
    return expr;
  if (isSync(expr)) {
    keywords.account(expr->getExprLoc());
    return makeSync(expr->getExprLoc(), /*isWritten=*/true);
  }
  if (BinaryOperator *comma = asSequence(expr))
    return rewriteSequence(expr, comma);
  SpawnSite site = matchStatement(expr, keywords, context);
  bool isExpression = !site.spawn || (!site.destination && !site.spawnsCall());
  if (UnaryOperator *spawn = isExpression ? takeLeadingSpawn(expr) : nullptr)
    return makeSpawnedExpression(spawn, expr);
  if (!site.spawn) {
    refuse(expr, Misplacement::Expression);
    return expr;
  }
  Expr *rewritten = rewriteSpawn(site);
  return rewritten ? rewritten : expr;
}

static FixItHint removeKeyword(const UnaryOperator *spawn) {
  return FixItHint::CreateRemoval(
      CharSourceRange::getCharRange(spawn->getOperatorLoc(), spawn->getSubExpr()->getBeginLoc()));
}

// Reports a spawn whose keyword stands before a conversion of the call, and suggests to put it before the call.
bool FunctionRewriter::refuseBefore(const UnaryOperator *spawn, const Expr *call) {
  keywords.account(spawn->getOperatorLoc());
  if (!keywords.markReported(spawn->getOperatorLoc()))
    return true;
  DiagnosticBuilder builder = report(context.getDiagnostics(), spawn->getOperatorLoc(), Message::SpawnedCast);
  builder << keywords.spawnSpelling();
  if (!spawn->getOperatorLoc().isMacroID() && !call->getBeginLoc().isMacroID())
    builder << removeKeyword(spawn)
            << FixItHint::CreateInsertion(call->getBeginLoc(), (keywords.spawnSpelling() + " ").str());
  return true;
}

// Marks the keyword as handled, and refuses keywords in the site's operands. Returns false if the site is refused.
bool FunctionRewriter::acceptSite(const SpawnSite &site) {
  keywords.account(site.spawn->getOperatorLoc());
  if (site.destination)
    refuse(site.destination, Misplacement::Expression);
  for (Stmt *operand : site.spawn->getSubExpr()->IgnoreParens()->children())
    refuse(operand, Misplacement::Argument);
  if (keywords.isReported(site.spawn->getOperatorLoc()))
    return false;
  const Expr *operand = site.spawn->getSubExpr();
  if (!site.call() && isa<CallExpr>(operand->IgnoreParenCasts()) &&
      refuseBefore(site.spawn, operand->IgnoreParenCasts()))
    return false;
  if (checkSite(site, context, keywords))
    return true;
  keywords.markReported(site.spawn->getOperatorLoc());
  return false;
}

// Rewrites the spawn. Returns null if the site was refused.
Expr *FunctionRewriter::rewriteSpawn(const SpawnSite &site, const DependOrder *order) {
  std::optional<DependOrder> own; // a pragma in front of a declaration belongs to its first spawn
  if (site.variable)
    own = std::exchange(declared, std::nullopt);
  order = own ? &*own : order;
  if (order && site.constructs(context)) {
    keywords.account(site.spawn->getOperatorLoc());
    if (keywords.markReported(site.spawn->getOperatorLoc()))
      report(context.getDiagnostics(), site.spawn->getOperatorLoc(), Message::DependObject)
          << 2u << 1u << site.call()->getType();
    return nullptr;
  }
  if (!acceptSite(site) || (order && !order->isGood))
    return nullptr;
  if (const FunctionDecl *callee = site.call()->getDirectCallee())
    markers.countSpawn(callee, loopDepth != 0);
  return order ? frame->makeTask(site, order->items) : markers.makeSpawn(site, nextId++);
}

// Rewrites `return spawn f();` into an ordinary call and a sync, because nothing runs in parallel with the child. The
// sync makes the function a Cilk function, which waits for the call as for a child. Returns false for all other
// statements.
bool FunctionRewriter::rewriteReturn(ReturnStmt *result, Output &output) {
  Expr *value = result->getRetValue();
  SpawnSite site = value && !value->containsErrors() ? matchReturned(value, keywords) : SpawnSite();
  if (!site.spawn)
    return false;
  bool needsSync = acceptSite(site) && !hasDestructors; // with destructors, every return has a sync
  output.push_back(needsSync ? makeSyncedReturn(result) : result);
  return true;
}

void FunctionRewriter::refuse(Stmt *stmt, Misplacement kind) {
  if (auto *expr = dyn_cast_or_null<Expr>(stmt); !stmt || (expr && expr->containsErrors()))
    return; // Sema has reported it
  DiagnosticsEngine &diags = context.getDiagnostics();
  if (auto *op = dyn_cast<UnaryOperator>(stmt); op && keywords.isSpawn(op)) {
    keywords.account(op->getOperatorLoc());
    if (keywords.markReported(op->getOperatorLoc())) {
      DiagnosticBuilder builder = report(diags, op->getOperatorLoc(), Message::Misplaced);
      builder << unsigned(kind);
      // Nothing runs in parallel with these spawns, so removing the keyword does not change the program.
      if ((kind == Misplacement::Return || kind == Misplacement::CompoundAssignment) &&
          !op->getOperatorLoc().isMacroID())
        builder << removeKeyword(op);
    }
  } else if (auto *ref = dyn_cast<DeclRefExpr>(stmt); ref && isSync(ref)) {
    keywords.account(ref->getLocation());
    if (!keywords.markReported(ref->getLocation()))
      return;
    if (kind == Misplacement::StatementExpression)
      report(diags, ref->getLocation(), Message::SyncInStatementExpression);
    else
      report(diags, ref->getLocation(), Message::MisplacedSync) << keywords.syncSpelling();
  }
  refuseRegion(stmt);
  if (auto *argument = dyn_cast<CXXDefaultArgExpr>(stmt))
    return refuse(argument->getExpr(), Misplacement::Argument);
  if (auto *init = dyn_cast<CXXDefaultInitExpr>(stmt))
    return refuse(init->getExpr(), kind);
  if (auto *lambda = dyn_cast<LambdaExpr>(stmt)) {
    for (Expr *init : lambda->capture_inits())
      refuse(init, kind);
    return; // its body is a function of its own
  }
  if (isa<StmtExpr>(stmt))
    kind = Misplacement::StatementExpression;
  else if (kind == Misplacement::Expression && isa<CompoundAssignOperator>(stmt))
    kind = Misplacement::CompoundAssignment;
  else if (kind == Misplacement::Expression && isa<AbstractConditionalOperator>(stmt))
    kind = Misplacement::ConditionalOperator;
  else if (kind == Misplacement::Expression && isa<CallExpr, CXXConstructExpr>(stmt) && !isa<CXXOperatorCallExpr>(stmt))
    kind = Misplacement::Argument;
  for (Stmt *child : stmt->children())
    withEnoughStack([&] { refuse(child, kind); });
}

// Refuses a cilk_for, a cilk_scope or a spawned block inside of an expression.
void FunctionRewriter::refuseRegion(Stmt *stmt) {
  SourceLocation at;
  if (auto *loop = dyn_cast<ForStmt>(stmt); loop && keywords.isFor(loop))
    at = loop->getForLoc();
  else if (auto *range = dyn_cast<CXXForRangeStmt>(stmt); range && keywords.isFor(range))
    at = range->getForLoc();
  bool isBlock = false;
  if (auto *attributed = dyn_cast<AttributedStmt>(stmt)) {
    at = keywords.scopeLocation(attributed);
    isBlock = at.isInvalid();
    at = isBlock ? keywords.spawnedLocation(attributed) : at;
  }
  if (at.isInvalid())
    return;
  keywords.account(at);
  if (keywords.markReported(at))
    report(context.getDiagnostics(), at, Message::RegionInExpression) << (isBlock ? 2 : isa<AttributedStmt>(stmt));
}

} // namespace cilk2gpu
