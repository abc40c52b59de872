// Finds where the threads of a block diverge in the body of a block graph.
//
// A value depends on the thread if it is computed from channel.thread_id, along a dimension with more than one thread.
// It may be computed through operands of operations, through arguments of blocks, or chosen by a branch on another one.
// Memory and called functions are not looked into. A loaded value depends on the thread only if its address does.
#ifndef CILK2GPU_LIB_DIALECT_CHANNEL_IR_THREADDEPENDENCE_H
#define CILK2GPU_LIB_DIALECT_CHANNEL_IR_THREADDEPENDENCE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2gpu::channel {

/// For each block, the first block behind it that all paths to a return come through. Paths that end in
/// llvm.unreachable do not count: threads do not go on behind them.
class Meetings {
public:
  explicit Meetings(mlir::LLVM::LLVMFuncOp body);

  /// Returns null if there is none.
  mlir::Block *behind(mlir::Block &block) const;

private:
  void addReturning(mlir::Block &block);

  llvm::MapVector<mlir::Block *, unsigned> numbers; ///< blocks from which a path leads to a return
  llvm::SmallVector<llvm::BitVector> behindBlocks;  ///< for each number: numbers of blocks on all paths to a return
};

class ThreadDependence {
public:
  /// `threads` are the extents of a block.
  ThreadDependence(mlir::LLVM::LLVMFuncOp body, llvm::ArrayRef<int64_t> threads);

  /// A branch that depends on the thread and whose paths have not met again in `block`; null if there is none.
  mlir::Operation *divergenceAt(mlir::Block *block) const { return divergent.lookup(block); }

private:
  bool visit(mlir::Operation &op);
  bool isSource(mlir::Operation &op) const;
  bool visitBranch(mlir::Operation &branch);
  bool markDivergent(mlir::Operation &branch);
  bool markChosenArguments(mlir::Block &block, llvm::function_ref<bool(mlir::Block *)> isPath);
  bool mark(mlir::Value value) { return dependent.insert(value).second; }

  llvm::ArrayRef<int64_t> threads;
  Meetings meetings;
  llvm::DenseSet<mlir::Value> dependent;
  llvm::DenseMap<mlir::Block *, mlir::Operation *> divergent; ///< a branch by block
};

} // namespace cilk2gpu::channel

#endif // CILK2GPU_LIB_DIALECT_CHANNEL_IR_THREADDEPENDENCE_H
