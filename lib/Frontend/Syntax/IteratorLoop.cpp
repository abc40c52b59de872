// Finds the operators of a cilk_for over iterators: `last - first`, which yields an integer, and `variable += offset`.
// Sema looks them up as if the program had written them.
#include "LoopSite.h"
#include "cilk2gpu/abi/Records.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace cilk2gpu {

VarDecl *makeHiddenVariable(const LoopSite &site, const char *name, QualType type, ASTContext &context) {
  type = type.getUnqualifiedType();
  auto *variable =
      VarDecl::Create(context, site.variable->getDeclContext(), site.at, site.at, &context.Idents.get(name), type,
                      context.getTrivialTypeSourceInfo(type, site.at), SC_None);
  variable->setImplicit();
  variable->setIsUsed();
  return variable;
}

namespace {
/// Lets Sema build expressions and suppresses its errors, because the expressions may be invalid.
class Attempt {
public:
  Attempt(Sema &sema, FunctionDecl *function, SourceLocation at) : sema(sema), scope(sema, function), at(at) {}

  Expr *name(VarDecl *variable) { return sema.BuildDeclRefExpr(variable, variable->getType(), VK_LValue, at); }

  Expr *apply(BinaryOperatorKind kind, VarDecl *left, VarDecl *right) {
    ExprResult result = sema.BuildBinOp(/*S=*/nullptr, at, kind, name(left), name(right));
    if (result.isUsable())
      result = sema.ActOnFinishFullExpr(result.get(), /*DiscardedValue=*/false);
    return result.isUsable() && !trap.hasErrorOccurred() ? result.get() : nullptr;
  }

  bool initialize(VarDecl *variable, Expr *value) {
    auto *cleanups = dyn_cast<ExprWithCleanups>(value);
    if (cleanups)
      sema.Cleanup.setExprNeedsCleanups(cleanups->cleanupsHaveSideEffects());
    sema.AddInitializerToDecl(variable, cleanups ? cleanups->getSubExpr() : value, /*DirectInit=*/false);
    return !variable->isInvalidDecl() && !trap.hasErrorOccurred();
  }

private:
  Sema &sema;
  Sema::SynthesizedFunctionScope scope;
  Sema::SFINAETrap trap{sema, /*WithAccessChecking=*/true};
  SourceLocation at;
};
} // namespace

// Returns true if the type can hold the distances and offsets of the loop. Some iterators over 64-bit integers have
// distances of 128 bits, which are refused.
static bool isDistance(QualType type, const LoopSite &site, const ASTContext &context) {
  if (!type->isIntegerType() || type->isBitIntType())
    return false;
  bool isDown = site.isNegative || site.comparison == abi::kGreater || site.comparison == abi::kGreaterEqual;
  return !isDown || type->isSignedIntegerType() || context.getTypeSize(type) == 64; // wraps around as addresses do
}

bool findIteratorOperators(LoopSite &site, Sema &sema) {
  ASTContext &context = sema.Context;
  auto *function = dyn_cast<FunctionDecl>(site.variable->getDeclContext());
  if (!function)
    return false;
  Attempt attempt(sema, function, site.at);
  QualType type = site.variable->getType().getUnqualifiedType();
  site.first = makeHiddenVariable(site, "cilk_for.first", type, context);
  site.first->setInit(site.variable->getInit());
  site.first->setInitStyle(site.variable->getInitStyle());
  site.last = makeHiddenVariable(site, "cilk_for.bound", site.bound->getType(), context);
  if (!attempt.initialize(site.last, site.bound))
    return false;
  site.distance = attempt.apply(BO_Sub, site.last, site.first);
  if (!site.distance || !isDistance(site.distance->getType(), site, context))
    return false;
  site.offset = makeHiddenVariable(site, "cilk_for.offset", site.distance->getType(), context);
  site.advance = attempt.apply(BO_AddAssign, site.variable, site.offset);
  site.variable->setInit(nullptr);
  return site.advance && attempt.initialize(site.variable, attempt.name(site.first));
}

} // namespace cilk2gpu
