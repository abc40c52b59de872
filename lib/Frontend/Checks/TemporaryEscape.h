// Whether the address of a temporary can be in a value. A temporary ends with the spawn's statement, so no spawned call
// may get one by address; one that the value is only computed with does no harm.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_TEMPORARYESCAPE_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_TEMPORARYESCAPE_H

#include "clang/AST/Expr.h"

namespace cilk2gpu {

/// Whether `argument`, an object (a glvalue) or a value, is or may hold the address of a temporary created in it.
bool refersToTemporary(const clang::Expr *argument);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_TEMPORARYESCAPE_H
