// Turns a plain call into a spawn of the callee and a sync.
#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_LOWERCALLSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu::cilk;

namespace {

// %r = cilk.call @f(%a) -> cilk.spawn @f(%a) into %slot; cilk.sync; %r = load %slot
// The slot of a bool is a byte, like a variable of type bool.
void lower(CallOp call) {
  OpBuilder builder(call);
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
    getOperation().walk([](CallOp call) { lower(call); });
  }
};

} // namespace
