// Calls of serial elisions.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_ELISIONCALL_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_ELISIONCALL_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu::cilk {

/// Calls an elision with its calling convention and the attributes of its parameters.
inline mlir::LLVM::CallOp createElisionCall(mlir::OpBuilder &builder, mlir::Location loc,
                                            mlir::LLVM::LLVMFuncOp elision, mlir::ValueRange args) {
  auto call = mlir::LLVM::CallOp::create(builder, loc, elision, args);
  call.setCConv(elision.getCConv());
  call.setArgAttrsAttr(elision.getArgAttrsAttr());
  call.setResAttrsAttr(elision.getResAttrsAttr());
  return call;
}

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_ELISIONCALL_H
