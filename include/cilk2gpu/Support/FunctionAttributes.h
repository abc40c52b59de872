// LLVM's function attributes that MLIR only passes through.
#ifndef CILK2GPU_SUPPORT_FUNCTIONATTRIBUTES_H
#define CILK2GPU_SUPPORT_FUNCTIONATTRIBUTES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Whether a function has the attribute `name` without a value.
inline bool hasFunctionAttribute(mlir::LLVM::LLVMFuncOp func, llvm::StringRef name) {
  mlir::ArrayAttr attributes = func.getPassthroughAttr();
  return attributes && llvm::is_contained(attributes, mlir::StringAttr::get(func.getContext(), name));
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_FUNCTIONATTRIBUTES_H
