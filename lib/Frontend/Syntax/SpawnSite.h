// A spawn in one of its legal positions, taken apart. Also the checks that a site must pass before it is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H

#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace cilk2gpu {

/// Returns true if the argument is an object passed by value that a constructor must copy.
bool isClassValue(const clang::Expr *argument, const clang::ASTContext &context);

/// Returns true if the call does not name its function, so that the callee has to be evaluated.
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
  /// Returns true if the result is an object whose class has a destructor or a copy constructor that does something.
  bool hasClassResult(const clang::ASTContext &context) const {
    clang::QualType type = call()->getType();
    return type->isRecordType() && !type.isTriviallyCopyableType(context);
  }
  /// Returns true if an argument is an object of such a class, passed by value. The parent makes it, and the child
  /// destroys it.
  bool hasClassArgument(const clang::ASTContext &context) const;
  /// Returns true if the result, or the object that a conversion makes of it, is constructed in the variable.
  bool constructs(const clang::ASTContext &context) const {
    return variable && variable->getType()->isRecordType() && (conversion || hasClassResult(context));
  }
  /// Returns the member function with its object if the call is of a member function; null for static ones.
  clang::MemberExpr *member() const;
  /// Returns the object, or its address, whose member function is called; null for other calls.
  const clang::Expr *object() const;
  /// Returns the type of the object that receives the result, without qualifiers; null if there is none.
  clang::QualType resultType() const;
};

/// Returns the least alignment of the object. In a packed struct it is less than the alignment of the type.
clang::CharUnits alignmentOf(const clang::Expr *object, const clang::ASTContext &context);

/// Returns the atomic function of a compound assignment whose calls on one object may come in any order. The sign is
/// left out: AO__atomic_fetch_add for `-=`, too. Returns nothing for other assignments, and for objects that have no
/// such function.
std::optional<clang::AtomicExpr::AtomicOp> updateOperation(const clang::BinaryOperator *assign,
                                                           const clang::ASTContext &context);

/// Returns the comma of an expression that stands for two statements, `a = 1, b = 2;`, or null.
clang::BinaryOperator *asSequence(clang::Expr *expr);

/// Returns the spawn in an expression statement or in `variable`'s initializer. If none stands there in a legal
/// position, the member `spawn` is null.
SpawnSite matchStatement(clang::Expr *expr, const Keywords &keywords, const clang::ASTContext &context);
SpawnSite matchInitializer(clang::VarDecl *variable, const Keywords &keywords);
/// Returns the spawn that is all of a returned value, except for conversions.
SpawnSite matchReturned(clang::Expr *value, const Keywords &keywords);

/// Reports everything at the site that is not supported, and returns false if there was anything.
bool checkSite(const SpawnSite &site, clang::ASTContext &context, const Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H
