// Makes the device form of a kernel: a function of (wave, lane, site) that runs one lane on a device, like a lane of
// the native kernel. Operations that lanes may do on channels at the same time are calls of the device runtime
// (cilk2gpu/abi/Device.h).
#include "DeviceForm.h"

#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Support/UpdateMarks.h"
#include "cilk2gpu/abi/Device.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// Takes a frame. For a post-sync channel there is nothing to do here, because its enq makes the element.
struct TallocOnDevice : KernelPattern<channel::TallocOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TallocOp op, Adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    if (body.scope.stackOf(op.getChannel()))
      rewriter.replaceOpWithNewOp<LLVM::PoisonOp>(op, typeConverter->convertType(op.getType()));
    else
      rewriter.replaceOp(op, code.shared(code.callDevice("__cilk2gpu_device_frame", code.pointer(), body.wave)));
    return success();
  }
};

/// %index = __cilk2gpu_device_talloc(wave, target); %granted = %index != kRefused
struct TryTallocOnDevice : KernelPattern<channel::TryTallocOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TryTallocOp op, Adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    Value target = code.constant(code.i32(), body.scope.targetOf(op.getChannel()));
    Value index = code.callDevice("__cilk2gpu_device_talloc", code.i64(), {body.wave, target});
    Value refused = code.constant(code.i64(), int64_t(abi::kRefused));
    Value granted = LLVM::ICmpOp::create(rewriter, op.getLoc(), LLVM::ICmpPredicate::ne, index, refused);
    rewriter.replaceOp(op, {index, granted});
    return success();
  }
};

/// Fills the element whose index talloc returned, or publishes a frame.
struct EnqOnDevice : KernelPattern<channel::EnqOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::EnqOp op, Adaptor adaptor, Rewriter &rewriter) const override;
};

struct TfreeOnDevice : KernelPattern<channel::TfreeOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TfreeOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    if (!isa<channel::ElementType>(op.getValue().getType()) && !body.scope.stackOf(op.getChannel()))
      code.callDevice("__cilk2gpu_device_tfree", code.none(), {body.wave, adaptor.getValue()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct YieldOnDevice : KernelPattern<channel::YieldOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::YieldOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    Value number = code.constant(code.i32(), op.getSite());
    code.callDevice("__cilk2gpu_device_yield", code.none(), {body.wave, adaptor.getFrame(), number});
    rewriter.eraseOp(op);
    return success();
  }
};

/// llvm.atomicrmw add %accumulator, %value {cilk.accumulate} -> __cilk2gpu_device_fold(accumulator, value, Add, bytes)
/// llvm.atomicrmw fadd likewise, with the value's bits and FloatAdd
/// llvm.atomicrmw sub %x, %value {cilk.update}               -> __cilk2gpu_device_fold(x, 0 - value, Add, bytes)
struct FoldOnDevice : KernelPattern<LLVM::AtomicRMWOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(LLVM::AtomicRMWOp update, Adaptor adaptor, Rewriter &rewriter) const override;
};

} // namespace

LogicalResult EnqOnDevice::matchAndRewrite(channel::EnqOp op, Adaptor adaptor, Rewriter &rewriter) const {
  KernelBuilder code(rewriter, op.getLoc(), body);
  channel::ChannelNodeOpInterface stack = body.scope.stackOf(op.getChannel());
  if (unsigned segment = body.scope.segmentOf(stack)) {
    Value kernel = code.constant(code.i32(), segment);
    code.callDevice("__cilk2gpu_device_publish", code.none(), {body.wave, kernel, adaptor.getFields().front()});
    rewriter.eraseOp(op);
    return success();
  }
  Value cursors = code.shared(code.loadAt(code.pointer(), body.wave, offsetof(abi::Wave, spawns)));
  Value cursor = code.pointerAt(cursors, body.scope.targetOf(op.getChannel()));
  Value columns = code.shared(code.loadAt(code.pointer(), code.shared(cursor), offsetof(abi::Cursor, columns)));
  for (auto [number, value, type] :
       llvm::enumerate(adaptor.getFields(), stack.getElementFields().getAsValueRange<TypeAttr>()))
    code.copyField(code.fieldAddress(columns, adaptor.getElement(), number, type), value, type);
  rewriter.eraseOp(op);
  return success();
}

static abi::Fold foldOf(LLVM::AtomicBinOp kind) {
  switch (kind) {
  case LLVM::AtomicBinOp::_and:
    return abi::Fold::And;
  case LLVM::AtomicBinOp::_or:
    return abi::Fold::Or;
  case LLVM::AtomicBinOp::_xor:
    return abi::Fold::Xor;
  case LLVM::AtomicBinOp::max:
    return abi::Fold::Max;
  case LLVM::AtomicBinOp::min:
    return abi::Fold::Min;
  case LLVM::AtomicBinOp::umax:
    return abi::Fold::UnsignedMax;
  case LLVM::AtomicBinOp::umin:
    return abi::Fold::UnsignedMin;
  case LLVM::AtomicBinOp::fadd:
    return abi::Fold::FloatAdd;
  default:
    return abi::Fold::Add;
  }
}

LogicalResult FoldOnDevice::matchAndRewrite(LLVM::AtomicRMWOp update, Adaptor adaptor, Rewriter &rewriter) const {
  Location loc = update.getLoc();
  KernelBuilder code(rewriter, loc, body);
  Value value = adaptor.getVal();
  Type type = value.getType();
  if (update.getBinOp() == LLVM::AtomicBinOp::sub)
    value = LLVM::SubOp::create(rewriter, loc, code.constant(type, 0), value);
  if (isa<FloatType>(type)) {
    type = rewriter.getIntegerType(type.getIntOrFloatBitWidth());
    value = LLVM::BitcastOp::create(rewriter, loc, type, value);
  }
  if (type != code.i64())
    value = LLVM::ZExtOp::create(rewriter, loc, code.i64(), value);
  Value fold = code.constant(code.i32(), int64_t(foldOf(update.getBinOp())));
  Value bytes = code.constant(code.i32(), type.getIntOrFloatBitWidth() / 8);
  code.callDevice("__cilk2gpu_device_fold", code.none(), {adaptor.getPtr(), value, fold, bytes});
  rewriter.eraseOp(update);
  return success();
}

bool cilk2gpu::isFoldedOnDevice(LLVM::AtomicRMWOp update) {
  return update->hasAttr(cilk::kAccumulateAttr) || update->hasAttr(cilk::kUpdateAttr);
}

void cilk2gpu::populateChannelToDevicePatterns(const TypeConverter &types, LoweredBody &body,
                                               RewritePatternSet &patterns) {
  patterns.add<TallocOnDevice, TryTallocOnDevice, EnqOnDevice, TfreeOnDevice, YieldOnDevice, FoldOnDevice>(
      types, patterns.getContext(), body);
  populateSharedKernelPatterns(types, body, patterns);
}
