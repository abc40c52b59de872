// Walks over a function's body. The walk must see every expression that CodeGen may emit for the function, including
// default arguments and member initializers. A spawn that it missed would silently run serially.
#include "FunctionChecks.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace cilk2gpu {

void FunctionScan::hazard(SourceLocation at, Message message, const NamedDecl *name) {
  hazards.push_back({at, message, name, loopDepth != 0});
}

void FunctionScan::visit(Stmt *stmt) {
  if (!stmt)
    return;
  if (auto *lambda = dyn_cast<LambdaExpr>(stmt)) {
    for (Expr *init : lambda->capture_inits())
      visit(init);
    nestedDecls.push_back(lambda->getCallOperator());
    return;
  }
  if (auto *declaration = dyn_cast<DeclStmt>(stmt)) {
    for (Decl *decl : declaration->decls()) {
      if (auto *variable = dyn_cast<VarDecl>(decl))
        visitVariable(variable);
      else if (isa<TagDecl>(decl))
        nestedDecls.push_back(decl);
    }
  }
  if (isa<CXXTryStmt>(stmt))
    return visitTry(stmt);
  if (auto *defer = dyn_cast<DeferStmt>(stmt))
    return visitDefer(defer);
  if (auto *label = dyn_cast<LabelStmt>(stmt))
    visitLabel(label);
  visitExpression(stmt);
  bool isLoop = visitKeyword(stmt);
  loopDepth += isLoop;
  auto *assembly = dyn_cast<GCCAsmStmt>(stmt);
  for (Stmt *child : stmt->children())
    if (!assembly || !isa<AddrLabelExpr>(child)) // an asm goto's label
      withEnoughStack([&] { visit(child); });
  loopDepth -= isLoop;
}

// Counts the statement if it is a keyword. Returns true if it is a cilk_for or a spawned block.
bool FunctionScan::visitKeyword(Stmt *stmt) {
  SourceLocation at;
  bool isLoop = false;
  if (auto *op = dyn_cast<UnaryOperator>(stmt)) {
    at = keywords.isSpawn(op) ? op->getOperatorLoc() : at;
  } else if (auto *ref = dyn_cast<DeclRefExpr>(stmt)) {
    at = syncVariable && ref->getDecl() == syncVariable ? ref->getLocation() : at;
  } else if (auto *loop = dyn_cast<ForStmt>(stmt); loop && keywords.isFor(loop)) {
    at = loop->getForLoc();
    isLoop = true;
  } else if (auto *range = dyn_cast<CXXForRangeStmt>(stmt); range && keywords.isFor(range)) {
    at = range->getForLoc();
    isLoop = true;
  } else if (auto *scope = dyn_cast<AttributedStmt>(stmt)) {
    at = keywords.scopeLocation(scope);
    isLoop = at.isInvalid() && keywords.spawnedLocation(scope).isValid(); // a task of its own, like an iteration
    at = isLoop ? keywords.spawnedLocation(scope) : at;
  } else if (auto *choice = dyn_cast<SwitchStmt>(stmt); choice && keywords.isDepend(choice)) {
    at = choice->getSwitchLoc();
    destructors = true; // of the frame's table
  }
  if (at.isValid()) {
    ++uses;
    locations.push_back(at);
  }
  return isLoop;
}

// Returns true if a static variable needs code to initialize it. If its class declares no constructor, the variable
// starts as zeros.
static bool isInitializedAtRunTime(const VarDecl *variable) {
  const Expr *init = variable->getInit();
  if (!init || init->isValueDependent() || variable->hasConstantInitialization())
    return false;
  auto *construct = dyn_cast<CXXConstructExpr>(init);
  return !construct || construct->getNumArgs() != 0 || !construct->getConstructor()->isTrivial();
}

void FunctionScan::visitVariable(VarDecl *variable) {
  bool extends = variable->getType()->isReferenceType() && variable->getInit() &&
                 isa<ExprWithCleanups, MaterializeTemporaryExpr>(variable->getInit());
  // The end of a variable-length array frees its storage, so it counts as a destructor.
  bool isVariable = variable->getType()->isArrayType() && variable->getType()->isVariablyModifiedType();
  destructors |= variable->hasLocalStorage() && (extends || isVariable || variable->hasAttr<CleanupAttr>() ||
                                                 variable->needsDestruction(sema.Context) != QualType::DK_none);
  bool hasGuard = sema.getLangOpts().ThreadsafeStatics && variable->getTLSKind() == VarDecl::TLS_None;
  if (variable->isStaticLocal() && sema.getLangOpts().CPlusPlus && !hasGuard && isInitializedAtRunTime(variable))
    hazard(variable->getLocation(), Message::StaticLocal, variable);
}

// Refuses `cilk_sync:`, a label that would wait for nothing.
void FunctionScan::visitLabel(LabelStmt *label) {
  SourceLocation at = label->getIdentLoc();
  if (!keywords.isSyncName(label->getDecl()->getIdentifier()))
    return;
  keywords.account(at);
  if (!keywords.markReported(at))
    return;
  DiagnosticBuilder builder = report(sema.Diags, at, Message::SyncLabel);
  builder << keywords.syncSpelling();
  std::optional<Token> colon = Lexer::findNextToken(sema.SourceMgr.getSpellingLoc(at), sema.SourceMgr, sema.LangOpts);
  if (!at.isMacroID() && colon && colon->is(tok::colon))
    builder << FixItHint::CreateReplacement(colon->getLocation(), ";");
}

// A handler is part of the kernel around it, so nothing in it may wait unless the task takes the caught exception
// along.
void FunctionScan::visitTry(Stmt *stmt) {
  auto *attempt = cast<CXXTryStmt>(stmt);
  destructors |= keywords.throwsFromTasks(); // so that a return in the try block waits there
  ++tryDepth;
  visit(attempt->getTryBlock());
  --tryDepth;
  unsigned before = uses;
  for (unsigned i = 0; i != attempt->getNumHandlers(); ++i)
    visit(attempt->getHandler(i)->getHandlerBlock());
  if (uses != before && !keywords.mayThrow())
    hazard(stmt->getBeginLoc(), Message::Try);
}

// A deferred statement runs where its block ends, like a destructor.
void FunctionScan::visitDefer(DeferStmt *stmt) {
  destructors = true;
  unsigned before = uses;
  visit(stmt->getBody());
  if (uses != before)
    hazard(stmt->getDeferLoc(), Message::Defer);
}

void FunctionScan::visitExpression(Stmt *stmt) {
  if (auto *call = dyn_cast<CallExpr>(stmt)) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return;
    unsigned builtin = callee->getBuiltinID();
    if (callee->hasAttr<ReturnsTwiceAttr>() || builtin == Builtin::BI__builtin_setjmp)
      hazard(call->getBeginLoc(), Message::Setjmp);
    if (builtin == Builtin::BIlongjmp || builtin == Builtin::BI_longjmp || builtin == Builtin::BIsiglongjmp ||
        builtin == Builtin::BI__builtin_longjmp)
      hazard(call->getBeginLoc(), Message::Longjmp);
  } else if (auto *argument = dyn_cast<CXXDefaultArgExpr>(stmt)) {
    visit(argument->getExpr());
  } else if (auto *init = dyn_cast<CXXDefaultInitExpr>(stmt)) {
    visit(init->getExpr());
  } else if (isa<SEHTryStmt>(stmt)) {
    hazard(stmt->getBeginLoc(), Message::Try);
  } else if (isa<CXXThrowExpr>(stmt)) {
    if (!tryDepth && !keywords.mayThrow())
      hazard(stmt->getBeginLoc(), Message::Throw);
  } else if (isa<CoroutineBodyStmt, CoreturnStmt, CoroutineSuspendExpr>(stmt)) {
    hazard(stmt->getBeginLoc(), Message::Coroutine);
  } else if (isa<OMPExecutableDirective, CapturedStmt>(stmt)) {
    hazard(stmt->getBeginLoc(), Message::Directive);
  } else if (isa<IndirectGotoStmt, AddrLabelExpr>(stmt)) {
    hazard(stmt->getBeginLoc(), Message::ComputedGoto);
  } else if (auto *assembly = dyn_cast<GCCAsmStmt>(stmt); assembly && assembly->isAsmGoto()) {
    hazard(stmt->getBeginLoc(), Message::AsmGoto);
  }
}

// Returns true for a construct that only main may contain, outside of cilk_for. main is never split into segments, so
// its frame is an ordinary C frame. Jumps to computed addresses are not allowed there: MLIR cannot express them.
static bool allowedInMain(Message message) {
  return message == Message::Try || message == Message::Throw || message == Message::Setjmp ||
         message == Message::Longjmp;
}

// Returns true if only some exceptions may leave the function. A task cannot have such a filter, because no exception
// can leave a task.
static bool filtersExceptions(const FunctionDecl *function, const LangOptions &options) {
  auto *type = function->getType()->getAs<FunctionProtoType>();
  return type && options.CXXExceptions && type->hasDynamicExceptionSpec() &&
         !(type->getExceptionSpecType() == EST_DynamicNone && options.CPlusPlus17);
}

bool FunctionScan::reportHazards(const FunctionDecl *function) const {
  DiagnosticsEngine &diags = sema.Diags;
  llvm::SmallVector<Hazard, 8> all;
  if (filtersExceptions(function, sema.getLangOpts()))
    all.push_back({function->getLocation(), Message::ExceptionSpecification, nullptr, false});
  if (function->isConsteval())
    all.push_back({function->getLocation(), Message::Immediate, nullptr, false});
  if (function->isVariadic())
    all.push_back({function->getLocation(), Message::VariadicFunction, nullptr, false});
  for (const Hazard &hazard : hazards)
    if (!function->isMain() || hazard.inLoop || !allowedInMain(hazard.message))
      all.push_back(hazard);
  llvm::SmallDenseSet<unsigned> reported; // one report for each kind, because the remedy is the same
  for (const Hazard &hazard : all) {
    if (!reported.insert(unsigned(hazard.message)).second || !keywords.markReported(hazard.at))
      continue;
    DiagnosticBuilder builder = report(diags, hazard.at, hazard.message);
    if (hazard.name)
      builder << hazard.name;
  }
  return !all.empty();
}

void FunctionScan::accountAll() const {
  for (SourceLocation at : locations)
    keywords.account(at);
}

} // namespace cilk2gpu
