// Whom a call calls.
#ifndef CILK2GPU_SUPPORT_CALLEE_H
#define CILK2GPU_SUPPORT_CALLEE_H

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// The function that a call names; null if it calls through a pointer. The call may take it for one of another type, as
/// C does without a prototype: then LLVM's getCalledFunction has none.
inline llvm::Function *calleeOf(const llvm::CallBase &call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_CALLEE_H
