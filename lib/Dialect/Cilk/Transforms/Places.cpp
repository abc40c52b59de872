// See Places.h.
#include "Places.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

bool cilk2gpu::cilk::isAlignedLocal(Value address, Type type) {
  Type pointee;
  if (auto element = address.getDefiningOp<LLVM::GEPOp>()) {
    auto array = dyn_cast<LLVM::LLVMArrayType>(element.getElemType());
    pointee = array ? array.getElementType() : element.getElemType();
    address = element.getBase();
  }
  auto local = address.getDefiningOp<LLVM::AllocaOp>();
  if (!local)
    return false;
  auto array = dyn_cast<LLVM::LLVMArrayType>(local.getElemType());
  return (pointee ? pointee : local.getElemType()) == type &&
         (local.getElemType() == type || (array && array.getElementType() == type));
}
