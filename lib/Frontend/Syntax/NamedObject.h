// An object that an expression names without any pointer: a variable, or a field or element of one. Two such objects
// can be compared: apart, the same memory, or unknown because of an index.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_NAMEDOBJECT_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_NAMEDOBJECT_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2gpu {

using VariableSet = llvm::SmallDenseSet<const clang::VarDecl *, 4>;

struct NamedObject {
  /// A field, or an element: by a constant, or by an expression whose value can be compared while its variables keep
  /// theirs, or (with neither) by anything else.
  struct Step {
    const clang::FieldDecl *field = nullptr;
    std::optional<int64_t> constant;
    const clang::Expr *index = nullptr;
  };

  const clang::VarDecl *variable = nullptr;
  llvm::SmallVector<Step, 2> steps;

  /// Whether an index is no constant.
  bool hasVariableIndex() const;
  /// The variables in its indices.
  VariableSet indexVariables() const;
};

/// The object that `expr` names; its variable is null if `expr` is anything else, a reference or an _Atomic object.
NamedObject namedObject(const clang::Expr *expr, const clang::ASTContext &context);

enum class Overlap { Apart, Unknown, Same };

/// Whether two objects share memory. `isCurrent`: no variable in an index has changed between the two.
Overlap compare(const NamedObject &a, const NamedObject &b, bool isCurrent, const clang::ASTContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_NAMEDOBJECT_H
