// The callee of a call.
#ifndef CILK2GPU_SUPPORT_CALLEE_H
#define CILK2GPU_SUPPORT_CALLEE_H

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace cilk2gpu {

/// Returns the function that a call names, or null if it calls through a pointer. As in C without a prototype, the
/// types of call and function may differ; LLVM's getCalledFunction returns null in that case.
inline llvm::Function *calleeOf(const llvm::CallBase &call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_CALLEE_H
