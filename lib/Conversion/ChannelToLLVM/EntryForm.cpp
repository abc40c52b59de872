// Lowers ordinary functions that start a graph: their channel operations become calls of the runtime.
#include "Patterns.h"

#include "cilk2gpu/Support/LoweredNames.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

struct LowerRoot : KernelPattern<channel::RootOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::RootOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    Value record = LLVM::AddressOfOp::create(rewriter, op.getLoc(), code.pointer(),
                                             recordName(op.getChannel().getLeafReference()));
    Value cursor = code.call("__cilk2gpu_root", code.pointer(), record);
    code.fillElement(cursor, body.scope.stackOf(op.getChannel()), adaptor.getFields());
    code.call("__cilk2gpu_publish", code.none(), cursor);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerExecute : KernelPattern<channel::ExecuteOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::ExecuteOp op, Adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    code.call("__cilk2gpu_execute", code.none(), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerSerial : KernelPattern<channel::SerialOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::SerialOp op, Adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    Value answer = code.call("__cilk2gpu_serial", code.i32(), {});
    Value zero = code.constant(code.i32(), 0);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne, answer, zero);
    return success();
  }
};

struct LowerSlot : KernelPattern<channel::SlotOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::SlotOp op, Adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    Value bytes = code.constant(code.i64(), op.getSize());
    rewriter.replaceOp(op, code.call("__cilk2gpu_slot", code.pointer(), bytes));
    return success();
  }
};

struct LowerFreeSlot : KernelPattern<channel::FreeSlotOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::FreeSlotOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    Value bytes = code.constant(code.i64(), op.getSize());
    code.call("__cilk2gpu_free_slot", code.none(), {adaptor.getAddress(), bytes});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void cilk2gpu::populateChannelToEntryPatterns(const TypeConverter &types, LoweredBody &body,
                                              RewritePatternSet &patterns) {
  patterns.add<LowerRoot, LowerExecute, LowerSerial, LowerSlot, LowerFreeSlot>(types, patterns.getContext(), body);
  populateFramePlacePatterns(types, body, patterns);
}
