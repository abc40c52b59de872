// Turns a plain call into a spawn of the callee and a sync.
#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_LOWERCALLSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu::cilk;

namespace {

/// Returns the store behind a call if it is the only use of the call's result, or null. Only code without effects may
/// stand in between.
LLVM::StoreOp storeOf(CallOp call) {
  Value result = call.getResult();
  Operation *next = call->getNextNode();
  while (next && !isa<LLVM::StoreOp>(next) && isMemoryEffectFree(next))
    next = next->getNextNode();
  auto store = dyn_cast_or_null<LLVM::StoreOp>(next);
  if (!result || !result.hasOneUse() || !store || store.getValue() != result || store.getVolatile_() ||
      store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return {};
  Operation *address = store.getAddr().getDefiningOp();
  return !address || address->getBlock() != call->getBlock() || address->isBeforeInBlock(call) ? store
                                                                                               : LLVM::StoreOp();
}

// store (cilk.call @f(%a)), %x -> cilk.spawn @f(%a) into %x; cilk.sync
// %r = cilk.call @f(%a)        -> cilk.spawn @f(%a) into %slot; cilk.sync; %r = load %slot
// The slot of a bool is a byte, like a variable of type bool.
void lower(CallOp call) {
  OpBuilder builder(call);
  if (LLVM::StoreOp store = storeOf(call)) {
    SpawnOp::create(builder, call.getLoc(), call.getCalleeAttr(), call.getArgs(), store.getAddr(),
                    TypeAttr::get(store.getValue().getType()));
    SyncOp::create(builder, call.getLoc());
    store.erase();
    return call.erase();
  }
  Value result = call.getResult(), slot;
  Type held = result && result.getType().isInteger(1) ? builder.getI8Type() : result ? result.getType() : Type();
  if (result) {
    Block &entry = call->getParentOfType<LLVM::LLVMFuncOp>().getBody().front();
    slot = cilk2gpu::createLocal(entry, held, call.getLoc());
  }
  SpawnOp::create(builder, call.getLoc(), call.getCalleeAttr(), call.getArgs(), slot,
                  result ? TypeAttr::get(result.getType()) : TypeAttr());
  SyncOp::create(builder, call.getLoc());
  if (result) {
    Value value = LLVM::LoadOp::create(builder, call.getLoc(), held, slot);
    if (held != result.getType())
      value = LLVM::TruncOp::create(builder, call.getLoc(), result.getType(), value);
    result.replaceAllUsesWith(value);
  }
  call.erase();
}

struct LowerCallsPass : cilk2gpu::cilk::impl::LowerCallsPassBase<LowerCallsPass> {
  void runOnOperation() override {
    SmallVector<CallOp> calls;
    getOperation().walk([&](CallOp call) { calls.push_back(call); });
    for (CallOp call : calls)
      lower(call);
  }
};

} // namespace
