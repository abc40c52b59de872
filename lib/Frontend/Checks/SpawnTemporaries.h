// Decides where the temporaries in the operands of a spawned call live. For example, `spawn f(n + 1)` with the
// parameter `const int &` makes a temporary for n + 1. There are two solutions:
// - A wrapper makes the call and gets the temporary by value (SpawnWrapper.h).
// - The parent makes the temporary where the child finds it, and the child destroys it.
#ifndef CILK2GPU_LIB_FRONTEND_CHECKS_SPAWNTEMPORARIES_H
#define CILK2GPU_LIB_FRONTEND_CHECKS_SPAWNTEMPORARIES_H

#include "Frontend/Syntax/SpawnSite.h"

namespace cilk2gpu {

/// Returns the temporary to which `operand`, an argument or object, is directly bound. Returns null if there is none,
/// or if its bytes cannot simply be copied for the child.
clang::MaterializeTemporaryExpr *ownedTemporary(const clang::Expr *operand, const clang::ASTContext &context);

/// Returns true if a wrapper can make the call: the call names its function, and everything it passes by value can be
/// copied as bytes.
bool canWrap(const SpawnSite &site, const clang::ASTContext &context);

/// Returns true if an operand of the site's call needs a wrapper, and a wrapper can make the call.
bool needsWrapper(const SpawnSite &site, const clang::ASTContext &context);

/// Returns true if the parent must evaluate operands in memory that the child can reach, and the child destroys their
/// temporaries. This is necessary if an operand may hold a temporary's address and no wrapper can get a copy of the
/// temporary.
bool placesTemporaries(const SpawnSite &site, const clang::ASTContext &context);

/// Returns true if objects are constructed before the call, or destroyed after it.
bool hasObjects(const SpawnSite &site, const clang::ASTContext &context);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_FRONTEND_CHECKS_SPAWNTEMPORARIES_H
