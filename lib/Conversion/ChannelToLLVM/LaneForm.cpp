// Makes the lane form of a kernel: a copy of its body with operations of the `lane` dialect, which LLVM simplifies and
// which is then vectorised. It is only for fresh lanes. Lanes that restart run in the scalar kernel.
#include "LaneForm.h"

#include "Patterns.h"

#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Cilk/IR/Cilk.h"
#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/Members.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2gpu;

/// Largest struct in bytes that is split into members. Larger structs are copied as a whole.
static constexpr uint64_t kLargestSplit = 256;

//===-- Whether there is a lane form ------------------------------------------------------------------------------===//

/// Returns the enq that fills a reserved element if a branch to the enq follows, else null:
///   %e, %ok = try_talloc; cond_br %ok, ^granted, ^refused    ^granted: ... enq %e (fields)
static channel::EnqOp fillOf(channel::TryTallocOp op) {
  auto branch = dyn_cast<LLVM::CondBrOp>(op->getBlock()->getTerminator());
  if (!branch || branch.getCondition() != op.getGranted() || !op.getElement().hasOneUse())
    return {};
  auto enq = dyn_cast<channel::EnqOp>(*op.getElement().user_begin());
  Block *granted = branch.getTrueDest();
  return enq && enq->getBlock() == granted && granted->getSinglePredecessor() ? enq : channel::EnqOp();
}

/// Returns true if the operation, which computes a field, may run before there is space for the element.
static bool mayComeFirst(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  bool onlyReads = load && !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  return onlyReads || isMemoryEffectFree(op);
}

/// Returns true if lanes can store a value of the type. They cannot store integers whose bytes are not a power of two.
static bool hasResultForm(Type type, const DataLayout &dataLayout) {
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::all_of(structure.getBody(), [&](Type member) { return hasResultForm(member, dataLayout); });
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return !array.getNumElements() || hasResultForm(array.getElementType(), dataLayout);
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? integer.getWidth() == 1 || integer.getWidth() == 8 * columnSize(dataLayout, type)
                 : isa<LLVM::LLVMPointerType, FloatType>(type);
}

StringRef cilk2gpu::whyNoLaneForm(LLVM::LLVMFuncOp kernel, const DataLayout &dataLayout) {
  StringRef reason;
  kernel.walk([&](channel::TryTallocOp op) {
    channel::EnqOp enq = fillOf(op);
    if (!enq)
      reason = "it has an operation that lanes cannot execute together";
    else if (!std::all_of(enq->getBlock()->begin(), enq->getIterator(),
                          [](Operation &op) { return mayComeFirst(&op); }))
      reason = "an argument of a child is computed with side effects after the reservation of its element";
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  kernel.walk([&](channel::ResultOp op) {
    if (reason.empty() && !hasResultForm(op.getValue().getType(), dataLayout))
      reason = "the type of its result has no vector form";
  });
  return reason;
}

//===-- Patterns --------------------------------------------------------------------------------------------------===//

namespace {

/// %e, %ok = try_talloc; cond_br %ok, ^granted, ^refused    ^granted: enq %e (fields)
/// ->                                                       %ok = spawn(fields); cond_br ...
struct SpawnInLane : KernelPattern<channel::TryTallocOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TryTallocOp op, Adaptor, Rewriter &rewriter) const override;
};

struct DeqInLane : KernelPattern<channel::DeqOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::DeqOp op, Adaptor, Rewriter &rewriter) const override;
};

/// Takes a frame. For a post-sync channel there is nothing to do here, because its enq makes the element.
struct TallocInLane : KernelPattern<channel::TallocOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TallocOp op, Adaptor, Rewriter &rewriter) const override {
    if (body.scope.stackOf(op.getChannel()))
      rewriter.replaceOpWithNewOp<LLVM::PoisonOp>(op, typeConverter->convertType(op.getType()));
    else
      rewriter.replaceOpWithNewOp<lane::FrameOp>(op, op.getType());
    return success();
  }
};

/// Publishes a frame as the element of a post-sync channel. Other elements become part of a lane.spawn.
struct EnqInLane : KernelPattern<channel::EnqOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::EnqOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    unsigned segment = body.scope.segmentOf(body.scope.stackOf(op.getChannel()));
    if (!segment)
      return rewriter.notifyMatchFailure(op, "fills no element of a post-sync channel");
    rewriter.replaceOpWithNewOp<lane::PublishOp>(op, segment, adaptor.getFields().front());
    return success();
  }
};

struct TfreeInLane : KernelPattern<channel::TfreeOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::TfreeOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    if (!isa<channel::ElementType>(op.getValue().getType()))
      lane::FreeOp::create(rewriter, op.getLoc(), adaptor.getValue());
    rewriter.eraseOp(op);
    return success();
  }
};

struct YieldInLane : KernelPattern<channel::YieldOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::YieldOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    Value site = LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), op.getSiteAttr());
    rewriter.replaceOpWithNewOp<lane::YieldOp>(op, adaptor.getFrame(), site);
    return success();
  }
};

/// Stores a result. A struct or an array is stored member by member, or two members of eight bytes at a time.
struct ResultInLane : KernelPattern<channel::ResultOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::ResultOp op, Adaptor adaptor, Rewriter &rewriter) const override;
};

struct AddressInLane : KernelPattern<channel::AddressOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::AddressOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<lane::DestinationOp>(op, op.getType(), adaptor.getOffset());
    return success();
  }
};

struct OffsetInLane : KernelPattern<channel::OffsetOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::OffsetOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    rewriter.replaceOp(op, offsetInFrames(rewriter, op.getLoc(), adaptor.getAddress()));
    return success();
  }
};

/// Replaces the site by 0, because lanes of a lane form are fresh.
struct SiteInLane : KernelPattern<channel::SiteOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::SiteOp op, Adaptor, Rewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(op, op.getType(), rewriter.getI32IntegerAttr(0));
    return success();
  }
};

struct RestartedFrameInLane : KernelPattern<channel::RestartedFrameOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::RestartedFrameOp op, Adaptor, Rewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::PoisonOp>(op, op.getType());
    return success();
  }
};

struct AccumulateInLane : KernelPattern<LLVM::AtomicRMWOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(LLVM::AtomicRMWOp update, Adaptor adaptor, Rewriter &rewriter) const override {
    std::optional<lane::FoldKind> kind = lane::foldKindOf(update.getBinOp());
    if (!kind)
      return rewriter.notifyMatchFailure(update, "lanes cannot fold with this operation");
    lane::AccumulateOp::create(rewriter, update.getLoc(), *kind, adaptor.getVal(), adaptor.getPtr());
    rewriter.eraseOp(update);
    return success();
  }
};

/// Turns the base address of a field of several words in a frame into lane.place, which the vectoriser can recognise.
struct PlaceInLane : KernelPattern<LLVM::GEPOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(LLVM::GEPOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    int64_t words = op->getAttrOfType<IntegerAttr>(kFrameWordsAttr).getInt();
    rewriter.replaceOpWithNewOp<lane::PlaceOp>(op, op.getType(), adaptor.getBase(), words);
    return success();
  }
};

} // namespace

/// Returns the types of an element's fields, or null if no field is given by address.
static ArrayAttr fieldsToCopy(channel::ChannelNodeOpInterface stack) {
  bool copies = llvm::any_of(stack.getElementFields().getAsValueRange<TypeAttr>(), channel::isByAddress);
  return copies ? stack.getElementFields() : ArrayAttr();
}

LogicalResult SpawnInLane::matchAndRewrite(channel::TryTallocOp op, Adaptor, Rewriter &rewriter) const {
  channel::EnqOp enq = fillOf(op);
  if (!enq)
    return rewriter.notifyMatchFailure(op, "no branch to the enq of the element follows");
  // The fields are computed before there is space for the element.
  Operation *branch = op->getBlock()->getTerminator();
  for (Operation &before : llvm::make_early_inc_range(llvm::make_range(enq->getBlock()->begin(), enq->getIterator())))
    rewriter.moveOpBefore(&before, branch);
  rewriter.setInsertionPoint(branch);
  auto spawn =
      lane::SpawnOp::create(rewriter, enq.getLoc(), rewriter.getI1Type(), body.scope.targetOf(enq.getChannel()),
                            enq.getFields(), fieldsToCopy(body.scope.stackOf(enq.getChannel())));
  Value element = LLVM::PoisonOp::create(rewriter, op.getLoc(), typeConverter->convertType(op.getElement().getType()));
  rewriter.eraseOp(enq);
  rewriter.replaceOp(op, {element, spawn.getAccepted()});
  return success();
}

LogicalResult DeqInLane::matchAndRewrite(channel::DeqOp op, Adaptor, Rewriter &rewriter) const {
  auto stack = body.scope.stackOf(op.getChannel());
  // The element is freed with its wavefront, so no operation uses it.
  SmallVector<Value> results{
      LLVM::PoisonOp::create(rewriter, op.getLoc(), typeConverter->convertType(op.getElement().getType()))};
  for (auto [number, field, type] :
       llvm::enumerate(op.getFields(), stack.getElementFields().getAsValueRange<TypeAttr>())) {
    if (channel::isByAddress(type))
      results.push_back(lane::AddressOp::create(rewriter, op.getLoc(), field.getType(), number,
                                                storeSize(body.scope.dataLayout, type)));
    else
      results.push_back(lane::DeqOp::create(rewriter, op.getLoc(), type, number));
  }
  rewriter.replaceOp(op, results);
  return success();
}

/// Returns dest + offset, or null if `dest` is null, because then the parent does not use the result.
static Value memberAddress(OpBuilder &builder, Location loc, Value dest, uint64_t offset) {
  if (offset == 0)
    return dest;
  Value null = LLVM::ZeroOp::create(builder, loc, dest.getType());
  Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, dest, null);
  Value member = LLVM::GEPOp::create(builder, loc, dest.getType(), builder.getI8Type(), dest,
                                     ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  return LLVM::SelectOp::create(builder, loc, isNull, null, member);
}

LogicalResult ResultInLane::matchAndRewrite(channel::ResultOp op, Adaptor adaptor, Rewriter &rewriter) const {
  Location loc = op.getLoc();
  const DataLayout &dataLayout = body.scope.dataLayout;
  SmallVector<std::pair<Value, uint64_t>> members;
  forEachMember(rewriter, loc, dataLayout, adaptor.getValue(),
                [&](Value member, uint64_t offset) { members.emplace_back(member, offset); });
  auto isWord = [&](unsigned i, uint64_t at) {
    return i < members.size() && members[i].second == at && storeSize(dataLayout, members[i].first.getType()) == 8;
  };
  for (unsigned i = 0; i < members.size();) {
    auto [member, at] = members[i];
    SmallVector<Value> values{member};
    if (isWord(i, at) && isWord(i + 1, at + 8))
      values.push_back(members[i + 1].first);
    i += values.size();
    lane::ResultOp::create(rewriter, loc, values, memberAddress(rewriter, loc, adaptor.getDest(), at));
  }
  rewriter.eraseOp(op);
  return success();
}

void cilk2gpu::populateSpawnToLanePatterns(const TypeConverter &types, LoweredBody &body, RewritePatternSet &patterns) {
  patterns.add<SpawnInLane>(types, patterns.getContext(), body);
}

void cilk2gpu::populateChannelToLanePatterns(const TypeConverter &types, LoweredBody &body,
                                             RewritePatternSet &patterns) {
  patterns.add<DeqInLane, TallocInLane, EnqInLane, TfreeInLane, YieldInLane, ResultInLane, AddressInLane, OffsetInLane,
               SiteInLane, RestartedFrameInLane, AccumulateInLane, PlaceInLane>(types, patterns.getContext(), body);
}

//===-- The conversion --------------------------------------------------------------------------------------------===//

void cilk2gpu::splitAggregates(LLVM::LLVMFuncOp copy, const DataLayout &dataLayout) {
  OpBuilder builder(copy.getContext());
  auto isPlain = [&](auto op, Type type) {
    return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type) && !op.getVolatile_() &&
           op.getOrdering() == LLVM::AtomicOrdering::not_atomic && storeSize(dataLayout, type) <= kLargestSplit;
  };
  SmallVector<LLVM::LoadOp> loads;
  SmallVector<LLVM::StoreOp> stores;
  copy.walk([&](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isPlain(load, load.getType()))
      loads.push_back(load);
    if (auto store = dyn_cast<LLVM::StoreOp>(op); store && isPlain(store, store.getValue().getType()))
      stores.push_back(store);
  });
  auto memberAt = [&](Location loc, Value address, uint64_t offset) -> Value {
    return offset ? LLVM::GEPOp::create(builder, loc, address.getType(), builder.getI8Type(), address,
                                        ArrayRef<LLVM::GEPArg>{int32_t(offset)})
                        .getResult()
                  : address;
  };
  for (LLVM::StoreOp store : stores) {
    builder.setInsertionPoint(store);
    uint64_t align = store.getAlignment().value_or(dataLayout.getTypeABIAlignment(store.getValue().getType()));
    forEachMember(builder, store.getLoc(), dataLayout, store.getValue(), [&](Value member, uint64_t offset) {
      LLVM::StoreOp::create(builder, store.getLoc(), member, memberAt(store.getLoc(), store.getAddr(), offset),
                            llvm::MinAlign(align, offset));
    });
    store.erase();
  }
  for (LLVM::LoadOp load : loads) {
    builder.setInsertionPoint(load);
    uint64_t align = load.getAlignment().value_or(dataLayout.getTypeABIAlignment(load.getType()));
    load.replaceAllUsesWith(
        joinMembers(builder, load.getLoc(), dataLayout, load.getType(), [&](Type type, uint64_t offset) {
          return LLVM::LoadOp::create(builder, load.getLoc(), type, memberAt(load.getLoc(), load.getAddr(), offset),
                                      llvm::MinAlign(align, offset));
        }));
    load.erase();
  }
}

LogicalResult cilk2gpu::convertToLaneForm(LLVM::LLVMFuncOp copy, const KernelScope &scope) {
  splitAggregates(copy, scope.dataLayout);
  MLIRContext *context = copy.getContext();
  ElementTypeConverter types(LLVM::LLVMPointerType::get(context));
  LoweredBody body(scope);
  // Spawns are converted first, because each removes its enq.
  RewritePatternSet spawns(context), others(context);
  ConversionTarget reservations(*context);
  reservations.addIllegalOp<channel::TryTallocOp>();
  reservations.addLegalDialect<LLVM::LLVMDialect, lane::LaneDialect>();
  populateSpawnToLanePatterns(types, body, spawns);
  if (failed(convert(copy, reservations, std::move(spawns))))
    return failure();
  FormTarget target(*context);
  target.addDynamicallyLegalOp<LLVM::AtomicRMWOp>([](Operation *op) { return !op->hasAttr(cilk::kAccumulateAttr); });
  target.addDynamicallyLegalOp<LLVM::GEPOp>([](Operation *op) { return !op->hasAttr(kFrameWordsAttr); });
  populateChannelToLanePatterns(types, body, others);
  return convert(copy, target, std::move(others));
}
