// The `lane` dialect: its operations, and the conversion of its folds to and from kinds of llvm.atomicrmw.
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

/// Returns the kind of llvm.atomicrmw that folds like `kind`.
mlir::LLVM::AtomicBinOp atomicOf(FoldKind kind);

/// Returns the fold of the `lane` dialect that does the same as a kind of llvm.atomicrmw, or nothing if there is none.
std::optional<FoldKind> foldKindOf(mlir::LLVM::AtomicBinOp operation);

} // namespace cilk2gpu::lane

#endif // CILK2GPU_DIALECT_LANE_IR_LANE_H
