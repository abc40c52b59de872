// Lowers the functions of block graphs. See BlockGraphs.h.
//
// The body of one thread becomes @body.thread(place, b, x, y, z, fields..), where b is the block's coordinate along x,
// and x, y and z are the thread's coordinates. @body(place, arguments) calls it: for all threads of a batch of blocks
// in loops, or for the thread that `place` names if threads wait for one another.
//
// A lane form is the body of one lane of a vector. vectorise-lanes makes a function with the same parameters of it,
// which runs all lanes of a row. Bodies have these lane forms, the last two only if threads do not wait:
//
//   @body.lanes(place, threads, rows, y, z, b, x, fields..)        lanes are threads of a block, from 0 to threads - 1
//   @body.row.lanes(place, blocks, rows, y, z, b, x, fields..)     lanes are blocks, from b to b + blocks - 1 along x
//   @body.blocks.lanes(place, blocks, rows, y, z, b, x, fields..)  lanes are the blocks of BlockBatch::at
//
// @body.simd.ISA(place, arguments) calls the first function: for all rows in a loop, or for the row that `place` names.
// @body.row.simd.ISA and @body.blocks.simd.ISA call the others for each thread of a block.
#include "BlockGraphs.h"

#include "LaneForm.h"
#include "Patterns.h"

#include "cilk2gpu/Dialect/Lane/IR/Lane.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
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
  channel::BlocksOp blocks;
  Value place;
  std::array<Value, 3> thread;     ///< coordinates; null in links; where lanes are threads, x is null
  std::array<Value, 3> block = {}; ///< coordinates; null: as the place says
  bool isLaneForm = false;
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
    if (Value known = function.block[static_cast<uint32_t>(op.getDimension())])
      rewriter.replaceOp(op, known);
    else
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

struct LowerBlockDim : BlockPattern<channel::BlockDimOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::BlockDimOp op, Adaptor, Rewriter &rewriter) const override {
    if (std::optional<ArrayRef<int64_t>> threads = function.blocks.getThreads()) {
      KernelBuilder builder = code(rewriter, op);
      rewriter.replaceOp(op, builder.constant(builder.i32(), (*threads)[static_cast<uint32_t>(op.getDimension())]));
    } else {
      replaceByNumber(op, offsetof(abi::BlockPlace, threads), rewriter);
    }
    return success();
  }
};

struct LowerThreadId : BlockPattern<channel::ThreadIdOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::ThreadIdOp op, Adaptor, Rewriter &rewriter) const override {
    if (Value known = function.thread[static_cast<uint32_t>(op.getDimension())])
      rewriter.replaceOp(op, known);
    else
      rewriter.replaceOpWithNewOp<lane::ThreadOp>(op, op.getType());
    return success();
  }
};

struct LowerBlockSync : BlockPattern<channel::BlockSyncOp> {
  using BlockPattern::BlockPattern;
  LogicalResult matchAndRewrite(channel::BlockSyncOp op, Adaptor, Rewriter &rewriter) const override {
    KernelBuilder builder = code(rewriter, op);
    if (function.isLaneForm)
      lane::BarrierOp::create(rewriter, op.getLoc());
    else
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
  patterns.add<LowerBlockId, LowerGridDim, LowerBlockDim, LowerThreadId, LowerBlockSync, LowerLink>(context, code);
  return convert(function, FormTarget(*context), std::move(patterns));
}

//===-- Functions -------------------------------------------------------------------------------------------------===//

bool cilk2gpu::synchronises(LLVM::LLVMFuncOp body) {
  return body.walk([](channel::BlockSyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Returns the name of a body's form without the suffixes that say what stands in it.
static std::string formName(StringRef body, abi::LanesOf of) {
  constexpr StringLiteral suffixes[] = {"", ".row", ".blocks"};
  return (body + suffixes[static_cast<uint32_t>(of)]).str();
}

static constexpr abi::LanesOf kLanesOf[] = {abi::LanesOf::Threads, abi::LanesOf::Row, abi::LanesOf::Blocks};

SmallVector<RowFormNames> cilk2gpu::rowForms(StringRef body, ArrayRef<StringRef> isas, bool synchronises) {
  SmallVector<RowFormNames> forms;
  for (StringRef isa : isas) {
    auto add = [&](abi::LanesOf of, const std::string &suffix, unsigned lanes) {
      std::string name = formName(body, of);
      forms.push_back({.entry = name + ".simd." + suffix,
                       .row = name + ".lanes." + suffix + ".wave",
                       .isa = isa,
                       .lanes = lanes,
                       .of = of});
    };
    for (abi::LanesOf of : kLanesOf)
      if (!synchronises)
        add(of, isa.str(), 1);
    for (unsigned lanes : lane::kBarrierLengths)
      if (synchronises)
        add(abi::LanesOf::Threads, (isa + "." + llvm::Twine(lanes)).str(), lanes);
  }
  return forms;
}

std::string cilk2gpu::oneThreadName(StringRef body) { return (body + ".one").str(); }

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

/// Creates the functions that the runtime calls for a block, or for a thread or a row of it.
class BodyEntry {
public:
  BodyEntry(channel::BlocksOp blocks, LLVM::LLVMFuncOp thread, const KernelScope &scope)
      : blocks(blocks), thread(thread), builder(thread.getContext()), loc(thread.getLoc()), body(scope),
        code(builder, loc, body) {}

  /// Creates a function that calls the body of one thread.
  void create(bool synchronises) {
    begin(blocks.getBody(), thread);
    auto callAll = [&] {
      forBlocks([&](Value block) {
        forThreads(/*first=*/0, [&](Coordinates coordinates) { callThread(block, coordinates); });
      });
    };
    if (synchronises)
      callThread(loadBlock(), loadThread());
    else if (blocks.getThreads() || !isShort())
      callAll();
    else
      ifOneThread([&] { forBlocks([&](Value block) { callThread(block, firstThread()); }); }, callAll);
    end();
  }

  /// Creates a function that calls the body of one thread, and of which GPUs get a version.
  void createForDevices() {
    begin(oneThreadName(blocks.getBody()), thread);
    callThread(loadBlock(), loadThread());
    end();
    for (StringRef mark : {kPointedAtAttr, kBlockCallAttr})
      addFunctionAttribute(entry, mark);
  }

  /// Creates a function that calls `row`, a function of a lane form's type.
  void createForRows(const RowFormNames &names, LLVM::LLVMFuncOp row, bool synchronises) {
    begin(names.entry, row);
    if (synchronises)
      callRow(row, extent(0), loadBlock(), loadThread());
    else if (names.of == abi::LanesOf::Threads)
      forBlocks([&](Value block) {
        forThreads(/*first=*/1, [&](Coordinates coordinates) { callRow(row, extent(0), block, coordinates); });
      });
    else
      forThreads(/*first=*/0, [&](Coordinates coordinates) { callRow(row, loadCount(), loadBlock(), coordinates); });
    end();
  }

private:
  using Coordinates = std::array<Value, 3>;

  void begin(StringRef name, LLVM::LLVMFuncOp after) {
    builder.setInsertionPointAfter(after);
    auto type = LLVM::LLVMFunctionType::get(code.none(), {code.pointer(), code.pointer()});
    entry = LLVM::LLVMFuncOp::create(builder, loc, name, type, LLVM::Linkage::Internal);
    entry.setPassthroughAttr(thread.getPassthroughAttr());
    Block *start = entry.addEntryBlock(builder);
    builder.setInsertionPointToEnd(start);
    place = start->getArgument(0);
    fields.clear();
    loadFields(start->getArgument(1));
    for (auto [dimension, extent] : llvm::enumerate(loadedExtents))
      extent = blocks.getThreads() ? Value() : loadNumber(offsetof(abi::BlockPlace, threads), dimension);
  }

  void end() {
    LLVM::ReturnOp::create(builder, loc, ValueRange());
    makeOwnDebugScope(entry);
  }

  void loadFields(Value arguments) {
    LLVM::LLVMStructType type = argumentsType(blocks);
    for (auto [number, field] : llvm::enumerate(type.getBody())) {
      Value address = LLVM::GEPOp::create(builder, loc, code.pointer(), type, arguments,
                                          ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(number)});
      fields.push_back(channel::isByAddress(field) ? address
                                                   : LLVM::LoadOp::create(builder, loc, field, address).getResult());
    }
  }

  Value loadNumber(uint64_t numbers, uint64_t dimension) {
    return code.loadAt(code.i32(), place, numbers + sizeof(uint32_t) * dimension);
  }

  Value extent(unsigned dimension) {
    return blocks.getThreads() ? code.constant(code.i32(), (*blocks.getThreads())[dimension])
                               : loadedExtents[dimension];
  }

  Coordinates loadThread() {
    Coordinates coordinates;
    for (auto [dimension, coordinate] : llvm::enumerate(coordinates))
      coordinate = loadNumber(offsetof(abi::BlockPlace, thread), dimension);
    return coordinates;
  }

  Coordinates firstThread() {
    Value zero = code.constant(code.i32(), 0);
    return {zero, zero, zero};
  }

  /// Returns true if the loops over the threads of a block may take longer than the body of one thread. The body stands
  /// in the function a second time then.
  bool isShort() {
    constexpr unsigned kFewOperations = 100;
    unsigned operations = 0;
    thread.walk([&](Operation *) { ++operations; });
    return operations <= kFewOperations;
  }

  Value loadBlock() { return loadNumber(offsetof(abi::BlockPlace, block), 0); }
  Value loadCount() { return code.loadAt(code.i32(), place, offsetof(abi::BlockBatch, count)); }

  void callThread(Value block, Coordinates coordinates) {
    SmallVector<Value> arguments{place, block};
    llvm::append_range(arguments, coordinates);
    llvm::append_range(arguments, fields);
    LLVM::CallOp::create(builder, loc, thread, arguments);
  }

  void callRow(LLVM::LLVMFuncOp row, Value lanes, Value block, Coordinates coordinates) {
    Value rows = LLVM::MulOp::create(builder, loc, extent(1), extent(2));
    SmallVector<Value> arguments{place, lanes, rows, coordinates[1], coordinates[2], block, coordinates[0]};
    llvm::append_range(arguments, fields);
    LLVM::CallOp::create(builder, loc, row, arguments);
  }

  /// Opens a loop whose counter begins with 0.
  Block *openLoop() {
    Block *before = builder.getInsertionBlock();
    Block *loop = builder.createBlock(&entry.getBody(), entry.getBody().end(), {code.i32()}, {loc});
    builder.setInsertionPointToEnd(before);
    LLVM::BrOp::create(builder, loc, ValueRange(code.constant(code.i32(), 0)), loop);
    builder.setInsertionPointToEnd(loop);
    return loop;
  }

  /// for (i = 0; i != batch.count; ++i) call(place.block[0] + i)
  void forBlocks(llvm::function_ref<void(Value)> call) {
    Value first = loadBlock(), count = loadCount();
    Block *loop = openLoop();
    call(LLVM::AddOp::create(builder, loc, first, loop->getArgument(0), LLVM::IntegerOverflowFlags::nuw));
    closeLoop(loop, count);
  }

  /// for (z = 0; z != ...; ++z) for (y ...) for (x ...) call({x, y, z}), with loops from dimension `first` on
  void forThreads(unsigned first, llvm::function_ref<void(Coordinates)> call) {
    std::array<Block *, 3> loops{};
    Coordinates coordinates = firstThread();
    for (unsigned dimension = 3; dimension-- > first;) {
      if (blocks.getThreads() && (*blocks.getThreads())[dimension] == 1)
        continue;
      loops[dimension] = openLoop();
      coordinates[dimension] = loops[dimension]->getArgument(0);
    }
    call(coordinates);
    for (auto [dimension, loop] : llvm::enumerate(loops))
      if (loop)
        closeLoop(loop, extent(dimension));
  }

  /// if (blocks have one thread) one(); else many();
  void ifOneThread(llvm::function_ref<void()> one, llvm::function_ref<void()> many) {
    Value all = LLVM::OrOp::create(builder, loc, extent(0), LLVM::OrOp::create(builder, loc, extent(1), extent(2)));
    Value isOne = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, all, code.constant(code.i32(), 1));
    Block *before = builder.getInsertionBlock();
    auto makePart = [&](llvm::function_ref<void()> part) {
      Block *begin = builder.createBlock(&entry.getBody(), entry.getBody().end());
      part();
      return std::pair(begin, builder.getInsertionBlock());
    };
    auto [oneBegin, oneEnd] = makePart(one);
    auto [manyBegin, manyEnd] = makePart(many);
    Block *after = builder.createBlock(&entry.getBody(), entry.getBody().end());
    builder.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(builder, loc, isOne, oneBegin, ValueRange(), manyBegin, ValueRange());
    for (Block *last : {oneEnd, manyEnd}) {
      builder.setInsertionPointToEnd(last);
      LLVM::BrOp::create(builder, loc, ValueRange(), after);
    }
    builder.setInsertionPointToEnd(after);
  }

  void closeLoop(Block *loop, Value extent) {
    Value next = LLVM::AddOp::create(builder, loc, loop->getArgument(0), code.constant(code.i32(), 1));
    Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, extent);
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
  Coordinates loadedExtents; ///< of a block, at least 1; null if the node has them
  SmallVector<Value> fields;
};

} // namespace

/// Gives a function the parameters `types` in front of its own.
static void addParameters(LLVM::LLVMFuncOp function, ArrayRef<Type> types) {
  SmallVector<Type> all(types);
  llvm::append_range(all, function.getArgumentTypes());
  function.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(function.getContext()), all));
  function.removeArgAttrsAttr(); // of the fields, which have moved
  for (auto [number, type] : llvm::enumerate(types))
    function.getBody().front().insertArgument(unsigned(number), type, function.getLoc());
}

static std::string placeInSource(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file ? (Twine(file.getLine()) + ":" + Twine(file.getColumn()) + ":" + file.getFilename().getValue()).str()
              : "0:0:";
}

/// Returns the coordinates of a lane's block, where lanes are blocks of a batch.
static std::array<Value, 3> blockOfLane(LLVM::LLVMFuncOp form, const KernelScope &scope) {
  OpBuilder builder = OpBuilder::atBlockBegin(&form.getBody().front());
  Location loc = form.getLoc();
  LoweredBody body(scope);
  KernelBuilder code(builder, loc, body);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value lane = LLVM::ZExtOp::create(builder, loc, i64, lane::ThreadOp::create(builder, loc, i32));
  std::array<Value, 3> block;
  for (auto [dimension, coordinate] : llvm::enumerate(block)) {
    uint64_t offset = offsetof(abi::BlockBatch, at) + sizeof(uint32_t *) * dimension;
    Value all = code.loadAt(code.pointer(), form.getArgument(0), offset);
    Value own = LLVM::GEPOp::create(builder, loc, code.pointer(), i32, all, ArrayRef<LLVM::GEPArg>{lane});
    auto load = LLVM::LoadOp::create(builder, loc, i32, own, /*alignment=*/sizeof(uint32_t));
    for (LLVM::LoadOp constant : {all.getDefiningOp<LLVM::LoadOp>(), load})
      constant.setInvariant(true); // while the function runs
    coordinate = load;
  }
  return block;
}

/// Returns the coordinate along x of a lane's block, where lanes are neighbours along x.
static Value blockOfRow(LLVM::LLVMFuncOp form) {
  OpBuilder builder = OpBuilder::atBlockBegin(&form.getBody().front());
  Value lane = lane::ThreadOp::create(builder, form.getLoc(), builder.getI32Type());
  return LLVM::AddOp::create(builder, form.getLoc(), form.getArgument(5), lane, LLVM::IntegerOverflowFlags::nuw);
}

/// Makes a lane form of a body, and the functions that will call its vector forms.
static LogicalResult createLaneForm(channel::BlocksOp blocks, LLVM::LLVMFuncOp thread, const KernelScope &scope,
                                    ArrayRef<StringRef> isas, abi::LanesOf of) {
  OpBuilder builder(thread.getContext());
  builder.setInsertionPointAfter(thread);
  auto form = cast<LLVM::LLVMFuncOp>(builder.clone(*thread));
  form.setName(formName(blocks.getBody(), of) + ".lanes");
  form.setLinkage(LLVM::Linkage::External);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
  addParameters(form, {pointer, i32, i32, i32, i32, i32, i32});
  Block &start = form.getBody().front();
  BlockCode code{.body = LoweredBody(scope),
                 .blocks = blocks,
                 .place = start.getArgument(0),
                 .thread = {start.getArgument(6), start.getArgument(3), start.getArgument(4)},
                 .block = {start.getArgument(5), Value(), Value()},
                 .isLaneForm = true};
  if (of == abi::LanesOf::Threads)
    code.thread[0] = nullptr;
  else if (of == abi::LanesOf::Row)
    code.block[0] = blockOfRow(form);
  else
    code.block = blockOfLane(form, scope);
  splitAggregates(form, scope.dataLayout);
  if (failed(convertBlockCode(form, code)))
    return failure();
  addFunctionAttribute(form, lane::kKernelAttr);
  addFunctionAttribute(form, lane::kBlockBodyAttr, placeInSource(form.getLoc()));
  if (of != abi::LanesOf::Threads)
    addFunctionAttribute(form, lane::kLanesAreBlocksAttr, of == abi::LanesOf::Row ? lane::kOfOneRow : "");
  makeOwnDebugScope(form);
  bool waits = synchronises(thread);
  for (const RowFormNames &names : rowForms(blocks.getBody(), isas, waits)) {
    if (names.of != of)
      continue;
    builder.setInsertionPointAfter(form);
    auto row = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), names.row, form.getFunctionType());
    BodyEntry(blocks, thread, scope).createForRows(names, row, waits);
  }
  return success();
}

/// Returns true if a body gets a form whose lanes are `of`. Blocks that always have a vector of threads need no other
/// lanes.
static bool getsLaneForm(channel::BlocksOp blocks, LLVM::LLVMFuncOp thread, abi::LanesOf of) {
  constexpr int64_t kManyThreads = 16;
  return of == abi::LanesOf::Threads ||
         (!synchronises(thread) && !(blocks.getThreads() && (*blocks.getThreads())[0] >= kManyThreads));
}

/// Makes the body of one thread a function of (place, b, x, y, z, fields..), and creates its caller.
static LogicalResult lowerBody(channel::BlocksOp blocks, LLVM::LLVMFuncOp thread, const KernelScope &scope,
                               ArrayRef<StringRef> isas, bool forDevices) {
  for (abi::LanesOf of : kLanesOf)
    if (!isas.empty() && getsLaneForm(blocks, thread, of) && failed(createLaneForm(blocks, thread, scope, isas, of)))
      return failure();
  bool waits = synchronises(thread);
  OpBuilder builder(thread.getContext());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
  thread.setName((blocks.getBody() + ".thread").str());
  thread.setLinkage(LLVM::Linkage::Internal);
  thread.setAlwaysInline(true);
  addParameters(thread, {pointer, i32, i32, i32, i32});
  Block &start = thread.getBody().front();
  BlockCode code{.body = LoweredBody(scope),
                 .blocks = blocks,
                 .place = start.getArgument(0),
                 .thread = {start.getArgument(2), start.getArgument(3), start.getArgument(4)},
                 .block = {start.getArgument(1), Value(), Value()}};
  if (failed(convertBlockCode(thread, code)))
    return failure();
  BodyEntry(blocks, thread, scope).create(waits);
  // On a GPU, a kernel of C++ runs as an ordinary function.
  if (forDevices && !blocks.getKernel())
    BodyEntry(blocks, thread, scope).createForDevices();
  return success();
}

/// Makes the links a function of the place.
static LogicalResult lowerLinks(channel::BlocksOp blocks, LLVM::LLVMFuncOp links, const KernelScope &scope) {
  MLIRContext *context = links.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  links.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer}));
  links.setLinkage(LLVM::Linkage::Internal);
  BlockCode code{.body = LoweredBody(scope),
                 .blocks = blocks,
                 .place = links.getBody().front().addArgument(pointer, links.getLoc()),
                 .thread = {}};
  return convertBlockCode(links, code);
}

//===-- Kernels of C++ --------------------------------------------------------------------------------------------===//

/// Creates @kernel.pack, a function of the kernel's type. It stores its arguments as a launch hands them to the body,
/// where the runtime says.
static void createPack(channel::BlocksOp blocks, const KernelScope &scope) {
  ModuleOp module = scope.module;
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(*blocks.getKernel());
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto pack = LLVM::LLVMFuncOp::create(builder, loc, packName(*blocks.getKernel()), kernel.getFunctionType(),
                                       LLVM::Linkage::Internal);
  pack.setArgAttrsAttr(kernel.getArgAttrsAttr()); // some of them say how an argument is passed
  pack.setPassthroughAttr(builder.getArrayAttr(builder.getStrArrayAttr({kOriginAttr, *blocks.getKernel()})));
  Block *start = pack.addEntryBlock(builder);
  builder.setInsertionPointToEnd(start);
  LoweredBody body(scope);
  KernelBuilder code(builder, loc, body);
  Value arguments = code.call("__cilk2gpu_block_arguments", code.pointer(), {});
  LLVM::LLVMStructType type = argumentsType(blocks);
  for (auto [number, field, value] : llvm::enumerate(type.getBody(), start->getArguments())) {
    Value address = LLVM::GEPOp::create(builder, loc, code.pointer(), type, arguments,
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(number)});
    code.copyField(address, value, field);
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

LogicalResult cilk2gpu::lowerBlockFunctions(channel::BlocksOp blocks, const KernelScope &scope,
                                            ArrayRef<StringRef> isas, bool forDevices) {
  FailureOr<LLVM::LLVMFuncOp> body = takeFunction(blocks, blocks.getBodyAttr(), scope.module);
  if (failed(body) || failed(lowerBody(blocks, *body, scope, isas, forDevices)))
    return failure();
  if (blocks.getKernel())
    createPack(blocks, scope);
  if (!blocks.getLinks())
    return success();
  FailureOr<LLVM::LLVMFuncOp> links = takeFunction(blocks, blocks.getLinksAttr(), scope.module);
  return failure(failed(links) || failed(lowerLinks(blocks, *links, scope)));
}
