// A spawn in one of its legal positions, taken apart, and the checks that a site must pass before it is rewritten.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H

#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace cilk2gpu {

/// Whether the argument is an object passed by value that cannot be copied as bytes: its constructor makes it.
bool isClassValue(const clang::Expr *argument, const clang::ASTContext &context);

/// Whether the call is not by its function's name: what is called has to be evaluated.
bool isIndirect(const clang::CallExpr *call);

/// `f(x);`, `destination = f(x);`, `destination += f(x);` or `T variable = f(x);` with a spawn keyword before the call.
struct SpawnSite {
  clang::UnaryOperator *spawn = nullptr;
  clang::Expr *destination = nullptr;              ///< left-hand side, null if the result is unused or initializes
  clang::VarDecl *variable = nullptr;              ///< initialized variable, else null
  clang::Expr *value = nullptr;                    ///< the spawn and the implicit conversions of its result
  clang::BinaryOperator *assignment = nullptr;     ///< built-in assignment that can be reused, else null
  clang::BinaryOperator *update = nullptr;         ///< `x += ...`, which the child does atomically, else null
  clang::CXXOperatorCallExpr *operation = nullptr; ///< the class's own assignment or update, the child's, else null
  clang::Expr *whole = nullptr;      ///< the assignment, built-in or not, or update; null without a destination
  clang::Expr *conversion = nullptr; ///< a class's conversion of the result, which the child does, else null
  const clang::CXXMethodDecl *converter = nullptr; ///< the conversion function that takes part in it, or null
  bool hasCleanups = false;                        ///< a temporary of the whole expression must be destroyed

  /// The spawned call, null if the operand is something else.
  clang::CallExpr *call() const {
    clang::Expr *operand = spawn->getSubExpr()->IgnoreParens();
    if (auto *bind = clang::dyn_cast<clang::CXXBindTemporaryExpr>(operand)) // a result with a destructor
      operand = bind->getSubExpr()->IgnoreParens();
    return clang::dyn_cast<clang::CallExpr>(operand);
  }
  /// Whether the result is an object with a destructor, or a copy, of its own.
  bool hasClassResult(const clang::ASTContext &context) const {
    clang::QualType type = call()->getType();
    return type->isRecordType() && !type.isTriviallyCopyableType(context);
  }
  /// Whether such an object is passed by value: made by the parent, destroyed by the child.
  bool hasClassArgument(const clang::ASTContext &context) const;
  /// Whether objects are constructed before the call, or destroyed after it.
  bool hasObjects(const clang::ASTContext &context) const;
  /// Whether the result, or what is made of it, is constructed as the variable.
  bool constructs(const clang::ASTContext &context) const {
    return variable && variable->getType()->isRecordType() && (conversion || hasClassResult(context));
  }
  /// The member function with its object, if the call is of one; null for static ones.
  clang::MemberExpr *member() const;
  /// The object that a member function is called on, or its address; null for other calls.
  const clang::Expr *object() const;
  /// Type of the object that receives the result, without qualifiers; null if there is none.
  clang::QualType resultType() const;
};

/// The alignment that the object has at least: less than its type's in packed structs.
clang::CharUnits alignmentOf(const clang::Expr *object, const clang::ASTContext &context);

/// The function that a compound assignment does atomically, whose calls on one object may come in any order, up to its
/// sign: AO__atomic_fetch_add for `-=`, too. Nothing for others, and for objects that it is not defined for.
std::optional<clang::AtomicExpr::AtomicOp> updateOperation(const clang::BinaryOperator *assign,
                                                           const clang::ASTContext &context);

/// The comma that separates what are two statements, `a = 1, b = 2;`, or null.
clang::BinaryOperator *asSequence(clang::Expr *expr);

/// The spawn in an expression statement or in `variable`'s initializer; spawn is null if there is none in place.
SpawnSite matchStatement(clang::Expr *expr, const Keywords &keywords, const clang::ASTContext &context);
SpawnSite matchInitializer(clang::VarDecl *variable, const Keywords &keywords);
/// The spawn that is all of a returned value, but for conversions.
SpawnSite matchReturned(clang::Expr *value, const Keywords &keywords);

/// Reports what is not supported about the site and returns false if anything was.
bool checkSite(const SpawnSite &site, clang::ASTContext &context, const Keywords &keywords);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_SPAWNSITE_H
