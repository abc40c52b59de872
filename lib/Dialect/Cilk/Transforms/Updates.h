// Spawns of `x += cilk_spawn f(...)`. The import makes a task of the call and the update, and the parent spawns this
// task with the address of x:
//
//   cilk.spawn @g.spawn0(%a, %x)
//   @g.spawn0(%a, %x) { %r = cilk.call @f(%a); llvm.atomicrmw add %x, %r {cilk.update}; llvm.return }
//
// cilk-lower-calls turns the call into a spawn, a sync and a load of the result.
#ifndef CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_UPDATES_H
#define CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_UPDATES_H

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2gpu::cilk {

/// What a spawn of an update does. The operations belong to the spawned task.
struct Update {
  mlir::Operation *call;          ///< the call or the spawn of f
  mlir::FlatSymbolRefAttr callee; ///< f
  mlir::ValueRange args;          ///< the arguments of f
  mlir::Value result;             ///< what f returns
  mlir::LLVM::AtomicRMWOp update; ///< of x by the result, which may have been converted before
  mlir::Value object;             ///< the address of x: an argument of the spawn, in the parent

  /// Returns true if x is updated by f's result as it is.
  bool takesResult() { return update.getVal() == result; }
};

/// Returns what `spawn` does if it is the spawn of an update, else nothing.
std::optional<Update> updateOf(SpawnOp spawn, mlir::SymbolTable &symbols);

/// Copies the code of the spawned task that computes `values` into the parent, and returns the parent's values. Such
/// code has no effects. `mapping` says what corresponds to values that are not copied; the task's parameters correspond
/// to the spawn's arguments.
llvm::SmallVector<mlir::Value> copyToParent(mlir::ValueRange values, SpawnOp spawn, mlir::IRMapping &mapping,
                                            mlir::OpBuilder &builder);

/// Returns true if the use keeps a local's address within the function: a load, a store to it, a result or an update
/// of a spawn.
bool keepsAddress(mlir::OpOperand &use, mlir::SymbolTable &symbols);

} // namespace cilk2gpu::cilk

#endif // CILK2GPU_LIB_DIALECT_CILK_TRANSFORMS_UPDATES_H
