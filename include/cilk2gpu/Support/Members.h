// Takes values of struct and array types apart into their scalar members, and puts such values together.
#ifndef CILK2GPU_SUPPORT_MEMBERS_H
#define CILK2GPU_SUPPORT_MEMBERS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// Visits `value`, or each scalar member of it if it is a struct or an array, with the member's offset in bytes.
/// Members are extracted at the insertion point of `builder`.
void forEachMember(mlir::OpBuilder &builder, mlir::Location loc, const mlir::DataLayout &dataLayout, mlir::Value value,
                   llvm::function_ref<void(mlir::Value member, uint64_t offset)> visit);

/// Makes a value of type `type` from its scalar members, which `get` returns, at the insertion point of `builder`.
mlir::Value joinMembers(mlir::OpBuilder &builder, mlir::Location loc, const mlir::DataLayout &dataLayout,
                        mlir::Type type, llvm::function_ref<mlir::Value(mlir::Type member, uint64_t offset)> get);

/// Stores a function's result. A calling convention may return a larger type than the program's own: {i64, i32} for a
/// struct of 12 bytes. A store of the whole value would also write the padding, so such a value is stored member by
/// member.
void storeResult(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value dest, unsigned alignment);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_MEMBERS_H
