// Calls of functions that the linker may replace, if they lead to this unit's body (ReplaceableFunctions.cpp).
#ifndef CILK2GPU_LIB_IMPORT_REPLACEABLEFUNCTIONS_H
#define CILK2GPU_LIB_IMPORT_REPLACEABLEFUNCTIONS_H

#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// Returns the function whose body has moved to `body`, or null. Copies of a body are no bodies.
llvm::Function *replaceableOf(const llvm::Function &body);

/// Makes each call in `caller` of the function whose body moved to `body` call `target` if that body is linked. Does
/// nothing in code for GPUs.
/// `isWanted` chooses the calls. `target` is the body or its elision.
void callLinkedBody(llvm::Function &caller, llvm::Function &body, llvm::Function &target,
                    llvm::function_ref<bool(const llvm::CallBase &)> isWanted);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_REPLACEABLEFUNCTIONS_H
