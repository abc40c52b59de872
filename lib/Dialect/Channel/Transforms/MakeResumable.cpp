// Makes kernels resumable: a lane that is refused channel space saves its live values in its frame, ends, and restarts
// at the same site.
#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Analysis/FramePlacement.h"
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace cilk2gpu::channel {
#define GEN_PASS_DEF_MAKERESUMABLEPASS
#include "cilk2gpu/Dialect/Channel/Transforms/Passes.h.inc"
} // namespace cilk2gpu::channel

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::channel;

namespace {

/// One kernel body that is being made resumable.
class ResumableKernel {
public:
  ResumableKernel(LLVM::LLVMFuncOp kernel, SymbolRefAttr frameNode, FrameLayout &layout)
      : kernel(kernel), frameNode(frameNode), layout(layout) {}

  LogicalResult run(ArrayRef<TallocOp> tallocs);

private:
  Value findFrame();
  bool isOnlyForYields();
  Type frameType() { return LLVM::LLVMPointerType::get(kernel.getContext()); }
  LogicalResult takeFrameWhenRefused();
  Value lazyFrame(OpBuilder &builder, Location loc);
  void splitAtSites(ArrayRef<TallocOp> tallocs);
  void addRefusal(Block *site, TallocOp talloc, unsigned number);
  void moveLocalsToFrame();
  llvm::DenseMap<Operation *, uint64_t> findKept(const LocalVariables &locals);
  LogicalResult saveAndRestore(LLVM::AllocaOp frameSlot);
  Block *createEntry();

  LLVM::LLVMFuncOp kernel;
  SymbolRefAttr frameNode;
  FrameLayout &layout;
  Value frame;
  LLVM::AllocaOp lazySlot; ///< holds a frame that is taken only when the lane is refused: null, or the frame
  SmallVector<Block *> sites, refusals;
  BlockSet cuts;
};

} // namespace

/// Returns the frame that this kernel allocates (pre-sync) or dequeues (post-sync).
Value ResumableKernel::findFrame() {
  Value found;
  kernel.walk([&](TallocOp talloc) {
    if (talloc.getChannel() == frameNode)
      found = talloc.getResult();
  });
  if (!found)
    found = (*kernel.getBody().front().getOps<DeqOp>().begin()).getFields().front();
  return found;
}

/// Returns true if the frame only holds values that a lane saves when it yields.
bool ResumableKernel::isOnlyForYields() {
  return isa<TallocOp>(frame.getDefiningOp()) &&
         llvm::all_of(frame.getUsers(), [](Operation *user) { return isa<TfreeOp>(user); });
}

/// Makes code that loads the frame, and takes a frame first if the lane has none. A lane that was refused before has
/// one.
Value ResumableKernel::lazyFrame(OpBuilder &builder, Location loc) {
  Type pointer = frameType();
  Value held = LLVM::LoadOp::create(builder, loc, pointer, lazySlot);
  Value isNull =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, held, LLVM::ZeroOp::create(builder, loc, pointer));
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Value result = after->addArgument(pointer, loc);
  Block *take = builder.createBlock(after);
  Value taken = TallocOp::create(builder, loc, pointer, frameNode);
  LLVM::BrOp::create(builder, loc, ValueRange(taken), after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isNull, take, ValueRange(), after, ValueRange(held));
  builder.setInsertionPointToStart(after);
  return result;
}

/// Takes the frame only when the lane is refused. Tasks that publish no frame to a continuation need it only then.
LogicalResult ResumableKernel::takeFrameWhenRefused() {
  Location loc = kernel.getLoc();
  for (Operation *user : llvm::make_early_inc_range(frame.getUsers()))
    user->erase();
  frame.getDefiningOp()->erase();
  lazySlot = createLocal(kernel.getBody().front(), frameType(), loc);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfter(lazySlot);
  LLVM::StoreOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, frameType()), lazySlot);

  SmallVector<LLVM::ReturnOp> returns;
  kernel.walk([&](LLVM::ReturnOp op) { returns.push_back(op); });
  for (auto [index, site] : llvm::enumerate(sites))
    addRefusal(site, cast<TallocOp>(site->front()), index + 1);
  for (LLVM::ReturnOp op : returns) {
    // if (frame) tfree frame
    Block *before = op->getBlock(), *end = before->splitBlock(op);
    Block *give = builder.createBlock(end);
    builder.setInsertionPointToEnd(before);
    Value held = LLVM::LoadOp::create(builder, loc, frameType(), lazySlot);
    Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, held,
                                        LLVM::ZeroOp::create(builder, loc, frameType()));
    LLVM::CondBrOp::create(builder, loc, isNull, end, give);
    builder.setInsertionPointToEnd(give);
    TfreeOp::create(builder, loc, frameNode, held);
    LLVM::BrOp::create(builder, loc, end);
  }
  demoteAcrossCuts(kernel, cuts);
  return saveAndRestore(lazySlot);
}

LogicalResult ResumableKernel::run(ArrayRef<TallocOp> tallocs) {
  frame = findFrame();
  splitAtSites(tallocs);
  if (isOnlyForYields() && LocalVariables(kernel, cuts).residents().empty())
    return takeFrameWhenRefused();
  moveLocalsToFrame();
  placeFrame(kernel, frame, frameNode);
  // A site is entered again after a yield. So the frame is taken in the block before the site.
  Operation *source = frame.getDefiningOp();
  if (cuts.contains(source->getBlock()))
    source->moveBefore(source->getBlock()->getSinglePredecessor()->getTerminator());
  for (auto [index, site] : llvm::enumerate(sites))
    addRefusal(site, cast<TallocOp>(site->front()), index + 1);
  LLVM::AllocaOp frameSlot = demoteAcrossCuts(kernel, cuts, frame);
  return saveAndRestore(frameSlot);
}

void ResumableKernel::splitAtSites(ArrayRef<TallocOp> tallocs) {
  for (TallocOp talloc : tallocs) {
    Block *before = talloc->getBlock();
    Block *site = before->splitBlock(talloc);
    OpBuilder builder = OpBuilder::atBlockEnd(before);
    LLVM::BrOp::create(builder, talloc.getLoc(), site);
    sites.push_back(site);
    cuts.insert(site);
  }
}

/// Moves locals to the frame if their address is used and they live across a site, because a yield ends the lane's
/// stack.
void ResumableKernel::moveLocalsToFrame() {
  if (auto talloc = frame.getDefiningOp<TallocOp>())
    talloc->moveAfter(*kernel.getBody().front().getOps<DeqOp>().begin());
  LocalVariables locals(kernel, cuts);
  for (LLVM::AllocaOp local : locals.residents())
    moveToFrame(local, frame, layout.addField(local));
}

// %ce = talloc; rest -> %ce, %ok = try_talloc; cond_br %ok, ^granted, ^refused
//                       ^granted: rest    ^refused: yield %frame at number; return
void ResumableKernel::addRefusal(Block *site, TallocOp talloc, unsigned number) {
  Location loc = talloc.getLoc();
  Block *granted = site->splitBlock(std::next(talloc->getIterator()));
  OpBuilder builder(talloc);
  auto attempt = TryTallocOp::create(builder, loc, ElementType::get(builder.getContext()), builder.getI1Type(),
                                     talloc.getChannel());
  talloc.getResult().replaceAllUsesWith(attempt.getElement());
  Block *refused = builder.createBlock(&kernel.getBody(), kernel.getBody().end());
  Value held = lazySlot ? lazyFrame(builder, loc) : frame;
  YieldOp::create(builder, loc, held, builder.getI32IntegerAttr(number));
  auto ret = LLVM::ReturnOp::create(builder, loc, ValueRange());
  ret->setAttr(kHandsOverAttr, builder.getUnitAttr());
  builder.setInsertionPointToEnd(site);
  LLVM::CondBrOp::create(builder, loc, attempt.getGranted(), granted, ValueRange(), refused, ValueRange());
  talloc.erase();
  refusals.push_back(ret->getBlock());
}

/// Makes a new entry block in front of all other blocks, for the local variables.
Block *ResumableKernel::createEntry() {
  Block *start = &kernel.getBody().front();
  OpBuilder builder(kernel.getContext());
  SmallVector<Operation *> types = handlerTypes(kernel);
  Block *entry = builder.createBlock(start);
  for (Operation *type : types)
    type->moveBefore(entry, entry->end());
  for (Operation &op : llvm::make_early_inc_range(*start))
    if (isa<LLVM::AllocaOp>(op) || (isa<LLVM::ConstantOp>(op) && llvm::any_of(op.getUsers(), [](Operation *user) {
                                      return isa<LLVM::AllocaOp>(user);
                                    })))
      op.moveBefore(entry, entry->end());
  return entry;
}

/// Returns the offset of the field at an address in a frame.
static uint64_t fieldAt(Value address) {
  auto gep = address.getDefiningOp<LLVM::GEPOp>();
  auto offset = gep ? gep->getAttrOfType<IntegerAttr>(kFrameOffsetAttr) : IntegerAttr();
  return offset ? uint64_t(offset.getInt()) : 0;
}

/// Returns the offset of the field of the frame from which the kernel has loaded the value of a local, if both keep
/// that value. `stored` has the fields to which the kernel stores.
static std::optional<uint64_t> fieldThatKeeps(LLVM::AllocaOp local, const llvm::DenseSet<uint64_t> &stored) {
  LLVM::LoadOp source;
  for (Operation *user : local->getUsers()) {
    auto store = dyn_cast<LLVM::StoreOp>(user);
    if (isa<LLVM::LoadOp>(user))
      continue;
    if (!store || source || store.getValue() == local.getResult())
      return std::nullopt;
    source = store.getValue().getDefiningOp<LLVM::LoadOp>();
    if (!source || !source->hasAttr(kRestoresAttr))
      return std::nullopt;
  }
  if (!source || stored.contains(fieldAt(source.getAddr())))
    return std::nullopt;
  return fieldAt(source.getAddr());
}

/// Returns the locals whose values the frame keeps, with the offset of the field.
llvm::DenseMap<Operation *, uint64_t> ResumableKernel::findKept(const LocalVariables &locals) {
  llvm::DenseSet<uint64_t> stored; // with 0 for stores outside of the frame
  kernel.walk([&](LLVM::StoreOp store) {
    if (!store.getAddr().getDefiningOp<LLVM::AllocaOp>())
      stored.insert(fieldAt(store.getAddr()));
  });
  llvm::DenseMap<Operation *, uint64_t> kept;
  for (Block *site : sites)
    for (LLVM::AllocaOp local : locals.savedAt(site))
      if (std::optional<uint64_t> field = fieldThatKeeps(local, stored))
        kept[local] = *field;
  return kept;
}

LogicalResult ResumableKernel::saveAndRestore(LLVM::AllocaOp frameSlot) {
  LocalVariables locals(kernel, cuts);
  if (!locals.residents().empty())
    return LLVM::AllocaOp(locals.residents().front())
        .emitOpError("would be lost when a lane yields: it was not moved to the frame although its address lives "
                     "across a spawn");
  Block *start = &kernel.getBody().front();
  Block *entry = createEntry();
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel.getContext());
  SmallVector<int32_t> numbers;
  SmallVector<Block *> restarts;
  // Before there are restarts, which store to the locals, too.
  llvm::DenseMap<Operation *, uint64_t> kept = findKept(locals);
  frameSlot->setAttr(kHoldsFrameAttr, builder.getUnitAttr());
  auto copy = [&](LLVM::AllocaOp local, Value from, Value to) {
    copyLocal(builder, loc, local, from, to)->setAttr(kSavesAttr, builder.getUnitAttr());
  };
  for (auto [index, site] : llvm::enumerate(sites)) {
    Block *restart = builder.createBlock(&kernel.getBody(), kernel.getBody().end());
    Value restarted = RestartedFrameOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
    LLVM::StoreOp::create(builder, loc, restarted, frameSlot);
    Operation *yield = refusals[index]->getTerminator()->getPrevNode();
    Value saved = cast<YieldOp>(yield).getFrame();
    for (LLVM::AllocaOp local : locals.savedAt(site)) {
      if (local == frameSlot)
        continue;
      bool isKept = kept.contains(local);
      uint64_t offset = isKept ? kept.lookup(local) : layout.offsetOf(local);
      local->setAttr(kSavedAttr, builder.getI64IntegerAttr(int64_t(offset)));
      if (!isKept) {
        builder.setInsertionPoint(yield);
        copy(local, local, frameAddress(builder, loc, saved, offset));
      }
      builder.setInsertionPointToEnd(restart);
      copy(local, frameAddress(builder, loc, restarted, offset), local);
    }
    builder.setInsertionPointToEnd(restart);
    LLVM::BrOp::create(builder, loc, site);
    numbers.push_back(index + 1);
    restarts.push_back(restart);
  }
  builder.setInsertionPointToEnd(entry);
  Value number = SiteOp::create(builder, loc, builder.getI32Type());
  SmallVector<ValueRange> noOperands(restarts.size());
  LLVM::SwitchOp::create(builder, loc, number, start, ValueRange(), numbers, restarts, noOperands);
  return success();
}

namespace {

struct MakeResumablePass : cilk2gpu::channel::impl::MakeResumablePassBase<MakeResumablePass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    for (auto graph : getOperation().getOps<GraphOp>()) {
      llvm::DenseMap<Operation *, std::pair<uint64_t, uint64_t>> grown;
      llvm::DenseMap<Attribute, FrameOp> frames; // by task
      for (auto frame : graph.getOps<FrameOp>())
        frames[frame.getTaskAttr()] = frame;
      for (auto node : graph.getOps<KernelOp>())
        makeResumable(node, frames.lookup(node.getTaskAttr()), symbols, grown);
      for (auto frame : graph.getOps<FrameOp>())
        if (auto it = grown.find(frame); it != grown.end()) {
          frame.setSize(it->second.first);
          frame.setAlign(it->second.second);
        }
    }
  }

  void makeResumable(KernelOp node, FrameOp frame, SymbolTableCollection &symbols,
                     llvm::DenseMap<Operation *, std::pair<uint64_t, uint64_t>> &grown) {
    auto kernel = symbols.getSymbolTable(getOperation()).lookup<LLVM::LLVMFuncOp>(node.getBody());
    SmallVector<TallocOp> tallocs;
    kernel.walk([&](TallocOp talloc) {
      auto node = symbols.lookupNearestSymbolFrom<ChannelNodeOpInterface>(talloc, talloc.getChannel());
      if (node && node.takesSpawns())
        tallocs.push_back(talloc);
    });
    if (tallocs.empty())
      return;
    auto graph = cast<GraphOp>(node->getParentOp());
    if (!frame) {
      node.emitOpError("spawns but its task has no frame to save a waiting lane in; add a channel.frame of ")
          << node.getTaskAttr();
      return signalPassFailure();
    }
    // Save areas of different kernels may overlap, because a lane is in one kernel at a time.
    DataLayout dataLayout = DataLayout::closest(kernel);
    FrameLayout layout(dataLayout, frame.getSize(), frame.getAlign());
    auto frameNode = SymbolRefAttr::get(graph.getSymNameAttr(), FlatSymbolRefAttr::get(frame.getSymNameAttr()));
    if (failed(ResumableKernel(kernel, frameNode, layout).run(tallocs)))
      return signalPassFailure();
    kernel->setAttr(kSaveFieldsAttr, DenseI64ArrayAttr::get(&getContext(), layout.getFields()));
    numSites += tallocs.size();
    auto &[size, align] = grown[frame];
    size = std::max({size, layout.getSize(), uint64_t(frame.getSize())});
    align = std::max({align, layout.getAlign(), uint64_t(frame.getAlign())});
  }
};

} // namespace
