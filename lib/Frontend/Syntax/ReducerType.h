// Finds reducers in types. `T cilk_reducer(identity, reduce)` becomes T with Clang's attribute `annotate_type`, which
// stays in the type as it is written, and which the type system ignores:
//
//   T [[clang::annotate_type("cilk_reducer", sizeof(__cilk2gpu_reducer(identity, reduce)))]]
//
// No code is made for the operand of sizeof. But Sema checks it as a call, so both functions get the right types.
#ifndef CILK2GPU_LIB_FRONTEND_SYNTAX_REDUCERTYPE_H
#define CILK2GPU_LIB_FRONTEND_SYNTAX_REDUCERTYPE_H

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace cilk2gpu {

/// Name of the function in the operand of sizeof. The consumer declares it when it is looked up.
inline constexpr const char kReducerFunction[] = "__cilk2gpu_reducer";

/// Defines both keywords of reducers as macros of the preprocessor.
void defineReducerKeywords(clang::Preprocessor &pp);

/// A type that is written as a reducer.
struct ReducerType {
  const clang::AnnotateTypeAttr *attribute;
  clang::QualType view;
  /// The declaration of the alias or typedef that contains the keyword, or null.
  const clang::TypedefNameDecl *name = nullptr;
  /// The alias with its template arguments, if it is an alias template; else null.
  const clang::TemplateSpecializationType *alias = nullptr;

  /// Returns the call in the operand of sizeof. Its arguments are the functions `identity` and `reduce`.
  clang::Expr *call() const;
};

/// Returns the reducer if the type is written as one. Types that the compiler deduces do not count, nor do the types of
/// expressions in `typeof` and `decltype`, and arguments of templates. There, the name of a reducer stands for its
/// view.
std::optional<ReducerType> findReducer(clang::QualType type);

/// Returns the reducer to which the pointer or reference leads, if its type is written so.
std::optional<ReducerType> findPointedReducer(clang::QualType pointer);
std::optional<ReducerType> findReferencedReducer(clang::QualType reference);

/// Returns true if an object of the type is a reducer, or has elements, members or bases that are reducers.
bool containsReducer(clang::QualType type);

/// Returns the reducer that the expression names. The type of an expression does not suffice: an assignment to a
/// reducer has the reducer's type, too, but it is an access to a view.
std::optional<ReducerType> findNamedReducer(const clang::Expr *expr);

/// Returns the type of the elements, as it is written, if the expression names an array of reducers.
std::optional<clang::QualType> findReducerElements(const clang::Expr *array);

/// Returns true if the value of the expression is a pointer to a reducer, and not to one of its views.
bool pointsToReducer(const clang::Expr *expr);

/// Returns true for a call of __builtin_addressof.
bool isBuiltinAddress(const clang::Expr *expr);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_SYNTAX_REDUCERTYPE_H
