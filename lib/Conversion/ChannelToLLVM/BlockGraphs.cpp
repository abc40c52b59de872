// Lowers the functions of block graphs. See BlockGraphs.h.
//
// The body of one thread becomes @body.thread(place, x, y, z, fields..), where x, y and z are the thread's coordinates.
// @body(place, arguments) calls it: for all threads in a loop, or for the thread that `place` names if threads wait for
// one another.
#include "BlockGraphs.h"

#include "Patterns.h"

#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/abi/BlockRecords.h"

using namespace mlir;
using namespace cilk2gpu;

static_assert(static_cast<uint32_t>(channel::BlockPolicy::Lrr) ==
                  static_cast<uint32_t>(abi::OrderKind::SmallestFirst) &&
              static_cast<uint32_t>(channel::BlockPolicy::Lvl) == static_cast<uint32_t>(abi::OrderKind::Levels));

//===-- Patterns --------------------------------------------------------------------------------------------------===//

namespace {

/// A function of a block graph that is being lowered.
struct BlockCode {
  LoweredBody body;
  Value place;
  std::array<Value, 3> thread; ///< coordinates; null in links
};

template <typename OpT> class BlockPattern : public OpConversionPattern<OpT> {
public:
  BlockPattern(MLIRContext *context, BlockCode &function) : OpConversionPattern<OpT>(context), function(function) {}

protected:
  using Adaptor = typename OpConversionPattern<OpT>::OpAdaptor;
  using Rewriter = ConversionPatternRewriter;

  KernelBuilder code(Rewriter &rewriter, OpT op) const { return {rewriter, op.getLoc(), function.body}; }

  /// Replaces `op` by one of three numbers of the place, which stay the same while the function runs.
  void replaceByNumber(OpT op, uint64_t numbers, Rewriter &rewriter) const {
    KernelBuilder builder = code(rewriter, op);
    uint64_t offset = numbers + sizeof(uint32_t) * static_cast<uint32_t>(op.getDimension());
    Value number = builder.loadAt(builder.i32(), function.place, offset);
    number.getDefiningOp<LLVM::LoadOp>().setInvariant(true);
    rewriter.replaceOp(op, number);
  }

  BlockCode &function;
};

struct LowerBlockId : BlockPattern<channel::BlockIdOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::BlockIdOp op, Adaptor, Rewriter &rewriter) const override {
    replaceByNumber(op, offsetof(abi::BlockPlace, block), rewriter);
    return success();
  }
};

struct LowerGridDim : BlockPattern<channel::GridDimOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::GridDimOp op, Adaptor, Rewriter &rewriter) const override {
    replaceByNumber(op, offsetof(abi::BlockPlace, grid), rewriter);
    return success();
  }
};

struct LowerThreadId : BlockPattern<channel::ThreadIdOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::ThreadIdOp op, Adaptor, Rewriter &rewriter) const override {
    rewriter.replaceOp(op, function.thread[static_cast<uint32_t>(op.getDimension())]);
    return success();
  }
};

struct LowerBlockSync : BlockPattern<channel::BlockSyncOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::BlockSyncOp op, Adaptor, Rewriter &rewriter) const override {
    KernelBuilder builder = code(rewriter, op);
    builder.call("__cilk2gpu_sync_block", builder.none(), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerLink : BlockPattern<channel::LinkOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::LinkOp op, Adaptor adaptor, Rewriter &rewriter) const override {
    KernelBuilder builder = code(rewriter, op);
    builder.call("__cilk2gpu_link_block", builder.none(),
                 {function.place, adaptor.getX(), adaptor.getY(), adaptor.getZ()});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

static LogicalResult convertBlockCode(LLVM::LLVMFuncOp function, BlockCode &code) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  patterns.add<LowerBlockId, LowerGridDim, LowerThreadId, LowerBlockSync, LowerLink>(context, code);
  return convert(function, FormTarget(*context), std::move(patterns));
}

//===-- Functions -------------------------------------------------------------------------------------------------===//

bool cilk2gpu::synchronises(LLVM::LLVMFuncOp body) {
  return body.walk([](channel::BlockSyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

LLVM::LLVMStructType cilk2gpu::argumentsType(channel::BlocksOp blocks) {
  return LLVM::LLVMStructType::getLiteral(blocks.getContext(),
                                          llvm::to_vector(blocks.getFields().getAsValueRange<TypeAttr>()));
}

/// The function that `ref` names, if it is defined here and only the launches of `blocks` call it.
static FailureOr<LLVM::LLVMFuncOp> takeFunction(channel::BlocksOp blocks, FlatSymbolRefAttr ref, ModuleOp module) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(ref);
  if (function.isExternal())
    return blocks.emitOpError("the functions of a block graph that is lowered are defined here, but ")
           << ref << " is only declared";
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, module);
  for (SymbolTable::SymbolUse use : *uses)
    if (use.getUser() != blocks) {
      InFlightDiagnostic diag = use.getUser()->emitOpError("only a launch calls ") << ref
                                                                                   << ", a function of a block "
                                                                                      "graph; call a copy of it";
      diag.attachNote(blocks.getLoc()) << "the block graph is here";
      return diag;
    }
  function->removeAttr(channel::kBlocksAttr);
  return function;
}

namespace {

/// Creates the function that the runtime calls for a block, or for a thread of it.
class BodyEntry {
public:
  BodyEntry(channel::BlocksOp blocks, LLVM::LLVMFuncOp thread, const KernelScope &scope)
      : blocks(blocks), thread(thread), builder(thread.getContext()), loc(thread.getLoc()), body(scope),
        code(builder, loc, body) {}

  void create(bool synchronises) {
    builder.setInsertionPointAfter(thread);
    auto type = LLVM::LLVMFunctionType::get(code.none(), {code.pointer(), code.pointer()});
    entry = LLVM::LLVMFuncOp::create(builder, loc, blocks.getBody(), type, LLVM::Linkage::Internal);
    entry.setPassthroughAttr(thread.getPassthroughAttr());
    Block *start = entry.addEntryBlock(builder);
    builder.setInsertionPointToEnd(start);
    place = start->getArgument(0);
    loadFields(start->getArgument(1));
    if (synchronises)
      callThread(loadThread());
    else
      callAllThreads();
    LLVM::ReturnOp::create(builder, loc, ValueRange());
    makeOwnDebugScope(entry);
  }

private:
  void loadFields(Value arguments) {
    LLVM::LLVMStructType type = argumentsType(blocks);
    for (auto [number, field] : llvm::enumerate(type.getBody())) {
      Value address = LLVM::GEPOp::create(builder, loc, code.pointer(), type, arguments,
                                          ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(number)});
      fields.push_back(channel::isByAddress(field) ? address
                                                   : LLVM::LoadOp::create(builder, loc, field, address).getResult());
    }
  }

  std::array<Value, 3> loadThread() {
    std::array<Value, 3> coordinates;
    for (auto [number, coordinate] : llvm::enumerate(coordinates))
      coordinate = code.loadAt(code.i32(), place, offsetof(abi::BlockPlace, thread) + sizeof(uint32_t) * number);
    return coordinates;
  }

  void callThread(std::array<Value, 3> coordinates) {
    SmallVector<Value> arguments{place};
    llvm::append_range(arguments, coordinates);
    llvm::append_range(arguments, fields);
    LLVM::CallOp::create(builder, loc, thread, arguments);
  }

  /// for (z = 0; z != ...; ++z) for (y ...) for (x ...) thread(place, x, y, z, fields..)
  void callAllThreads() {
    std::array<Value, 3> coordinates;
    std::array<Block *, 3> loops{};
    Value zero = code.constant(code.i32(), 0);
    for (int dimension = 2; dimension >= 0; --dimension) {
      coordinates[dimension] = zero;
      if (blocks.getThreads()[dimension] == 1)
        continue;
      Block *before = builder.getInsertionBlock();
      loops[dimension] = builder.createBlock(&entry.getBody(), entry.getBody().end(), {code.i32()}, {loc});
      coordinates[dimension] = loops[dimension]->getArgument(0);
      builder.setInsertionPointToEnd(before);
      LLVM::BrOp::create(builder, loc, ValueRange(zero), loops[dimension]);
      builder.setInsertionPointToEnd(loops[dimension]);
    }
    callThread(coordinates);
    for (auto [loop, extent] : llvm::zip_equal(loops, blocks.getThreads()))
      if (loop)
        closeLoop(loop, extent);
  }

  void closeLoop(Block *loop, int64_t extent) {
    Value next = LLVM::AddOp::create(builder, loc, loop->getArgument(0), code.constant(code.i32(), 1));
    Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, code.constant(code.i32(), extent));
    Block *last = builder.getInsertionBlock();
    Block *after = builder.createBlock(&entry.getBody(), entry.getBody().end());
    builder.setInsertionPointToEnd(last);
    LLVM::CondBrOp::create(builder, loc, more, loop, ValueRange(next), after, ValueRange());
    builder.setInsertionPointToEnd(after);
  }

  channel::BlocksOp blocks;
  LLVM::LLVMFuncOp thread, entry;
  OpBuilder builder;
  Location loc;
  LoweredBody body;
  KernelBuilder code;
  Value place;
  SmallVector<Value> fields;
};

} // namespace

/// Makes the body of one thread a function of (place, x, y, z, fields..), and creates its caller.
static LogicalResult lowerBody(channel::BlocksOp blocks, LLVM::LLVMFuncOp thread, const KernelScope &scope) {
  bool waits = synchronises(thread);
  Location loc = thread.getLoc();
  OpBuilder builder(thread.getContext());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
  SmallVector<Type> params{pointer, i32, i32, i32};
  llvm::append_range(params, thread.getArgumentTypes());
  thread.setName((blocks.getBody() + ".thread").str());
  thread.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), params));
  thread.removeArgAttrsAttr(); // of the fields, which have moved
  thread.setLinkage(LLVM::Linkage::Internal);
  thread.setAlwaysInline(true);
  Block &start = thread.getBody().front();
  BlockCode code{LoweredBody(scope), start.insertArgument(0u, pointer, loc), {}};
  for (auto [number, coordinate] : llvm::enumerate(code.thread))
    coordinate = start.insertArgument(static_cast<unsigned>(number + 1), i32, loc);
  if (failed(convertBlockCode(thread, code)))
    return failure();
  BodyEntry(blocks, thread, scope).create(waits);
  return success();
}

/// Makes the links a function of the place.
static LogicalResult lowerLinks(LLVM::LLVMFuncOp links, const KernelScope &scope) {
  MLIRContext *context = links.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  links.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer}));
  links.setLinkage(LLVM::Linkage::Internal);
  BlockCode code{LoweredBody(scope), links.getBody().front().addArgument(pointer, links.getLoc()), {}};
  return convertBlockCode(links, code);
}

LogicalResult cilk2gpu::lowerBlockFunctions(channel::BlocksOp blocks, const KernelScope &scope) {
  FailureOr<LLVM::LLVMFuncOp> body = takeFunction(blocks, blocks.getBodyAttr(), scope.module);
  if (failed(body) || failed(lowerBody(blocks, *body, scope)))
    return failure();
  if (!blocks.getLinks())
    return success();
  FailureOr<LLVM::LLVMFuncOp> links = takeFunction(blocks, blocks.getLinksAttr(), scope.module);
  return failure(failed(links) || failed(lowerLinks(*links, scope)));
}
