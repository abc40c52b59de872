// The `lane` dialect: operations, and the kinds of their accumulations as LLVM knows them.
#ifndef CILK2GPU_DIALECT_LANE_IR_LANE_H
#define CILK2GPU_DIALECT_LANE_IR_LANE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "cilk2gpu/Dialect/Lane/IR/LaneDialect.h.inc"
#include "cilk2gpu/Dialect/Lane/IR/LaneEnums.h.inc"
#define GET_OP_CLASSES
#include "cilk2gpu/Dialect/Lane/IR/LaneOps.h.inc"

namespace cilk2gpu::lane {

/// The operation of llvm.atomicrmw that folds as `kind` says.
mlir::LLVM::AtomicBinOp atomicOf(FoldKind kind);

/// The kind that folds as an operation of llvm.atomicrmw does; none if lanes cannot fold so.
std::optional<FoldKind> foldKindOf(mlir::LLVM::AtomicBinOp operation);

} // namespace cilk2gpu::lane

#endif // CILK2GPU_DIALECT_LANE_IR_LANE_H
