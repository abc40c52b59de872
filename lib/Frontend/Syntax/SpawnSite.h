// The parts of a spawn in a legal position, and the checks that it must pass before it is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H

#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace cilk2gpu {

/// Returns true if the argument is an object passed by value that a constructor must copy.
bool isClassValue(const clang::Expr *argument, const clang::ASTContext &context);

/// Returns true if a call of the function compiles to something other than a call. Most builtins that a library
/// declares are real functions.
bool isTrueBuiltin(const clang::FunctionDecl *callee, const clang::ASTContext &context);

/// Returns true if the call does not name its function, so that its callee must be evaluated.
bool isIndirect(const clang::CallExpr *call);

/// `f(x);`, `destination = f(x);`, `destination += f(x);` or `T variable = f(x);` with a spawn keyword before the call.
struct SpawnSite {
  clang::UnaryOperator *spawn = nullptr;
  clang::Expr *destination = nullptr; ///< left-hand side; null if the result is unused or initializes a variable
  clang::VarDecl *variable = nullptr; ///< initialized variable, else null
  clang::Expr *value = nullptr;       ///< the spawn and the implicit conversions of its result
  clang::BinaryOperator *assignment = nullptr;     ///< built-in assignment that can be reused, else null
  clang::BinaryOperator *update = nullptr;         ///< `x += ...`, which the child does atomically, else null
  clang::CXXOperatorCallExpr *operation = nullptr; ///< assignment or update of a class, which the child does, else null
  clang::Expr *whole = nullptr;                    ///< the whole assignment or update; null without a destination
  clang::Expr *conversion = nullptr; ///< conversion of the result by a class, which the child does, else null
  const clang::CXXMethodDecl *converter = nullptr; ///< conversion function that is part of `conversion`, or null
  bool hasCleanups = false;                        ///< a temporary of the whole expression must be destroyed

  /// Returns the spawned call, or null if the operand is no call.
  clang::CallExpr *call() const {
    clang::Expr *operand = spawn->getSubExpr()->IgnoreParens();
    if (auto *bind = clang::dyn_cast<clang::CXXBindTemporaryExpr>(operand)) // a result with a destructor
      operand = bind->getSubExpr()->IgnoreParens();
    return clang::dyn_cast<clang::CallExpr>(operand);
  }
  /// Returns true if the operand is a call of a function, and not the use of another operator of a class.
  bool spawnsCall() const {
    auto *op = clang::dyn_cast_or_null<clang::CXXOperatorCallExpr>(call());
    return call() && !(op && op->getOperator() != clang::OO_Call);
  }
  /// Returns true if the result is an object whose class has a destructor or a copy constructor that does something.
  bool hasClassResult(const clang::ASTContext &context) const {
    clang::QualType type = call()->getType();
    return type->isRecordType() && !type.isTriviallyCopyableType(context);
  }
  /// Returns true if an argument passed by value has a class with a destructor or a copy constructor that does
  /// something. The parent constructs the object, and the child destroys it.
  bool hasClassArgument(const clang::ASTContext &context) const;
  /// Returns true if the result, or the object that a conversion makes of it, is constructed in the variable.
  bool constructs(const clang::ASTContext &context) const {
    return variable && variable->getType()->isRecordType() && (conversion || hasClassResult(context));
  }
  /// Returns the member function with its object if the call is of a member function, or null for static functions.
  clang::MemberExpr *member() const;
  /// Returns the object whose member function is called, or the object's address; null for other calls.
  const clang::Expr *object() const;
  /// Returns the type of the object that receives the result, without qualifiers, or null if there is none.
  clang::QualType resultType() const;
};

/// Returns the least alignment of the object. In a packed struct, it is less than the alignment of the type.
clang::CharUnits alignmentOf(const clang::Expr *object, const clang::ASTContext &context);

/// Returns the atomic function for a compound assignment if calls on one object may come in any order. The sign is
/// ignored: AO__atomic_fetch_add stands for `-=`, too. Returns nothing for other assignments, and for objects without
/// such a function.
std::optional<clang::AtomicExpr::AtomicOp> updateOperation(const clang::BinaryOperator *assign,
                                                           const clang::ASTContext &context);

/// Returns the comma of an expression that stands for two statements, as in `a = 1, b = 2;`, or null.
clang::BinaryOperator *asSequence(clang::Expr *expr);

/// Returns the spawn in an expression statement or in `variable`'s initializer. If there is no spawn in a legal
/// position, the member `spawn` is null.
SpawnSite matchStatement(clang::Expr *expr, const Keywords &keywords, const clang::ASTContext &context);
SpawnSite matchInitializer(clang::VarDecl *variable, const Keywords &keywords);
/// Returns the spawn that a return statement returns, perhaps converted.
SpawnSite matchReturned(clang::Expr *value, const Keywords &keywords);

/// Reports all properties of the site that are not supported. Returns false if there are any.
bool checkSite(const SpawnSite &site, clang::ASTContext &context, const Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H
