// Makes implicit syncs explicit, and removes syncs that wait for nothing. A forward data-flow analysis finds the places
// where a child of this activation may be outstanding.
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_INSERTIMPLICITSYNCSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu::cilk;

namespace {

/// Returns true if a child may be outstanding after `op`. `outstanding` is true if a child may be outstanding before
/// `op`.
bool transfer(Operation &op, bool outstanding) {
  if (isa<SpawnOp>(op))
    return true;
  // A plain call waits for every outstanding child (cilk-lower-calls).
  return outstanding && !isa<SyncOp, CallOp>(op);
}

/// Returns, for each block, true if a child may be outstanding at its start.
llvm::DenseMap<Block *, bool> outstandingAtEntry(Region &region) {
  llvm::DenseMap<Block *, bool> atEntry;
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : region) {
      bool outstanding = atEntry[&block];
      for (Operation &op : block)
        outstanding = transfer(op, outstanding);
      for (Block *next : block.getSuccessors())
        if (outstanding && !atEntry[next])
          changed = atEntry[next] = true;
    }
  }
  return atEntry;
}

struct InsertImplicitSyncsPass : cilk2gpu::cilk::impl::InsertImplicitSyncsPassBase<InsertImplicitSyncsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      bool hasSpawns = false;
      func.walk([&](Operation *op) { hasSpawns |= isa<SpawnOp, SyncOp>(op); });
      if (hasSpawns)
        placeSyncs(func);
    }
  }

  void placeSyncs(LLVM::LLVMFuncOp func) {
    llvm::DenseMap<Block *, bool> atEntry = outstandingAtEntry(func.getBody());
    for (Block &block : func.getBody()) {
      bool outstanding = atEntry[&block];
      for (Operation &op : llvm::make_early_inc_range(block)) {
        bool before = outstanding;
        outstanding = transfer(op, outstanding);
        if (isa<SyncOp>(op) && !before) {
          op.erase();
          ++numRemoved;
        } else if (isa<LLVM::ReturnOp>(op) && before) {
          OpBuilder builder(&op);
          SyncOp::create(builder, op.getLoc());
          ++numInserted;
        }
      }
    }
  }
};

} // namespace
