// The consumer to which Clang hands declarations before CodeGen gets them. It also answers Sema's lookup of two names:
// - cilk_sync denotes a variable of type void, which is made when a program first uses it. So `cilk_sync;` is an
//   expression statement without a value, in C and C++, in source and in preprocessed text.
// - __cilk2gpu_reducer denotes the function in types of reducers (ReducerType.h).
#include "DependFrame.h"
#include "Frontend/Checks/FunctionChecks.h"
#include "Frontend/Checks/ResultSites.h"
#include "Frontend/Checks/StaticWrites.h"
#include "Frontend/Syntax/DeepWalk.h"
#include "Frontend/Syntax/Inlets.h"
#include "Frontend/Syntax/Keywords.h"
#include "ReducerRewrite.h"
#include "cilk2gpu/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace cilk2gpu {

namespace {

class NameLookup : public ExternalSemaSource {
public:
  NameLookup(const Keywords &keywords, ASTContext &context) : keywords(keywords), context(context) {}

  bool LookupUnqualified(LookupResult &result, Scope *) override {
    const IdentifierInfo *name = result.getLookupName().getAsIdentifierInfo();
    if (result.getLookupKind() != Sema::LookupOrdinaryName || result.isForRedeclaration() || !name)
      return false;
    if (name->isStr(kReducerFunction))
      result.addDecl(reducerFunction());
    else if (keywords.isSyncName(name))
      result.addDecl(madeSyncVariable(name));
    else
      return false;
    result.resolveKind();
    return true;
  }

  const VarDecl *variable() const { return syncVariable; }

  /// Returns true if the type of a reducer was written so far.
  bool sawReducer() const { return reducer != nullptr; }

private:
  VarDecl *madeSyncVariable(const IdentifierInfo *name) {
    if (!syncVariable) {
      syncVariable = VarDecl::Create(context, context.getTranslationUnitDecl(), SourceLocation(), SourceLocation(),
                                     name, context.VoidTy, nullptr, SC_Extern);
      syncVariable->setImplicit();
    }
    return syncVariable;
  }

  // Declares `int __cilk2gpu_reducer(void (*identity)(void *), void (*reduce)(void *, void *))`.
  FunctionDecl *reducerFunction() {
    if (reducer)
      return reducer;
    auto callback = [&](ArrayRef<QualType> parameters) {
      return context.getPointerType(
          context.getFunctionType(context.VoidTy, parameters, FunctionProtoType::ExtProtoInfo()));
    };
    QualType types[] = {callback({context.VoidPtrTy}), callback({context.VoidPtrTy, context.VoidPtrTy})};
    QualType type = context.getFunctionType(context.IntTy, types, FunctionProtoType::ExtProtoInfo());
    reducer = FunctionDecl::Create(context, context.getTranslationUnitDecl(), SourceLocation(), SourceLocation(),
                                   DeclarationName(&context.Idents.get(kReducerFunction)), type, nullptr, SC_Extern);
    SmallVector<ParmVarDecl *, 2> parameters;
    const StringRef names[] = {"identity", "reduce"};
    for (auto [name, parameter] : llvm::zip(names, types))
      parameters.push_back(ParmVarDecl::Create(context, reducer, SourceLocation(), SourceLocation(),
                                               &context.Idents.get(name), parameter, nullptr, SC_None, nullptr));
    reducer->setParams(parameters);
    reducer->setImplicit();
    return reducer;
  }

  const Keywords &keywords;
  ASTContext &context;
  VarDecl *syncVariable = nullptr;
  FunctionDecl *reducer = nullptr;
};

// Returns true if the compiler made the declaration, and not the program. It may stand in the middle of code that is
// being parsed.
bool isMade(const Decl *decl) {
  auto *function = dyn_cast<FunctionDecl>(decl);
  return decl->isImplicit() || (function && function->isTemplateInstantiation());
}

/// A function that the compiler may evaluate. Its body is the serial elision until all constant expressions have been
/// evaluated, because the evaluator can evaluate spawns and loops, but no syncs.
class CompileTimeFunction {
public:
  CompileTimeFunction(FunctionDecl *function, const VarDecl *syncVariable)
      : function(function), syncVariable(syncVariable) {
    hide(function->getBody());
  }
  void restore() const {
    for (auto [slot, sync] : syncs)
      *slot = sync;
  }

  FunctionDecl *function;

private:
  void hide(Stmt *parent) {
    for (Stmt *&child : parent->children()) {
      auto *expr = dyn_cast_or_null<Expr>(child);
      auto *ref = expr && !isa<Expr>(parent) ? dyn_cast<DeclRefExpr>(expr->IgnoreImpCasts()) : nullptr;
      if (ref && syncVariable && ref->getDecl() == syncVariable) {
        syncs.push_back({&child, child});
        child = new (function->getASTContext()) NullStmt(ref->getLocation());
      } else if (child && !isa<LambdaExpr>(child)) {
        withEnoughStack([&] { hide(child); });
      }
    }
  }

  const VarDecl *syncVariable;
  llvm::SmallVector<std::pair<Stmt **, Stmt *>, 2> syncs;
};

class CilkConsumer : public SemaConsumer {
public:
  CilkConsumer(CompilerInstance &compiler, const FrontendOptions &options)
      : inletError(options.mitDialect ? expandInlets(compiler, options.serialElision && !options.pedigrees)
                                      : std::nullopt),
        keywords(compiler.getPreprocessor(), options), diags(compiler.getDiagnostics()),
        codeGenOptions(compiler.getCodeGenOpts()), skipsLowering(options.skipsLowering), elides(options.serialElision) {
    keywords.install();
  }

  void InitializeSema(Sema &newSema) override {
    sema = &newSema;
    if (inletError)
      reportInlet(*inletError, newSema.SourceMgr, diags);
    markers.emplace(*sema, codeGenOptions, keywords.throwsFromTasks());
    lookup = llvm::makeIntrusiveRefCnt<NameLookup>(keywords, sema->Context);
    sema->addExternalSource(lookup);
    reducers.emplace(*sema, *markers, keywords, elides);
  }

  // Declarations of a precompiled file arrive before Sema exists, or without any Sema. Their keywords were rewritten
  // before.
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (!sema)
      return true;
    bool isWritten = llvm::none_of(group, isMade);
    if (isWritten)
      endRegion();
    for (Decl *decl : group)
      handle(decl);
    if (isWritten)
      numErrors = diags.getNumErrors();
    return true;
  }

  // CodeGen may emit methods of a local class before the function around it arrives.
  void HandleInlineFunctionDefinition(FunctionDecl *function) override {
    if (sema)
      handle(function);
  }

  // Called for static members and variable templates. A lambda in their initializer is instantiated together with them.
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    if (sema)
      handle(variable);
  }

  void HandleTranslationUnit(ASTContext &context) override {
    if (!sema)
      return;
    endRegion();
    for (const CompileTimeFunction &next : compileTime) {
      next.restore();
      visitFunction(next.function, /*isLast=*/true);
    }
    if (!compileTime.empty())
      sema->PerformPendingInstantiations(); // of iterators' operators
    reportStrayKeywords(context.getDiagnostics());
    for (auto [function, count] : markers->spawnCounts())
      if (const Stmt *body = count > 1 ? function->getBody() : nullptr) // two calls may run at once
        warnStaticWrites(body, /*isIteration=*/false, keywords, context.getDiagnostics());
  }

private:
  void handle(Decl *decl) {
    if (lookup->sawReducer())
      handleReducers(decl, *reducers, *sema);
    if (keywords.seen())
      visit(decl);
  }
  void visit(Decl *decl);
  void visitFunction(FunctionDecl *function, bool isLast = false);
  void visitVariable(VarDecl *variable);
  void checkFlags(FunctionDecl *function);
  void endRegion();
  void reportStrayKeywords(DiagnosticsEngine &diags);

  std::optional<InletError> inletError;
  Keywords keywords;
  DiagnosticsEngine &diags;
  const CodeGenOptions &codeGenOptions;
  Sema *sema = nullptr;
  std::optional<MarkerBuilder> markers;
  std::optional<ReducerRewriter> reducers;
  llvm::IntrusiveRefCntPtr<NameLookup> lookup;
  llvm::DenseSet<const Decl *> done;
  llvm::SmallVector<CompileTimeFunction, 0> compileTime;
  unsigned numErrors = 0; ///< errors up to the last declaration that the program itself contains
  bool skipsLowering;
  bool elides;
  bool checkedFlags = false;
};

} // namespace

// Visits each declaration below `decl` that has a body of its own.
void CilkConsumer::visit(Decl *decl) {
  if (!decl || decl->isInvalidDecl())
    return;
  if (auto *function = dyn_cast<FunctionDecl>(decl))
    return visitFunction(function);
  if (auto *functionTemplate = dyn_cast<FunctionTemplateDecl>(decl))
    return visitFunction(functionTemplate->getTemplatedDecl());
  if (auto *classTemplate = dyn_cast<ClassTemplateDecl>(decl))
    return visit(classTemplate->getTemplatedDecl());
  if (auto *variableTemplate = dyn_cast<VarTemplateDecl>(decl))
    return visit(variableTemplate->getTemplatedDecl());
  if (auto *friendDecl = dyn_cast<FriendDecl>(decl))
    return visit(friendDecl->getFriendDecl());
  if (auto *variable = dyn_cast<VarDecl>(decl))
    return visitVariable(variable);
  if (auto *context = dyn_cast<DeclContext>(decl))
    for (Decl *child : context->decls())
      visit(child);
}

/// Refuses flags with which no Cilk function can be compiled. Reports them once.
void CilkConsumer::checkFlags(FunctionDecl *function) {
  if (std::exchange(checkedFlags, true))
    return;
  const SanitizerSet &sanitizers = sema->getLangOpts().Sanitize;
  constexpr SanitizerMask refused[] = {SanitizerKind::Memory, SanitizerKind::DataFlow, SanitizerKind::Type};
  for (auto [number, sanitizer] : llvm::enumerate(refused)) // in the message's order
    if (sanitizers.has(sanitizer))
      report(sema->getDiagnostics(), function->getLocation(), Message::WholeProgramSanitizer)
          << unsigned(number) << function;
  if (skipsLowering)
    report(sema->getDiagnostics(), function->getLocation(), Message::NoLowering) << function;
}

// Returns true if the compiler may still evaluate the function, and CodeGen emits it only at the end of the unit.
// Lambdas do not count: the language makes them constexpr wherever possible, and programs rarely evaluate them in the
// compiler.
static bool runsAtCompileTime(const FunctionDecl *function, ASTContext &context) {
  return function->isConstexpr() && !function->isDependentContext() && !isLambdaCallOperator(function) &&
         !context.DeclMustBeEmitted(function);
}

void CilkConsumer::visitFunction(FunctionDecl *function, bool isLast) {
  if (!function->doesThisDeclarationHaveABody() || function->isInvalidDecl())
    return;
  if (!isLast && !done.insert(function).second)
    return;
  Stmt *body = function->getBody();
  if (!body)
    return;
  FunctionScan scan(*sema, keywords, lookup->variable());
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (CXXCtorInitializer *init : constructor->inits())
      scan.visit(init->getInit());
  scan.visit(body);
  for (Decl *nested : scan.nested())
    visit(nested);
  if (!scan.usesCilk())
    return;
  if (!isLast && runsAtCompileTime(function, sema->Context)) {
    compileTime.emplace_back(function, lookup->variable());
    return;
  }
  checkFlags(function);
  if (function->isDependentContext()) {
    scan.accountAll(); // its instantiations are checked and rewritten
  } else if (scan.reportHazards(function)) {
    scan.accountAll();
  } else {
    ResultCheck results(body, function, sema->Context, keywords, lookup->variable());
    size_t reports = keywords.reportCount();
    FunctionRewriter rewriter(*sema, keywords, *markers, lookup->variable());
    if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
      for (CXXCtorInitializer *init : constructor->inits())
        rewriter.refuse(init->getInit(), Misplacement::Expression);
    bool destroys =
        scan.hasDestructors() || isa<CXXDestructorDecl>(function); // a destructor destroys members after its body
    function->setBody(rewriter.rewriteBody(function, destroys));
    if (keywords.reportCount() == reports) // a spawn that was refused has no result
      results.report(keywords);
  }
}

// Checks an initializer outside of functions. No spawn may stand there, except in the body of a lambda.
void CilkConsumer::visitVariable(VarDecl *variable) {
  Expr *init = variable->getInit();
  if (!init || !done.insert(variable).second)
    return;
  FunctionScan scan(*sema, keywords, lookup->variable());
  scan.visit(init);
  for (Decl *nested : scan.nested())
    visit(nested);
  if (variable->getDeclContext()->isDependentContext())
    scan.accountAll();
  else if (scan.usesCilk())
    FunctionRewriter(*sema, keywords, *markers, lookup->variable()).refuse(init, Misplacement::StaticInitializer);
}

// If Sema found errors in a declaration, its keywords may never be visited.
void CilkConsumer::endRegion() {
  unsigned count = sema->getDiagnostics().getNumErrors();
  keywords.endRegion(count != numErrors);
  numErrors = count;
}

void CilkConsumer::reportStrayKeywords(DiagnosticsEngine &diags) {
  for (auto [location, name] : keywords.unaccounted()) {
    bool isOtherName = lookup->variable() == nullptr && name.ends_with("sync");
    if (!isOtherName && !keywords.isReported(location))
      report(diags, location, Message::StrayKeyword) << name << keywords.isBehindExtension(location);
  }
}

bool hasMitExtension(const CompilerInstance &CI) {
  const auto &inputs = CI.getFrontendOpts().Inputs;
  return !inputs.empty() && inputs.front().isFile() && inputs.front().getFile().ends_with(".cilk");
}

std::unique_ptr<ASTConsumer> createCilkConsumer(CompilerInstance &CI, const FrontendOptions &options) {
  FrontendOptions effective = options;
  effective.mitDialect |= hasMitExtension(CI);
  return std::make_unique<CilkConsumer>(CI, effective);
}

} // namespace cilk2gpu
