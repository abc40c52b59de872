// Member functions that read their object: one that is still to be assigned by a child must not be read by them.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_MEMBERREADS_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_MEMBERREADS_H

#include "clang/AST/Expr.h"

namespace cilk2gpu {

/// The object whose fields `expr`, a call of a member function or operator of a class, gets a number from; null if it
/// is another expression, and where the function's body is not known.
const clang::Expr *readByMember(const clang::Expr *expr);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_MEMBERREADS_H
