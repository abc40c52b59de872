// LLVM's function attributes that MLIR passes through without understanding them.
#ifndef CILK2GPU_SUPPORT_FUNCTIONATTRIBUTES_H
#define CILK2GPU_SUPPORT_FUNCTIONATTRIBUTES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2gpu {

/// Returns true if a function has the attribute `name` without a value.
inline bool hasFunctionAttribute(mlir::LLVM::LLVMFuncOp func, llvm::StringRef name) {
  mlir::ArrayAttr attributes = func.getPassthroughAttr();
  return attributes && llvm::is_contained(attributes, mlir::StringAttr::get(func.getContext(), name));
}

/// Returns the value of a function's attribute `name`; empty if it has none.
inline llvm::StringRef functionAttribute(mlir::LLVM::LLVMFuncOp func, llvm::StringRef name) {
  if (mlir::ArrayAttr attributes = func.getPassthroughAttr())
    for (mlir::Attribute attribute : attributes)
      if (auto pair = mlir::dyn_cast<mlir::ArrayAttr>(attribute); pair && pair.size() == 2)
        if (auto key = mlir::dyn_cast<mlir::StringAttr>(pair[0]); key && key.getValue() == name)
          return mlir::cast<mlir::StringAttr>(pair[1]).getValue();
  return "";
}

/// Gives a function the attribute `name`. An empty `value` stands for none.
inline void addFunctionAttribute(mlir::LLVM::LLVMFuncOp func, llvm::StringRef name, llvm::StringRef value = "") {
  llvm::SmallVector<mlir::Attribute> attributes;
  if (mlir::ArrayAttr old = func.getPassthroughAttr())
    llvm::append_range(attributes, old);
  mlir::Builder builder(func.getContext());
  attributes.push_back(value.empty() ? mlir::Attribute(builder.getStringAttr(name))
                                     : builder.getStrArrayAttr({name, value}));
  func.setPassthroughAttr(builder.getArrayAttr(attributes));
}

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_FUNCTIONATTRIBUTES_H
