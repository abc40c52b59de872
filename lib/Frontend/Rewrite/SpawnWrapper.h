// Spawned calls that take temporaries by reference: `spawn f(n + 1)` for `f(const int &)`, or `spawn [=] { ... }()`.
// The temporary must belong to the child. So a new function, the wrapper, gets the temporary by value and makes the
// call:
//
//   spawn o(n + 1)  ->  static R wrapper(O o, int t) { sync; return o(t); }    spawn wrapper(o, n + 1)
//
// The sync makes the wrapper a Cilk function, so that the call in it may be a call of a Cilk function, too.
//
// A wrapper also makes the call of a builtin, as in `spawn __builtin_memcpy(a, b, n)`, and of a variadic function, as
// in `spawn printf("%d", n)`. The types of the task's arguments are the types of this call's arguments.
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNWRAPPER_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNWRAPPER_H

#include "Frontend/Syntax/SpawnSite.h"

namespace clang {
class Sema;
} // namespace clang

namespace cilk2gpu {

/// Makes a wrapper function for the site's call, and makes the site spawn the wrapper. `sync` is a call of the sync
/// marker. The wrapper is passed to CodeGen.
void wrapCall(const SpawnSite &site, unsigned number, clang::Expr *sync, clang::Sema &sema);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNWRAPPER_H
