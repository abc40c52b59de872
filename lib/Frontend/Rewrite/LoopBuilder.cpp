// Makes the expressions and statements of loops.
#include "LoopBuilder.h"
#include "cilk2gpu/abi/Records.h"

using namespace clang;

namespace cilk2gpu {

VarDecl *LoopBuilder::declare(const char *name, QualType type, Expr *init, SmallVectorImpl<Stmt *> &output) {
  VarDecl *variable = makeHiddenVariable(site, name, type, context);
  variable->setInit(init);
  addDeclaration(variable, output);
  return variable;
}

void LoopBuilder::addDeclaration(VarDecl *variable, SmallVectorImpl<Stmt *> &output) {
  output.push_back(new (context) DeclStmt(DeclGroupRef(variable), at, at));
}

Expr *LoopBuilder::reference(VarDecl *variable) {
  return DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), variable, false, at,
                             variable->getType(), VK_LValue);
}

Expr *LoopBuilder::read(VarDecl *variable) {
  return ImplicitCastExpr::Create(context, variable->getType(), CK_LValueToRValue, reference(variable), nullptr,
                                  VK_PRValue, FPOptionsOverride());
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
  llvm::APInt comparison(context.getIntWidth(context.IntTy), comparisonWithBits(site, context));
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
Expr *LoopBuilder::compareEnds(BinaryOperatorKind kind) {
  SmallVector<Expr *, 2> numbers = ends();
  QualType type = site.comparison & abi::kUnsigned ? ulongType : longType;
  return compare(convert(numbers[0], type), convert(numbers[1], type), kind);
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
    value = new (context)
        ConditionalOperator(compareEnds(enters), at, last, at, read(first), type, VK_PRValue, OK_Ordinary);
  }
  return assign(site.outer, value);
}

Expr *LoopBuilder::assign(VarDecl *variable, Expr *value) {
  QualType type = variable->getType().getUnqualifiedType();
  Expr *object =
      DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), variable, false, at, type, VK_LValue);
  bool isObject = context.getLangOpts().CPlusPlus; // an assignment yields an lvalue
  return BinaryOperator::Create(context, object, value, BO_Assign, type, isObject ? VK_LValue : VK_PRValue, OK_Ordinary,
                                at, FPOptionsOverride());
}

// Declares the loop variable of the iteration. `value` is its value, or the distance to its first value if it is a
// pointer or an iterator.
void LoopBuilder::setVariable(Expr *value, SmallVectorImpl<Stmt *> &output) {
  if (site.hasClass()) {
    site.offset->setInit(convert(convert(value, longType), site.offset->getType()));
    addDeclaration(site.offset, output);
    output.push_back(site.declaration);
    output.push_back(site.advance);
    return;
  }
  QualType type = site.variable->getType().getUnqualifiedType();
  declareVariable(site.hasPointer() ? advanced(value) : convert(value, type), output);
}

void LoopBuilder::declareVariable(Expr *value, Output &output) {
  site.variable->setInit(value);
  site.variable->setInitStyle(VarDecl::CInit);
  output.push_back(site.declaration);
}

Expr *LoopBuilder::valueAt(Expr *index) { return advanced(binary(index, stepValue(), BO_Mul)); }

Expr *LoopBuilder::valueAfter(VarDecl *value) {
  QualType type = value->getType();
  Expr *amount = convert(stepValue(), site.hasPointer() ? longType : type);
  return binary(read(value), amount, BO_Add, type);
}

bool LoopBuilder::hasWideVariable() const {
  if (site.hasPointer())
    return true;
  auto *type = site.variable->getType()->getAs<BuiltinType>();
  return type && (type->isSignedInteger() ? context.getTypeSize(type) >= context.getTypeSize(context.IntTy)
                                          : context.getTypeSize(type) == 64);
}

Expr *LoopBuilder::makeChoice(Expr *condition, Expr *yes, Expr *no) {
  return new (context) ConditionalOperator(condition, at, yes, at, no, ulongType, VK_PRValue, OK_Ordinary);
}

Stmt *LoopBuilder::block(ArrayRef<Stmt *> statements) {
  return CompoundStmt::Create(context, statements, FPOptionsOverride(), at, site.end);
}

Stmt *LoopBuilder::makeIf(Expr *condition, Stmt *then) {
  return IfStmt::Create(context, at, IfStatementKind::Ordinary, /*Init=*/nullptr, /*Var=*/nullptr, condition, at, at,
                        then);
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

Stmt *LoopBuilder::makeBody(Stmt *body) {
  auto truth = [&](bool value, SourceLocation where) {
    return IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(context.IntTy), value), context.IntTy,
                                  where);
  };
  Stmt *once = new (context) DoStmt(body, truth(false, site.incrementAt), at, at, at);
  if (!site.continues.empty())
    once = makeNamed(once, site.continues, site.variable->getDeclContext(), context);
  return makeIf(truth(true, site.conditionAt), once);
}

// Makes the distance of the value from the first value, which grows from iteration to iteration. The sign of the step
// is 0 or -1: `((value - first) ^ sign) - sign` needs no branch, which would split the handler.
Expr *LoopBuilder::placeOf(VarDecl *value) {
  auto sign = [&] { return convert(binary(convert(stepValue(), longType), number(63), BO_Shr, longType), ulongType); };
  Expr *distance = binary(read(value), convert(ends().front(), ulongType), BO_Sub);
  return binary(binary(distance, sign(), BO_Xor), sign(), BO_Sub);
}

Stmt *LoopBuilder::makeIteration(Expr *beginCall, Stmt *body, llvm::function_ref<Stmt *(Stmt *, Expr *)> surround) {
  SmallVector<Stmt *, 5> statements, iteration;
  VarDecl *value = declare("cilk_for.value", ulongType, beginCall, statements);
  setVariable(read(value), iteration);
  if (site.element)
    iteration.push_back(site.element);
  iteration.push_back(makeBody(body));
  statements.push_back(surround(block(iteration), placeOf(value)));
  return block(statements);
}

} // namespace cilk2gpu
