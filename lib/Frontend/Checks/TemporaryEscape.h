// Decides if a value can hold the address of a temporary. A temporary is destroyed at the end of the spawn's statement,
// so no spawned call may get its address. Temporaries that only serve to compute the value are allowed.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_TEMPORARYESCAPE_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_TEMPORARYESCAPE_H

#include "clang/AST/Expr.h"

namespace cilk2gpu {

/// Returns true if `argument`, an object (a glvalue) or a value, is a temporary made in it, or may hold its address.
bool refersToTemporary(const clang::Expr *argument);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_TEMPORARYESCAPE_H
