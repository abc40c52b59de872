// Makes the expressions and statements into which a cilk_for is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_LOOPBUILDER_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_LOOPBUILDER_H

#include "Frontend/Syntax/LoopSite.h"

namespace cilk2gpu {

/// Makes the statements of one loop. Integers are computed as unsigned 64-bit integers, which cannot overflow.
class LoopBuilder {
public:
  using Output = llvm::SmallVectorImpl<clang::Stmt *>;

  LoopBuilder(clang::ASTContext &context, const LoopSite &site)
      : context(context), site(site), at(site.at), longType(context.getIntTypeForBitwidth(64, 1)),
        ulongType(context.getIntTypeForBitwidth(64, 0)) {}

  /// Declares the variables of the parent for the bounds and the step, and returns the arguments of the begin marker
  /// after the id.
  llvm::SmallVector<clang::Expr *, 5> declareHeader(Output &output);
  /// Makes an assignment to a loop variable that is declared in front of the loop. The assigned value is the value
  /// after the serial elision.
  clang::Expr *makeFinal();
  /// Makes the iteration: the body, and the declaration of the loop variable, whose value follows from the begin
  /// marker's call. `surround` may put a handler around them. It gets the statement, and a number that grows from
  /// iteration to iteration.
  clang::Stmt *makeIteration(clang::Expr *beginCall, clang::Stmt *body,
                             llvm::function_ref<clang::Stmt *(clang::Stmt *, clang::Expr *)> surround);
  /// Makes a statement that runs the body once. The body's continue statements end it.
  clang::Stmt *makeBody(clang::Stmt *body);

  /// Returns the variable's value in iteration number `index`.
  clang::Expr *valueAt(clang::Expr *index);
  /// Returns the sum of the variable's value and the step, in the type of the variable.
  clang::Expr *valueAfter(clang::VarDecl *value);
  /// Returns true if the type of the variable counts from one iteration to the next without wrapping around, and no
  /// narrower than other integers. Then a loop over it is as good as the program's own loop.
  bool hasWideVariable() const;
  /// Declares the loop variable with this value.
  void declareVariable(clang::Expr *value, Output &output);

  clang::VarDecl *declare(const char *name, clang::QualType type, clang::Expr *init, Output &output);
  clang::Expr *reference(clang::VarDecl *variable);
  clang::Expr *read(clang::VarDecl *variable);
  clang::Expr *number(int64_t value);
  clang::Expr *convert(clang::Expr *value, clang::QualType type);
  clang::Expr *binary(clang::Expr *left, clang::Expr *right, clang::BinaryOperatorKind kind, clang::QualType type);
  /// Makes an operation on unsigned 64-bit integers.
  clang::Expr *binary(clang::Expr *left, clang::Expr *right, clang::BinaryOperatorKind kind) {
    return binary(left, right, kind, ulongType);
  }
  clang::Expr *compare(clang::Expr *left, clang::Expr *right, clang::BinaryOperatorKind kind) {
    return binary(left, right, kind, truthType());
  }
  /// Makes `condition ? yes : no` of unsigned 64-bit integers.
  clang::Expr *makeChoice(clang::Expr *condition, clang::Expr *yes, clang::Expr *no);
  clang::Expr *assign(clang::VarDecl *variable, clang::Expr *value);
  clang::Stmt *block(llvm::ArrayRef<clang::Stmt *> statements);
  clang::Stmt *makeIf(clang::Expr *condition, clang::Stmt *then);

  clang::QualType signedType() const { return longType; }
  clang::QualType unsignedType() const { return ulongType; }

private:
  void addDeclaration(clang::VarDecl *variable, Output &output);
  void declareEnds(Output &output);
  llvm::SmallVector<clang::Expr *, 2> ends();
  clang::Expr *advanced(clang::Expr *offset);
  clang::Expr *iterationCount();
  clang::Expr *placeOf(clang::VarDecl *value);
  clang::Expr *compareEnds(clang::BinaryOperatorKind kind);
  void setVariable(clang::Expr *value, Output &output);
  clang::Expr *stepValue();
  clang::QualType truthType() const { return context.getLangOpts().CPlusPlus ? context.BoolTy : context.IntTy; }

  clang::ASTContext &context;
  const LoopSite &site;
  clang::SourceLocation at;
  clang::QualType longType, ulongType;
  clang::VarDecl *first = nullptr, *bound = nullptr, *step = nullptr;
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_LOOPBUILDER_H
