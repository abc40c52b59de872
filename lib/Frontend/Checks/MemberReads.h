// Finds calls of member functions that read their object. They may not be called for an object that a child has not
// assigned yet.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_MEMBERREADS_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_MEMBERREADS_H

#include "clang/AST/Expr.h"

namespace cilk2gpu {

/// Returns the object from whose fields `expr` computes a number, if `expr` is a call of a member function or of a
/// class's operator. Returns null for other expressions, and if the function's body is not known.
const clang::Expr *readByMember(const clang::Expr *expr);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_MEMBERREADS_H
