// Values of struct and array type as what they consist of.
#ifndef CILK2GPU_SUPPORT_MEMBERS_H
#define CILK2GPU_SUPPORT_MEMBERS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2gpu {

/// Visits `value`, or what it consists of if it is a struct or an array, with the offset in memory, in bytes. Members
/// are extracted where `builder` stands.
void forEachMember(mlir::OpBuilder &builder, mlir::Location loc, const mlir::DataLayout &dataLayout, mlir::Value value,
                   llvm::function_ref<void(mlir::Value member, uint64_t offset)> visit);

/// A value of type `type`, made of what `get` yields for its members. They are put together where `builder` stands.
mlir::Value joinMembers(mlir::OpBuilder &builder, mlir::Location loc, const mlir::DataLayout &dataLayout,
                        mlir::Type type, llvm::function_ref<mlir::Value(mlir::Type member, uint64_t offset)> get);

/// Stores a function's result. The type that a calling convention gives it may be larger than the program's own, {i64,
/// i32} for a struct of 12 bytes, and what LLVM takes a store of it to write includes its padding: such a value is
/// stored member by member.
void storeResult(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value dest, unsigned alignment);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_MEMBERS_H
