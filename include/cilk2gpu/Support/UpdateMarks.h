// Marks of the update in `x += spawn f()`. Clang generates an atomic operation for the update, and no code reads `x`
// before a sync. The marks distinguish the update from the program's own atomic operations, up to the device form.
#ifndef CILK2GPU_SUPPORT_UPDATEMARKS_H
#define CILK2GPU_SUPPORT_UPDATEMARKS_H

#include "llvm/ADT/StringRef.h"

namespace cilk2gpu {

/// LLVM function attribute of a task that the import made from `x += spawn f()`: the task's only atomic operation is
/// the update.
inline constexpr llvm::StringLiteral kUpdateFunctionAttr = "cilk2gpu-update";

namespace cilk {

/// Attribute of an llvm.atomicrmw of integers without uses: it is the update of `x += spawn f()`. It may take place
/// together with neighbouring updates.
inline constexpr llvm::StringLiteral kUpdateAttr = "cilk.update";

} // namespace cilk
} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_UPDATEMARKS_H
