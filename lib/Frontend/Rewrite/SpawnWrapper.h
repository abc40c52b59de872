// Spawned calls that take temporaries by reference: `spawn f(n + 1)` for `f(const int &)`, `spawn [=] { ... }()`. The
// temporary must be the child's. Such a call is made by a function of its own, which gets the temporary by value:
//
//   spawn o(n + 1)  ->  static R wrapper(O o, int t) { sync; return o(t); }    spawn wrapper(o, n + 1)
//
// The sync makes it a Cilk function, so that the call in it may be one of a Cilk function, too.
//
// So is a call of a variadic function, whose task has the types of this call's arguments: spawn printf("%d", n).
#ifndef CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNWRAPPER_H
#define CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNWRAPPER_H

#include "Frontend/Syntax/SpawnSite.h"

namespace clang {
class Sema;
} // namespace clang

namespace cilk2gpu {

/// The temporary that `operand`, an argument or object, is directly bound to, if the child can have a copy of its
/// bytes.
clang::MaterializeTemporaryExpr *ownedTemporary(const clang::Expr *operand, const clang::ASTContext &context);

/// Whether a wrapper can make the call: it names its function, and gets nothing by value that cannot be copied as
/// bytes.
bool canWrap(const SpawnSite &site, const clang::ASTContext &context);

/// Whether the site's call has an operand that needs one, and can have one.
bool needsWrapper(const SpawnSite &site, const clang::ASTContext &context);

/// Whether operands are evaluated by the parent where the child finds their temporaries, and destroys them: where a
/// temporary's address may be in one and no wrapper can have a copy.
bool placesTemporaries(const SpawnSite &site, const clang::ASTContext &context);

/// Makes the site spawn a new function that makes its call; `sync` is a sync's marker. The function is handed to
/// CodeGen.
void wrapCall(const SpawnSite &site, unsigned number, clang::Expr *sync, clang::Sema &sema);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_REWRITE_SPAWNWRAPPER_H
