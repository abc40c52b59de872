// Lowers scalar kernels: channel operations of one lane become loads and stores on the wave interface of
// cilk2gpu/abi/Records.h.
#include "Patterns.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/abi/Records.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// Takes one of the frames that the scheduler granted to the wavefront, or gets the cursor of a post-sync channel.
struct LowerTalloc : KernelPattern<channel::TallocOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TallocOp op, Adaptor, Rewriter &rewriter) const override;
};

/// %granted = next < limit || __cilk2gpu_talloc(wave, target)
struct LowerTryTalloc : KernelPattern<channel::TryTallocOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TryTallocOp op, Adaptor, Rewriter &rewriter) const override;
  Value extend(Rewriter &rewriter, Location loc, Value cursor, unsigned target) const;
};

struct LowerEnq : KernelPattern<channel::EnqOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::EnqOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    KernelBuilder(rewriter, op.getLoc(), body)
        .fillElement(adaptor.getElement(), body.scope.stackOf(op.getChannel()), adaptor.getFields());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Gives a frame back to the store. A consumed element needs no code, because it is freed together with its wavefront.
struct LowerTfree : KernelPattern<channel::TfreeOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TfreeOp op, Adaptor adaptor, Rewriter &rewriter) const override;
};

/// Appends the frame and the site to the channel of restarts.
struct LowerYield : KernelPattern<channel::YieldOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::YieldOp op, Adaptor adaptor, Rewriter &rewriter) const override;
};

} // namespace

LogicalResult LowerTalloc::matchAndRewrite(channel::TallocOp op, Adaptor, Rewriter &rewriter) const {
  Location loc = op.getLoc();
  KernelBuilder code(rewriter, loc, body);
  if (channel::ChannelNodeOpInterface stack = body.scope.stackOf(op.getChannel())) {
    rewriter.replaceOp(op, code.recordAt(offsetof(abi::Wave, syncs), body.scope.segmentOf(stack)));
    return success();
  }
  Value store = code.recordAt(offsetof(abi::Wave, frames));
  Value count = code.loadCount(store, offsetof(abi::FrameStore, count));
  Value top = LLVM::SubOp::create(rewriter, loc, count, code.constant(code.i64(), 1));
  code.storeCount(top, store, offsetof(abi::FrameStore, count));
  Value free = code.loadAt(code.pointer(), store, offsetof(abi::FrameStore, free));
  Value slot = LLVM::GEPOp::create(rewriter, loc, free.getType(), free.getType(), free, ArrayRef<LLVM::GEPArg>{top});
  rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, free.getType(), slot);
  return success();
}

/// Makes the call that asks the runtime for more room. Returns an i1: true if there is room afterwards.
Value LowerTryTalloc::extend(Rewriter &rewriter, Location loc, Value cursor, unsigned target) const {
  KernelBuilder code(rewriter, loc, body);
  body.scope.runtime.get(kTallocName, code.i32(), {code.pointer(), code.i32()}).setNoUnwind(true);
  Value answer = code.call(kTallocName, code.i32(), {body.wave, code.constant(code.i32(), target)});
  CountAddress count = body.records.lookup(cursor);
  count.inRecord = offsetof(abi::Cursor, next);
  body.extensions.push_back({answer.getDefiningOp<LLVM::CallOp>(), count});
  return LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, answer, code.constant(code.i32(), 0));
}

LogicalResult LowerTryTalloc::matchAndRewrite(channel::TryTallocOp op, Adaptor, Rewriter &rewriter) const {
  Location loc = op.getLoc();
  KernelBuilder code(rewriter, loc, body);
  unsigned target = body.scope.targetOf(op.getChannel());
  Value cursor = code.recordAt(offsetof(abi::Wave, spawns), target);
  Value next = code.loadCount(cursor, offsetof(abi::Cursor, next));
  Value limit = code.loadAt(code.i64(), cursor, offsetof(abi::Cursor, limit));
  Value hasSpace = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ult, next, limit);

  Block *before = op->getBlock();
  Block *after = rewriter.splitBlock(before, op->getIterator());
  Block *full = rewriter.createBlock(after);
  Value granted = after->addArgument(rewriter.getI1Type(), loc);
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, loc, hasSpace, after, ValueRange(hasSpace), full, ValueRange(),
                         std::make_pair(2000, 1));
  rewriter.setInsertionPointToEnd(full);
  Value extended = extend(rewriter, loc, cursor, target);
  LLVM::BrOp::create(rewriter, loc, ValueRange(extended), after);
  rewriter.replaceOp(op, {cursor, granted});
  return success();
}

LogicalResult LowerTfree::matchAndRewrite(channel::TfreeOp op, Adaptor adaptor, Rewriter &rewriter) const {
  if (isa<channel::ElementType>(op.getValue().getType()) || body.scope.stackOf(op.getChannel())) {
    rewriter.eraseOp(op);
    return success();
  }
  Location loc = op.getLoc();
  KernelBuilder code(rewriter, loc, body);
  Value store = code.recordAt(offsetof(abi::Wave, frames));
  Value count = code.loadCount(store, offsetof(abi::FrameStore, count));
  Value free = code.loadAt(code.pointer(), store, offsetof(abi::FrameStore, free));
  Value slot = LLVM::GEPOp::create(rewriter, loc, free.getType(), free.getType(), free, ArrayRef<LLVM::GEPArg>{count});
  LLVM::StoreOp::create(rewriter, loc, adaptor.getValue(), slot);
  Value more = LLVM::AddOp::create(rewriter, loc, count, code.constant(code.i64(), 1));
  code.storeCount(more, store, offsetof(abi::FrameStore, count));
  rewriter.eraseOp(op);
  return success();
}

LogicalResult LowerYield::matchAndRewrite(channel::YieldOp op, Adaptor adaptor, Rewriter &rewriter) const {
  Location loc = op.getLoc();
  KernelBuilder code(rewriter, loc, body);
  Value cursor = code.loadAt(code.pointer(), body.wave, offsetof(abi::Wave, restarts));
  Value columns = code.loadAt(code.pointer(), cursor, offsetof(abi::Cursor, columns));
  Value next = code.loadAt(code.i64(), cursor, offsetof(abi::Cursor, next));
  LLVM::StoreOp::create(rewriter, loc, adaptor.getFrame(), code.fieldAddress(columns, next, 0, code.pointer()));
  Value number = code.constant(code.i32(), op.getSite());
  LLVM::StoreOp::create(rewriter, loc, number, code.fieldAddress(columns, next, 1, code.i32()));
  Value more = LLVM::AddOp::create(rewriter, loc, next, code.constant(code.i64(), 1));
  code.storeAt(more, cursor, offsetof(abi::Cursor, next));
  rewriter.eraseOp(op);
  return success();
}

void cilk2gpu::populateChannelToHostPatterns(const TypeConverter &types, LoweredBody &body,
                                             RewritePatternSet &patterns) {
  patterns.add<LowerTalloc, LowerTryTalloc, LowerEnq, LowerTfree, LowerYield>(types, patterns.getContext(), body);
  populateSharedKernelPatterns(types, body, patterns);
}
