// Patterns that several forms share, and the conversion. See Patterns.h.
#include "Patterns.h"

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/Members.h"
#include "cilk2gpu/abi/Records.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace cilk2gpu;

//===-- The conversion --------------------------------------------------------------------------------------------===//

FormTarget::FormTarget(MLIRContext &context) : ConversionTarget(context) {
  addIllegalDialect<channel::ChannelDialect>();
  addLegalDialect<LLVM::LLVMDialect, lane::LaneDialect>();
}

LogicalResult cilk2gpu::convert(LLVM::LLVMFuncOp func, const ConversionTarget &target, RewritePatternSet patterns) {
  llvm::SetVector<Operation *> ops;
  auto collect = [&](Operation *op) {
    if (target.isIllegal(op))
      ops.insert(op);
  };
  func->walk<WalkOrder::PreOrder, ForwardDominanceIterator<>>(collect);
  func.walk(collect); // also operations in unreachable blocks
  return ops.empty() ? success() : applyPartialConversion(ops.getArrayRef(), target, std::move(patterns));
}

//===-- Operations of kernels -------------------------------------------------------------------------------------===//

namespace {

/// Loads the fields of the lane's element.
struct LowerDeq : KernelPattern<channel::DeqOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::DeqOp op, Adaptor, Rewriter &rewriter) const override;
  void fetchAhead(KernelBuilder &code, Rewriter &rewriter, channel::DeqOp op, Value columns, Value first) const;
};

/// if (dest) *dest = value
struct LowerResult : KernelPattern<channel::ResultOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::ResultOp op, Adaptor, Rewriter &rewriter) const override;
};

struct LowerSite : KernelPattern<channel::SiteOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::SiteOp op, Adaptor, Rewriter &rewriter) const override {
    rewriter.replaceOp(op, body.site);
    return success();
  }
};

struct LowerRestartedFrame : KernelPattern<channel::RestartedFrameOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::RestartedFrameOp op, Adaptor, Rewriter &rewriter) const override;
};

struct LowerAddress : KernelPattern<channel::AddressOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::AddressOp op, Adaptor, Rewriter &rewriter) const override {
    Value window = loadFramesWindow(rewriter, op.getLoc(), body.scope.module);
    rewriter.replaceOp(op, placeInFrames(rewriter, op.getLoc(), op.getType(), window, op.getOffset()));
    return success();
  }
};

struct LowerOffset : KernelPattern<channel::OffsetOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::OffsetOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    rewriter.replaceOp(op, offsetInFrames(rewriter, op.getLoc(), adaptor.getAddress()));
    return success();
  }
};

} // namespace

/// Prefetches data that a later lane will load through pointers of its element.
void LowerDeq::fetchAhead(KernelBuilder &code, Rewriter &rewriter, channel::DeqOp op, Value columns,
                          Value first) const {
  // Number of lanes ahead. A lane takes some 10 ns, memory 100 ns; with 8 lanes, a walk took a tenth longer.
  constexpr int64_t kAhead = 16;
  Location loc = op.getLoc();
  Type i64 = code.i64();
  Value lanes =
      LLVM::ZExtOp::create(rewriter, loc, i64, code.loadAt(code.i32(), body.wave, offsetof(abi::Wave, lanes)));
  Value last = LLVM::SubOp::create(rewriter, loc, lanes, code.constant(i64, 1));
  Value ahead = LLVM::AddOp::create(rewriter, loc, body.lane, code.constant(i64, kAhead));
  Value element = LLVM::AddOp::create(rewriter, loc, first, LLVM::UMinOp::create(rewriter, loc, ahead, last));
  ArrayRef<int64_t> followed = *op.getFollowed();
  for (size_t i = 0; i + 1 < followed.size(); i += 2) {
    Value address = code.fieldAddress(columns, element, followed[i], code.pointer());
    Value pointer = LLVM::LoadOp::create(rewriter, loc, code.pointer(), address);
    LLVM::Prefetch::create(rewriter, loc, code.addressAt(pointer, followed[i + 1]), /*rw=*/0, /*hint=*/3, /*cache=*/1);
  }
}

LogicalResult LowerDeq::matchAndRewrite(channel::DeqOp op, Adaptor, Rewriter &rewriter) const {
  Location loc = op.getLoc();
  KernelBuilder code(rewriter, loc, body);
  channel::ChannelNodeOpInterface stack = body.scope.stackOf(op.getChannel());
  Value columns = code.shared(code.loadAt(code.pointer(), body.wave, offsetof(abi::Wave, columns)));
  Value first = code.loadAt(code.i64(), body.wave, offsetof(abi::Wave, first));
  Value index = LLVM::AddOp::create(rewriter, loc, first, body.lane);
  // The element is freed with its wavefront, so no operation uses it.
  SmallVector<Value> results{
      LLVM::PoisonOp::create(rewriter, loc, typeConverter->convertType(op.getElement().getType()))};
  for (auto [number, type] : llvm::enumerate(stack.getElementFields().getAsValueRange<TypeAttr>())) {
    Value value = code.fieldAddress(columns, index, number, type);
    if (!channel::isByAddress(type))
      value = LLVM::LoadOp::create(rewriter, loc, type, value);
    // A task's pointers come from other tasks or from the host, and post-sync tasks consume their frames. So no pointer
    // leads to a lane's private memory.
    if (body.scope.segmentOf(stack) || isa<LLVM::LLVMPointerType>(type))
      value = code.shared(value);
    results.push_back(value);
  }
  if (op.getFollowed() && body.fetchesAhead)
    fetchAhead(code, rewriter, op, columns, first);
  rewriter.replaceOp(op, results);
  return success();
}

LogicalResult LowerResult::matchAndRewrite(channel::ResultOp op, Adaptor adaptor, Rewriter &rewriter) const {
  Location loc = op.getLoc();
  KernelBuilder code(rewriter, loc, body);
  Value dest = adaptor.getDest();
  Value null = LLVM::ZeroOp::create(rewriter, loc, dest.getType());
  Value wanted = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, dest, null);
  Block *before = op->getBlock();
  Block *after = rewriter.splitBlock(before, op->getIterator());
  Block *store = rewriter.createBlock(after);
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, loc, wanted, store, ValueRange(), after, ValueRange());
  rewriter.setInsertionPointToEnd(store);
  // The destination may be a field of a packed struct. The child knows its address, but not its alignment.
  storeResult(rewriter, loc, adaptor.getValue(), code.shared(dest), /*alignment=*/1);
  LLVM::BrOp::create(rewriter, loc, after);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult LowerRestartedFrame::matchAndRewrite(channel::RestartedFrameOp op, Adaptor, Rewriter &rewriter) const {
  Location loc = op.getLoc();
  KernelBuilder code(rewriter, loc, body);
  Value columns = code.shared(code.loadAt(code.pointer(), body.wave, offsetof(abi::Wave, columns)));
  Value first = code.loadAt(code.i64(), body.wave, offsetof(abi::Wave, first));
  Value index = LLVM::AddOp::create(rewriter, loc, first, body.lane);
  Value address = code.fieldAddress(columns, index, 0, code.pointer());
  rewriter.replaceOp(op, code.shared(LLVM::LoadOp::create(rewriter, loc, code.pointer(), address)));
  return success();
}

void cilk2gpu::populateFramePlacePatterns(const TypeConverter &types, LoweredBody &body, RewritePatternSet &patterns) {
  patterns.add<LowerAddress, LowerOffset>(types, patterns.getContext(), body);
}

void cilk2gpu::populateSharedKernelPatterns(const TypeConverter &types, LoweredBody &body,
                                            RewritePatternSet &patterns) {
  patterns.add<LowerDeq, LowerResult, LowerSite, LowerRestartedFrame>(types, patterns.getContext(), body);
  populateFramePlacePatterns(types, body, patterns);
}
