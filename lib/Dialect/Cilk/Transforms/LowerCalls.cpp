// Turns a waited-for call into a spawn of the callee and a sync.
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/Cuts.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_LOWERCALLSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu::cilk;

namespace {

// %r = cilk.call @f(%a) -> cilk.spawn @f(%a) into %slot; cilk.sync; %r = load %slot
void lower(CallOp call) {
  OpBuilder builder(call);
  Value slot;
  TypeAttr resultType;
  if (Value result = call.getResult()) {
    Block &entry = call->getParentOfType<LLVM::LLVMFuncOp>().getBody().front();
    slot = cilk2gpu::createLocal(entry, result.getType(), call.getLoc());
    resultType = TypeAttr::get(result.getType());
  }
  SpawnOp::create(builder, call.getLoc(), call.getCalleeAttr(), call.getArgs(), slot, resultType);
  SyncOp::create(builder, call.getLoc());
  if (slot)
    call.getResult().replaceAllUsesWith(
        LLVM::LoadOp::create(builder, call.getLoc(), resultType.getValue(), slot).getResult());
  call.erase();
}

struct LowerCallsPass : cilk2gpu::cilk::impl::LowerCallsPassBase<LowerCallsPass> {
  void runOnOperation() override {
    getOperation().walk([](CallOp call) { lower(call); });
  }
};

} // namespace
