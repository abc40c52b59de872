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

/// Attribute of an llvm.func: the function is a task. It can be spawned and is cut at its syncs.
inline constexpr llvm::StringLiteral kTaskAttr = "cilk.task";
/// Attribute of a wrapper task, which only calls an ordinary function: the symbol of that function.
inline constexpr llvm::StringLiteral kWrapsAttr = "cilk.wraps";
/// Attribute of a task function: the symbol of its serial elision.
inline constexpr llvm::StringLiteral kElisionAttr = "cilk.elision";

/// Attribute of an llvm.atomicrmw without uses: it updates the accumulator of a result. The update may take place
/// later, up to the end of the kernel, and together with other updates.
inline constexpr llvm::StringLiteral kAccumulateAttr = "cilk.accumulate";

/// Attributes of a task that adds its result to an accumulator, its last argument:
/// - the kind of the update (LLVM::AtomicBinOp, i64);
/// - the symbol of the serial elision that computes the result, if the task has one.
inline constexpr llvm::StringLiteral kAccumulationKindAttr = "cilk.accumulation_kind";
inline constexpr llvm::StringLiteral kAccumulatedElisionAttr = "cilk.accumulated_elision";

/// Attribute of a task, and of its channel stack: the task only starts an accumulation, and another task computes it.
inline constexpr llvm::StringLiteral kStartsAccumulationAttr = "cilk.starts_accumulation";

/// Attribute of a task whose views of reducers are tracked: its last argument is its slot (cilk-track-strands). The
/// value is the symbol of the function that the task runs.
inline constexpr llvm::StringLiteral kStrandsAttr = "cilk.strands";

/// Attribute of a task of a unit without reducers: the symbol of the task whose views are tracked. The entry starts
/// that task if the program has reducers.
inline constexpr llvm::StringLiteral kStrandFormAttr = "cilk.strand_form";

/// Returns true if `func` is a task (see kTaskAttr).
bool isTask(mlir::Operation *func);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_DIALECT_CILK_IR_CILK_H
