// The `cilk` dialect: operations and the names of its function attributes.
#ifndef CILK2GPU_DIALECT_CILK_IR_CILK_H
#define CILK2GPU_DIALECT_CILK_IR_CILK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "cilk2gpu/Dialect/Cilk/IR/CilkDialect.h.inc"
#define GET_OP_CLASSES
#include "cilk2gpu/Dialect/Cilk/IR/CilkOps.h.inc"

namespace cilk2gpu::cilk {

/// On an llvm.func: it can be spawned and is cut at its syncs.
inline constexpr llvm::StringLiteral kTaskAttr = "cilk.task";
/// On a task function that only forwards to a plain function: that function's symbol.
inline constexpr llvm::StringLiteral kLeafAttr = "cilk.leaf";
/// On a task function: the symbol of its serial elision.
inline constexpr llvm::StringLiteral kElisionAttr = "cilk.elision";

/// On an llvm.atomicrmw without uses, of an integer kind: an update of a result's accumulator. It may take place later
/// than it stands, up to the end of the kernel, and together with others.
inline constexpr llvm::StringLiteral kAccumulateAttr = "cilk.accumulate";

/// On a task that adds its result to an accumulator, its last argument: the kind of the update (LLVM::AtomicBinOp, i64),
/// and, if the task has a serial elision, the symbol of the elision that returns this result.
inline constexpr llvm::StringLiteral kAccumulationKindAttr = "cilk.accumulation_kind";
inline constexpr llvm::StringLiteral kAccumulatedElisionAttr = "cilk.accumulated_elision";

/// On a task, and on its channel stack: it does nothing but start an accumulation, which another task does.
inline constexpr llvm::StringLiteral kStartsAccumulationAttr = "cilk.starts_accumulation";

/// Whether `func` is a task (see kTaskAttr).
bool isTask(mlir::Operation *func);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_DIALECT_CILK_IR_CILK_H
