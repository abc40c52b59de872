// An object that an expression names without any pointer: a variable, or a field or element of a variable. A comparison
// of two objects has three results: different memory, the same memory, or unknown because of an index.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_NAMEDOBJECT_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_NAMEDOBJECT_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2gpu {

using VariableSet = llvm::SmallDenseSet<const clang::VarDecl *, 4>;

struct NamedObject {
  /// A step into an object:
  /// - to the field `field`;
  /// - to the element at the index `constant`;
  /// - to the element at `index`, an expression that has the same value as long as its variables do;
  /// - to any element, if none of the three is set.
  struct Step {
    const clang::FieldDecl *field = nullptr;
    std::optional<int64_t> constant;
    const clang::Expr *index = nullptr;
  };

  const clang::VarDecl *variable = nullptr;
  llvm::SmallVector<Step, 2> steps;

  /// Returns true if an index is not constant.
  bool hasVariableIndex() const;
  /// Returns the variables in the indices.
  VariableSet indexVariables() const;
};

/// Returns the object that `expr` names. Its variable is null if `expr` is any other expression, for example a
/// reference, or an object of an _Atomic type.
NamedObject namedObject(const clang::Expr *expr, const clang::ASTContext &context);

enum class Overlap { Apart, Unknown, Same };

/// Compares the memory of two objects. If `isCurrent`, no variable of an index has changed between the two accesses.
Overlap compare(const NamedObject &a, const NamedObject &b, bool isCurrent, const clang::ASTContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_NAMEDOBJECT_H
