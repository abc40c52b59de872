// See MoveUpdates.h.
#include "MoveUpdates.h"

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2gpu::cilk;

/// Returns the operation in front of `op`. At the start of a block, it is the last one of the only block that leads
/// there and to no other block; null if there is none.
static Operation *before(Operation *op) {
  if (Operation *previous = op->getPrevNode())
    return previous;
  Block *from = op->getBlock()->getSinglePredecessor();
  return from && from->getNumSuccessors() == 1 ? from->getTerminator() : nullptr;
}

void cilk2gpu::cilk::moveAboveSyncs(LLVM::AtomicRMWOp update) {
  llvm::SmallSetVector<Operation *, 8> moved;
  moved.insert(update);
  Operation *place = nullptr;
  size_t count = 0; // of the operations that move to `place`
  auto isNeeded = [&](const Value &value) {
    return llvm::any_of(moved, [&](Operation *op) { return llvm::is_contained(op->getOperands(), value); });
  };
  for (Operation *op = update; (op = before(op));) {
    if (isa<SyncOp>(op)) {
      place = op;
      count = moved.size();
    } else if (llvm::any_of(op->getResults(), isNeeded)) {
      if (!isMemoryEffectFree(op))
        break;
      moved.insert(op);
    }
    if (op == &op->getBlock()->front() && llvm::any_of(op->getBlock()->getArguments(), isNeeded))
      break;
  }
  if (!place)
    return;
  for (Operation *op : llvm::reverse(moved.getArrayRef().take_front(count)))
    op->moveBefore(place);
}
