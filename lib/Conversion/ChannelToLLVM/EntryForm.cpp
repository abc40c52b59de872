// Lowers ordinary functions that start a graph: their channel operations become calls of the runtime.
#include "BlockGraphs.h"
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

struct LowerLaunchBlocks : KernelPattern<channel::LaunchBlocksOp> {
  using KernelPattern::KernelPattern;
  Result matchAndRewrite(channel::LaunchBlocksOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    KernelBuilder code(rewriter, op.getLoc(), body);
    auto blocks = body.scope.nodes.lookup<channel::BlocksOp>(op.getBlocks().getLeafReference());
    Value record = LLVM::AddressOfOp::create(rewriter, op.getLoc(), code.pointer(),
                                             blocksRecordName(op.getBlocks().getLeafReference()));
    Value extents = LLVM::ZeroOp::create(rewriter, op.getLoc(), code.pointer());
    if (!blocks.isStatic() || !blocks.getThreads())
      extents = storeExtents(op, adaptor.getGrid(), adaptor.getThreads(), rewriter);
    code.call("__cilk2gpu_launch_blocks", code.none(),
              {record, extents, storeArguments(op, blocks, adaptor.getFields(), rewriter)});
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Memory of the function's own: one piece for the launch, also in a loop.
  static Value local(channel::LaunchBlocksOp op, Type type, Rewriter &rewriter) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front());
    Value one = LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), rewriter.getI32IntegerAttr(1));
    return LLVM::AllocaOp::create(rewriter, op.getLoc(), LLVM::LLVMPointerType::get(op.getContext()), type, one);
  }

  /// Stores the extents of the grid, and behind them those of a block.
  Value storeExtents(channel::LaunchBlocksOp op, ValueRange grid, ValueRange threads, Rewriter &rewriter) const {
    KernelBuilder code(rewriter, op.getLoc(), body);
    Value extents = local(op, LLVM::LLVMArrayType::get(code.i32(), 6), rewriter);
    uint64_t offset = 0;
    for (ValueRange given : {grid, threads})
      for (unsigned dimension = 0; dimension < 3; ++dimension, offset += sizeof(uint32_t))
        code.storeAt(dimension < given.size() ? given[dimension] : code.constant(code.i32(), 1), extents, offset);
    return extents;
  }

  Value storeArguments(channel::LaunchBlocksOp op, channel::BlocksOp blocks, ValueRange fields,
                       Rewriter &rewriter) const {
    KernelBuilder code(rewriter, op.getLoc(), body);
    LLVM::LLVMStructType type = argumentsType(blocks);
    Value arguments = local(op, type, rewriter);
    for (auto [number, field, value] : llvm::enumerate(type.getBody(), fields)) {
      Value address = LLVM::GEPOp::create(rewriter, op.getLoc(), code.pointer(), type, arguments,
                                          ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(number)});
      code.copyField(address, value, field);
    }
    return arguments;
  }
};

} // namespace

void cilk2gpu::populateChannelToEntryPatterns(const TypeConverter &types, LoweredBody &body,
                                              RewritePatternSet &patterns) {
  patterns.add<LowerRoot, LowerExecute, LowerSerial, LowerSlot, LowerFreeSlot, LowerLaunchBlocks>(
      types, patterns.getContext(), body);
  populateFramePlacePatterns(types, body, patterns);
}
