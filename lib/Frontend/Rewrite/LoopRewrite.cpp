// Rewrites a cilk_for into the body of one iteration between the markers:
// - The bounds and the step are kept in variables of the parent, because the body reads them.
// - `continue` must belong to a loop. So a `do ... while (0)` surrounds the body; CodeGen emits no loop for it.
// - Profiles and coverage count how often a branch is taken, but not how often a `do` is entered. So an `if (1)`
//   surrounds the body; CodeGen emits no branch for it.
// - An iterator starts as a copy of the first iterator and is advanced by the number of steps.
//
//   cilk_for (T i = first; i < bound; i += step) body
//   ->  T first' = first; B bound' = bound; S step' = step;
//       { uint64_t k = for_begin(...); T i = first' + k * step'; if (1) do body while (0); }
//       for_end(id);
//
// For `cilk_for (v = first; ...)` with a v that is declared outside, an assignment of v's last value follows.
#include "Frontend/Checks/StaticWrites.h"
#include "SpawnRewrite.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/abi/Records.h"

using namespace clang;

namespace cilk2gpu {

namespace {
/// Makes the statements of one loop. Integers are computed as unsigned 64-bit integers, which cannot overflow.
class LoopBuilder {
public:
  LoopBuilder(ASTContext &context, const LoopSite &site)
      : context(context), site(site), at(site.at), longType(context.getIntTypeForBitwidth(64, 1)),
        ulongType(context.getIntTypeForBitwidth(64, 0)) {}

  /// Declares the variables of the parent for the bounds and the step, and returns the arguments of the begin marker
  /// after the id.
  SmallVector<Expr *, 5> declareHeader(SmallVectorImpl<Stmt *> &output);
  /// Makes an assignment to a loop variable that is declared in front of the loop. The assigned value is the value
  /// after the serial elision.
  Expr *makeFinal();
  /// Makes the iteration: the body, and the declaration of the loop variable, whose value follows from the begin
  /// marker's call.
  Stmt *makeIteration(Expr *beginCall, Stmt *body);

private:
  VarDecl *declare(const char *name, QualType type, Expr *init, SmallVectorImpl<Stmt *> &output);
  void addDeclaration(VarDecl *variable, SmallVectorImpl<Stmt *> &output);
  void declareEnds(SmallVectorImpl<Stmt *> &output);
  SmallVector<Expr *, 2> ends();
  Expr *advanced(Expr *offset);
  Expr *iterationCount();
  Expr *compare(BinaryOperatorKind kind);
  void setVariable(Expr *offset, SmallVectorImpl<Stmt *> &output);
  Expr *read(VarDecl *variable);
  Expr *convert(Expr *value, QualType type);
  Expr *number(int64_t value);
  Expr *binary(Expr *left, Expr *right, BinaryOperatorKind kind, QualType type);
  Expr *stepValue();

  ASTContext &context;
  const LoopSite &site;
  SourceLocation at;
  QualType longType, ulongType;
  VarDecl *first = nullptr, *bound = nullptr, *step = nullptr;
};
} // namespace

VarDecl *LoopBuilder::declare(const char *name, QualType type, Expr *init, SmallVectorImpl<Stmt *> &output) {
  VarDecl *variable = makeHiddenVariable(site, name, type, context);
  variable->setInit(init);
  addDeclaration(variable, output);
  return variable;
}

void LoopBuilder::addDeclaration(VarDecl *variable, SmallVectorImpl<Stmt *> &output) {
  output.push_back(new (context) DeclStmt(DeclGroupRef(variable), at, at));
}

Expr *LoopBuilder::read(VarDecl *variable) {
  QualType type = variable->getType();
  Expr *ref =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), variable, false, at, type, VK_LValue);
  return ImplicitCastExpr::Create(context, type, CK_LValueToRValue, ref, nullptr, VK_PRValue, FPOptionsOverride());
}

// Makes an explicit cast, so that no sanitizer reports a change of the value.
Expr *LoopBuilder::convert(Expr *value, QualType type) {
  return CStyleCastExpr::Create(context, type, VK_PRValue, CK_IntegralCast, value, nullptr, FPOptionsOverride(),
                                context.getTrivialTypeSourceInfo(type, at), at, at);
}

Expr *LoopBuilder::number(int64_t value) {
  return IntegerLiteral::Create(context, llvm::APInt(64, uint64_t(value)), longType, at);
}

// Makes an operation on unsigned integers. It is marked as explicit, so that no sanitizer reports that it wraps around.
Expr *LoopBuilder::binary(Expr *left, Expr *right, BinaryOperatorKind kind, QualType type) {
  auto *result =
      BinaryOperator::Create(context, left, right, kind, type, VK_PRValue, OK_Ordinary, at, FPOptionsOverride());
  result->setExcludedOverflowPattern(type->isUnsignedIntegerType());
  return result;
}

// Returns the signed step as an unsigned number with the same bits.
Expr *LoopBuilder::stepValue() {
  Expr *value = step ? read(step) : number(1);
  Expr *amount = convert(site.stepType.isNull() ? value : convert(value, site.stepType), ulongType);
  return site.isNegative ? binary(convert(number(0), ulongType), amount, BO_Sub, ulongType) : amount;
}

void LoopBuilder::declareEnds(SmallVectorImpl<Stmt *> &output) {
  if (site.hasClass()) {
    addDeclaration(site.first, output);
    addDeclaration(site.last, output);
    return;
  }
  first = declare("cilk_for.first", site.variable->getType(), site.variable->getInit(), output);
  first->setInitStyle(site.variable->getInitStyle());
  bound = declare("cilk_for.bound", site.bound->getType(), site.bound, output);
}

// Returns the loop's ends as signed numbers. For pointers and iterators, they are 0 and the distance.
SmallVector<Expr *, 2> LoopBuilder::ends() {
  if (site.hasClass())
    return {number(0), convert(site.distance, longType)};
  if (site.hasPointer())
    return {number(0), convert(binary(read(bound), read(first), BO_Sub, context.getPointerDiffType()), longType)};
  return {convert(convert(read(first), bound->getType()), longType), convert(read(bound), longType)};
}

SmallVector<Expr *, 5> LoopBuilder::declareHeader(SmallVectorImpl<Stmt *> &output) {
  VarDecl *grain = site.grain ? declare("cilk_for.grain", site.grain->getType(), site.grain, output) : nullptr;
  output.append(site.prologue.begin(), site.prologue.end());
  declareEnds(output);
  if (site.step)
    step = declare("cilk_for.step", site.step->getType(), site.step, output);
  SmallVector<Expr *, 2> numbers = ends();
  llvm::APInt comparison(context.getIntWidth(context.IntTy), site.comparison);
  return {numbers[0], numbers[1], convert(stepValue(), longType),
          IntegerLiteral::Create(context, comparison, context.IntTy, at),
          grain ? convert(read(grain), longType) : number(0)};
}

// Returns the sum of the first value and `offset`, in the loop variable's type.
Expr *LoopBuilder::advanced(Expr *offset) {
  QualType type = site.variable->getType().getUnqualifiedType();
  return site.hasPointer() ? binary(read(first), convert(offset, longType), BO_Add, type)
                           : convert(binary(convert(read(first), ulongType), offset, BO_Add, ulongType), type);
}

// Makes the loop's comparison of the first value with the bound.
Expr *LoopBuilder::compare(BinaryOperatorKind kind) {
  SmallVector<Expr *, 2> numbers = ends();
  QualType type = site.comparison & abi::kUnsigned ? ulongType : longType;
  return binary(convert(numbers[0], type), convert(numbers[1], type), kind,
                context.getLangOpts().CPlusPlus ? context.BoolTy : context.IntTy);
}

// Returns the number of iterations of a loop that goes up or down and has at least one: the distance of the ends,
// divided by the step. If the comparison excludes the bound, so does the distance.
Expr *LoopBuilder::iterationCount() {
  int32_t kind = site.comparison & ~abi::kUnsigned;
  bool isUp = kind == abi::kLess || kind == abi::kLessEqual;
  bool isOpen = kind == abi::kLess || kind == abi::kGreater;
  SmallVector<Expr *, 2> numbers = ends();
  Expr *low = convert(numbers[!isUp], ulongType), *high = convert(numbers[isUp], ulongType);
  Expr *distance = binary(binary(high, low, BO_Sub, ulongType), convert(number(isOpen), ulongType), BO_Sub, ulongType);
  Expr *amount = isUp ? stepValue() : binary(convert(number(0), ulongType), stepValue(), BO_Sub, ulongType);
  return binary(binary(distance, amount, BO_Div, ulongType), convert(number(1), ulongType), BO_Add, ulongType);
}

// Makes `entered ? first + count * step : first`. After a loop with `!= bound`, the variable is equal to the bound.
Expr *LoopBuilder::makeFinal() {
  QualType type = site.outer->getType().getUnqualifiedType();
  int32_t kind = site.comparison & ~abi::kUnsigned;
  Expr *value = nullptr;
  if (kind == abi::kNotEqual) {
    value = site.hasPointer() ? read(bound) : convert(read(bound), type);
  } else {
    BinaryOperatorKind enters = kind == abi::kLess        ? BO_LT
                                : kind == abi::kLessEqual ? BO_LE
                                : kind == abi::kGreater   ? BO_GT
                                                          : BO_GE;
    Expr *last = advanced(binary(iterationCount(), stepValue(), BO_Mul, ulongType));
    value =
        new (context) ConditionalOperator(compare(enters), at, last, at, read(first), type, VK_PRValue, OK_Ordinary);
  }
  Expr *object =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), site.outer, false, at, type, VK_LValue);
  bool isObject = context.getLangOpts().CPlusPlus; // an assignment yields an lvalue
  return BinaryOperator::Create(context, object, value, BO_Assign, type, isObject ? VK_LValue : VK_PRValue, OK_Ordinary,
                                at, FPOptionsOverride());
}

// Declares the loop variable of the iteration.
void LoopBuilder::setVariable(Expr *offset, SmallVectorImpl<Stmt *> &output) {
  if (site.hasClass()) {
    site.offset->setInit(convert(convert(offset, longType), site.offset->getType()));
    addDeclaration(site.offset, output);
    output.push_back(site.declaration);
    output.push_back(site.advance);
    return;
  }
  site.variable->setInit(advanced(offset));
  site.variable->setInitStyle(VarDecl::CInit);
  output.push_back(site.declaration);
}

Stmt *makeNamed(Stmt *loop, ArrayRef<LoopControlStmt *> jumps, DeclContext *owner, ASTContext &context) {
  SourceLocation at = loop->getBeginLoc();
  auto *label = LabelDecl::Create(context, owner, at, &context.Idents.get("cilk_for.iteration"));
  label->setImplicit();
  auto *named = new (context) LabelStmt(at, label, loop);
  label->setStmt(named);
  for (LoopControlStmt *jump : jumps)
    jump->setLabelDecl(label);
  return named;
}

Stmt *LoopBuilder::makeIteration(Expr *beginCall, Stmt *body) {
  SmallVector<Stmt *, 5> statements;
  VarDecl *index = declare("cilk_for.index", ulongType, beginCall, statements);
  setVariable(binary(read(index), stepValue(), BO_Mul, ulongType), statements);
  if (site.element)
    statements.push_back(site.element);
  auto truth = [&](bool value, SourceLocation where) {
    return IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(context.IntTy), value), context.IntTy,
                                  where);
  };
  Stmt *once = new (context) DoStmt(body, truth(false, site.incrementAt), at, at, at);
  if (!site.continues.empty())
    once = makeNamed(once, site.continues, site.variable->getDeclContext(), context);
  statements.push_back(IfStmt::Create(context, at, IfStatementKind::Ordinary, /*Init=*/nullptr, /*Var=*/nullptr,
                                      truth(true, site.conditionAt), at, at, once));
  return CompoundStmt::Create(context, statements, FPOptionsOverride(), at, site.end);
}

Stmt *MarkerBuilder::makeLoop(const LoopSite &site, unsigned id, Stmt *body) {
  if (!forBegin) {
    QualType longType = context.getIntTypeForBitwidth(64, 1);
    forBegin = marker(kForBeginMarker, {context.IntTy, longType, longType, longType, context.IntTy, longType},
                      context.getIntTypeForBitwidth(64, 0));
    forEnd = marker(kForEndMarker, {context.IntTy});
  }
  SourceLocation at = site.at;
  LoopBuilder builder(context, site);
  SmallVector<Stmt *, 6> statements;
  SmallVector<Expr *, 6> arguments = {literal(id, at)};
  arguments.append(builder.declareHeader(statements));
  statements.push_back(builder.makeIteration(callMarker(forBegin, arguments, at), body));
  statements.push_back(callMarker(forEnd, {literal(id, at)}, at));
  if (site.outer)
    statements.push_back(builder.makeFinal());
  return CompoundStmt::Create(context, statements, FPOptionsOverride(), at, site.end);
}

static bool hasErrors(const Stmt *stmt) {
  if (auto *declarations = dyn_cast_or_null<DeclStmt>(stmt))
    return llvm::any_of(declarations->decls(), [](const Decl *decl) { return decl->isInvalidDecl(); });
  auto *expr = dyn_cast_or_null<Expr>(stmt);
  return expr && expr->containsErrors();
}

// Rewrites the loop. Returns it unchanged if it was refused.
Stmt *FunctionRewriter::rewriteLoop(Stmt *loop, Expr *grain) {
  auto *counted = dyn_cast<ForStmt>(loop);
  SourceLocation at = counted ? counted->getForLoc() : cast<CXXForRangeStmt>(loop)->getForLoc();
  Stmt *loopBody = counted ? counted->getBody() : cast<CXXForRangeStmt>(loop)->getBody();
  keywords.account(at);
  bool isBad = hasErrors(grain);
  for (Stmt *part : loop->children())
    isBad |= part != loopBody && hasErrors(part);
  std::optional<LoopSite> site;
  if (!isBad && !keywords.isReported(at)) {
    for (Stmt *part : loop->children())
      if (part && part != loopBody)
        refuse(part, Misplacement::Condition);
    site = matchLoop(loop, grain, sema);
    if (!site || !checkLoopBody(*site, functionBody, context, keywords)) {
      keywords.markReported(at);
      site.reset();
    }
  }
  if (site)
    warnStaticWrites(loopBody, /*isIteration=*/true, keywords, context.getDiagnostics());
  unsigned id = nextId++;
  ++loopDepth;
  Stmt *body = rewriteIteration(loopBody);
  --loopDepth;
  return site ? markers.makeLoop(*site, id, body) : loop;
}

} // namespace cilk2gpu
