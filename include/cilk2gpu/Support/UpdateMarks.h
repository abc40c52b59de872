// How the update of `x += spawn f()`, which nobody reads before a sync, is known on its way to the device form: Clang
// makes an atomic operation of it, and the program may have others.
#ifndef CILK2GPU_SUPPORT_UPDATEMARKS_H
#define CILK2GPU_SUPPORT_UPDATEMARKS_H

#include "llvm/ADT/StringRef.h"

namespace cilk2gpu {

/// LLVM function attribute on a task that the import made of such a spawn: its one atomic operation is the update.
inline constexpr llvm::StringLiteral kUpdateFunctionAttr = "cilk2gpu-update";

namespace cilk {

/// On an llvm.atomicrmw without uses, of an integer kind: such an update. It may take place together with others that
/// stand at the same place.
inline constexpr llvm::StringLiteral kUpdateAttr = "cilk.update";

} // namespace cilk
} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_UPDATEMARKS_H
