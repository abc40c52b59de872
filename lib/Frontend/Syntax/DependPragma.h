// The pragma that orders a spawn among its siblings. The parser sees
//
//   #pragma cilk depend(in: a, b[i:n]) depend(out: c)
//   cilk_spawn f();
//
// as `switch ((void)(a), (void)(b[i]), (void)(n), (void)(c), 0) default: cilk_spawn f();`. So an item may be any
// expression of the surrounding scope, in templates too. The rewriting of the spawn removes the switch. In front of a
// declaration, `T x = cilk_spawn f();`, the switch has an empty statement, because the scope of x goes on.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_DEPENDPRAGMA_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_DEPENDPRAGMA_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace clang {
class ASTContext;
class ArraySubscriptExpr;
class Expr;
class PragmaHandler;
class Stmt;
class SwitchStmt;
} // namespace clang

namespace cilk2gpu {

class Keywords;

/// An item of a depend clause as the preprocessor read it.
struct DependItemText {
  clang::SourceLocation at;
  bool writes;
  /// For each dimension of an array section, from the outermost on: true if the source has a length.
  llvm::SmallVector<bool, 2> hasLength;
};

/// A dimension of an array section. If `length` is null, the section goes on to the end of the array.
struct DependDimension {
  clang::ArraySubscriptExpr *element; ///< first element of the section
  clang::Expr *length;
};

/// An item of a depend clause as Sema built it.
struct DependItem {
  clang::SourceLocation at;
  bool writes;
  clang::Expr *object;                              ///< the object, or the first element of a section
  llvm::SmallVector<DependDimension, 2> dimensions; ///< from the outermost on; none if the item is no section
};

/// Makes the handler of the pragma `cilk depend`, as makeGrainPragma() does.
std::unique_ptr<clang::PragmaHandler> makeDependPragma(Keywords *keywords);

/// Returns the statement behind the pragma, or null if there is none. In front of a declaration, this is an empty
/// statement.
clang::Stmt *dependStatement(const clang::SwitchStmt *pragma);

/// Returns the items of the pragma. If an item has errors, returns nothing. If `reports`, reports items that do not
/// denote an object with an address.
std::optional<llvm::SmallVector<DependItem, 4>> dependItems(const clang::SwitchStmt *pragma, const Keywords &keywords,
                                                            clang::ASTContext &context, bool reports);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_DEPENDPRAGMA_H
