// Finds writes of tasks to static local variables. The serial elision executes them one after the other; tasks execute
// them in any order.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_STATICWRITES_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_STATICWRITES_H

#include "Frontend/Syntax/Keywords.h"

namespace cilk2gpu {

/// Warns of the first write to each static local variable in `body`, the body of a spawned function or of a cilk_for.
void warnStaticWrites(const clang::Stmt *body, bool isIteration, Keywords &keywords, clang::DiagnosticsEngine &diags);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_STATICWRITES_H
