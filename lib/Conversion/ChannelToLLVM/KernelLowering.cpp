// Lowers channel operations to loads and stores on the wave interface of cilk2gpu/abi/Records.h, one lane at a time,
// and wraps each lane function in the loops over a wavefront that descriptors point at.
#include "Lowering.h"

#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/Members.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/abi/Records.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cilk2gpu;

static Type pointerType(Builder &builder) { return LLVM::LLVMPointerType::get(builder.getContext()); }

//===-- Building blocks -----------------------------------------------------------------------------------------===//

Value KernelLowering::constant(Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
}

static Value addressAt(OpBuilder &builder, Location loc, Value base, uint64_t offset) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

Value KernelLowering::loadAt(Location loc, Type type, Value base, uint64_t offset) {
  return LLVM::LoadOp::create(builder, loc, type, addressAt(builder, loc, base, offset));
}

Operation *KernelLowering::storeAt(Location loc, Value value, Value base, uint64_t offset) {
  return LLVM::StoreOp::create(builder, loc, value, addressAt(builder, loc, base, offset));
}

/// Entry `index` of a table of pointers.
Value KernelLowering::pointerAt(Location loc, Value table, unsigned index) {
  return loadAt(loc, pointerType(builder), table, index * 8);
}

/// A record that the wave points at.
Value KernelLowering::recordAt(Location loc, uint64_t inWave) {
  Value record = loadAt(loc, pointerType(builder), wave, inWave);
  records[record] = {inWave, 0, 0, /*isInTable=*/false};
  return record;
}

/// A record that a table of the wave's points at.
Value KernelLowering::recordAt(Location loc, uint64_t inWave, unsigned entry) {
  Value record = pointerAt(loc, loadAt(loc, pointerType(builder), wave, inWave), entry);
  records[record] = {inWave, entry, 0, /*isInTable=*/true};
  return record;
}

Value KernelLowering::loadCount(Location loc, Value record, uint64_t offset) {
  Value count = loadAt(loc, builder.getI64Type(), record, offset);
  if (auto found = records.find(record); found != records.end()) {
    countAccesses.push_back({count.getDefiningOp(), found->second});
    countAccesses.back().place.inRecord = offset;
  }
  return count;
}

void KernelLowering::storeCount(Location loc, Value count, Value record, uint64_t offset) {
  Operation *store = storeAt(loc, count, record, offset);
  if (auto found = records.find(record); found != records.end()) {
    countAccesses.push_back({store, found->second});
    countAccesses.back().place.inRecord = offset;
  }
}

/// Address of field number `field` of element `index`: column base + index * size.
Value KernelLowering::fieldAddress(Location loc, Value columns, Value index, unsigned field, Type type) {
  Value column = shared(loc, pointerAt(loc, columns, field));
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), columnSize(dataLayout, type));
  return LLVM::GEPOp::create(builder, loc, column.getType(), bytes, column, ArrayRef<LLVM::GEPArg>{index});
}

void KernelLowering::copyField(Location loc, Value address, Value value, Type type) {
  if (!channel::isByAddress(type)) {
    LLVM::StoreOp::create(builder, loc, value, address);
    return;
  }
  Value size = constant(loc, builder.getI64Type(), storeSize(dataLayout, type));
  LLVM::MemcpyOp::create(builder, loc, address, value, size, /*isVolatile=*/false);
}

/// Fills element `next` of a cursor and counts it.
void KernelLowering::fillElement(Location loc, Value cursor, channel::StackOp stack, ValueRange values) {
  Value columns = loadAt(loc, pointerType(builder), cursor, offsetof(abi::Cursor, columns));
  Value next = loadCount(loc, cursor, offsetof(abi::Cursor, next));
  for (auto [index, value, type] : llvm::enumerate(values, stack.getFields().getAsValueRange<TypeAttr>()))
    copyField(loc, fieldAddress(loc, columns, next, index, type), value, type);
  Value one = constant(loc, builder.getI64Type(), 1);
  storeCount(loc, LLVM::AddOp::create(builder, loc, next, one), cursor, offsetof(abi::Cursor, next));
}

/// Number of a spawned channel among the task's targets.
unsigned KernelLowering::targetIndex(SymbolRefAttr channel) {
  return llvm::find(task->targets, FlatSymbolRefAttr::get(channel.getLeafReference())) - task->targets.begin();
}

/// The post-sync segment that a stack feeds; 0 if it is none of the task's.
unsigned KernelLowering::segmentOf(channel::StackOp stack) {
  auto *segment = llvm::find(task->postSync, stack);
  return segment == task->postSync.end() ? 0 : segment - task->postSync.begin();
}

channel::StackOp KernelLowering::stackOf(SymbolRefAttr ref) {
  return nodes.lookup<channel::StackOp>(ref.getLeafReference());
}

/// A function of the runtime, declared once.
LLVM::LLVMFuncOp KernelLowering::runtime(StringRef name, Type result, ArrayRef<Type> params) {
  LLVM::LLVMFuncOp &function = declared[name];
  if (!function)
    function = declareRuntime(module, name, result, params);
  return function;
}

//===-- Operations ----------------------------------------------------------------------------------------------===//

/// Fetches what a lane some way behind will load through pointers of its element into the cache.
void KernelLowering::fetchAhead(Location loc, Value columns, Value first, ArrayRef<int64_t> followed) {
  constexpr int64_t kAhead =
      16; // lanes, of some 10 ns each, where memory takes 100; with 8, a walk took a tenth longer
  Type i64 = builder.getI64Type();
  Value lanes =
      LLVM::ZExtOp::create(builder, loc, i64, loadAt(loc, builder.getI32Type(), wave, offsetof(abi::Wave, lanes)));
  Value last = LLVM::SubOp::create(builder, loc, lanes, constant(loc, i64, 1));
  Value ahead = LLVM::AddOp::create(builder, loc, lane, constant(loc, i64, kAhead));
  Value element = LLVM::AddOp::create(builder, loc, first, LLVM::UMinOp::create(builder, loc, ahead, last));
  for (size_t i = 0; i + 1 < followed.size(); i += 2) {
    Value address = fieldAddress(loc, columns, element, followed[i], pointerType(builder));
    Value pointer = LLVM::LoadOp::create(builder, loc, pointerType(builder), address);
    LLVM::Prefetch::create(builder, loc, addressAt(builder, loc, pointer, followed[i + 1]), /*rw=*/0, /*hint=*/3,
                           /*cache=*/1);
  }
}

void KernelLowering::lower(channel::DeqOp op) {
  Location loc = op.getLoc();
  Value columns = shared(loc, loadAt(loc, pointerType(builder), wave, offsetof(abi::Wave, columns)));
  Value first = loadAt(loc, builder.getI64Type(), wave, offsetof(abi::Wave, first));
  Value index = LLVM::AddOp::create(builder, loc, first, lane);
  for (auto [number, field, type] :
       llvm::enumerate(op.getFields(), stackOf(op.getChannel()).getFields().getAsValueRange<TypeAttr>())) {
    Value value = fieldAddress(loc, columns, index, number, type);
    if (!channel::isByAddress(type))
      value = LLVM::LoadOp::create(builder, loc, type, value);
    // A task's pointers come from other tasks, or from the host, and post-sync tasks consume their frames: no pointer
    // leads to what a lane has for itself.
    if (segmentOf(stackOf(op.getChannel())) || isa<LLVM::LLVMPointerType>(type))
      value = shared(loc, value);
    field.replaceAllUsesWith(value);
  }
  if (op.getFollowed() && !onDevice && !counts)
    fetchAhead(loc, columns, first, *op.getFollowed());
}

LogicalResult KernelLowering::lower(channel::TallocOp op) {
  Location loc = op.getLoc();
  if (channel::StackOp stack = stackOf(op.getChannel())) {
    if (!segmentOf(stack))
      return op.emitOpError("may wait for space; run channel-make-resumable before this conversion");
    op.getResult().replaceAllUsesWith(recordAt(loc, offsetof(abi::Wave, syncs), segmentOf(stack)));
    return success();
  }
  // A frame: pop one of those that the scheduler granted to the wavefront.
  Value store = recordAt(loc, offsetof(abi::Wave, frames));
  Value count = loadCount(loc, store, offsetof(abi::FrameStore, count));
  Value top = LLVM::SubOp::create(builder, loc, count, constant(loc, builder.getI64Type(), 1));
  storeCount(loc, top, store, offsetof(abi::FrameStore, count));
  Value free = loadAt(loc, pointerType(builder), store, offsetof(abi::FrameStore, free));
  Value slot = LLVM::GEPOp::create(builder, loc, free.getType(), free.getType(), free, ArrayRef<LLVM::GEPArg>{top});
  op.getResult().replaceAllUsesWith(LLVM::LoadOp::create(builder, loc, free.getType(), slot).getResult());
  return success();
}

// %ok = next < limit || __cilk2gpu_talloc(wave, target)
void KernelLowering::lower(channel::TryTallocOp op) {
  Location loc = op.getLoc();
  unsigned index = targetIndex(op.getChannel());
  Value cursor = recordAt(loc, offsetof(abi::Wave, spawns), index);
  Value next = loadCount(loc, cursor, offsetof(abi::Cursor, next));
  Value limit = loadAt(loc, builder.getI64Type(), cursor, offsetof(abi::Cursor, limit));
  Value hasSpace = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, limit);

  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  Block *extend = builder.createBlock(after);
  Value granted = after->addArgument(builder.getI1Type(), loc);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, hasSpace, after, ValueRange(hasSpace), extend, ValueRange(),
                         std::make_pair(2000, 1));
  builder.setInsertionPointToEnd(extend);
  LLVM::LLVMFuncOp talloc = runtime(kTallocName, builder.getI32Type(), {pointerType(builder), builder.getI32Type()});
  talloc.setNoUnwind(true);
  auto extension =
      LLVM::CallOp::create(builder, loc, talloc, ValueRange{wave, constant(loc, builder.getI32Type(), index)});
  CountPlace place = records.lookup(cursor);
  place.inRecord = offsetof(abi::Cursor, next);
  extends.push_back({extension, place});
  Value extended = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, extension.getResult(),
                                        constant(loc, builder.getI32Type(), 0));
  LLVM::BrOp::create(builder, loc, ValueRange(extended), after);
  op.getElement().replaceAllUsesWith(cursor);
  op.getGranted().replaceAllUsesWith(granted);
}

void KernelLowering::lower(channel::EnqOp op) {
  // By now the element is a cursor, not of the type that the accessor expects.
  fillElement(op.getLoc(), op->getOperand(0), stackOf(op.getChannel()), op.getFields());
}

void KernelLowering::lower(channel::TfreeOp op) {
  // A consumed element is freed with its wavefront; a frame goes back to the store.
  if (isa<channel::ElementType>(op.getValue().getType()) || stackOf(op.getChannel()))
    return;
  Location loc = op.getLoc();
  Value store = recordAt(loc, offsetof(abi::Wave, frames));
  Value count = loadCount(loc, store, offsetof(abi::FrameStore, count));
  Value free = loadAt(loc, pointerType(builder), store, offsetof(abi::FrameStore, free));
  Value slot = LLVM::GEPOp::create(builder, loc, free.getType(), free.getType(), free, ArrayRef<LLVM::GEPArg>{count});
  LLVM::StoreOp::create(builder, loc, op.getValue(), slot);
  Value more = LLVM::AddOp::create(builder, loc, count, constant(loc, builder.getI64Type(), 1));
  storeCount(loc, more, store, offsetof(abi::FrameStore, count));
}

void KernelLowering::lower(channel::YieldOp op) {
  Location loc = op.getLoc();
  Value cursor = loadAt(loc, pointerType(builder), wave, offsetof(abi::Wave, restarts));
  Value columns = loadAt(loc, pointerType(builder), cursor, offsetof(abi::Cursor, columns));
  Value next = loadAt(loc, builder.getI64Type(), cursor, offsetof(abi::Cursor, next));
  LLVM::StoreOp::create(builder, loc, op.getFrame(), fieldAddress(loc, columns, next, 0, pointerType(builder)));
  Value number = constant(loc, builder.getI32Type(), op.getSite());
  LLVM::StoreOp::create(builder, loc, number, fieldAddress(loc, columns, next, 1, builder.getI32Type()));
  Value one = constant(loc, builder.getI64Type(), 1);
  storeAt(loc, LLVM::AddOp::create(builder, loc, next, one), cursor, offsetof(abi::Cursor, next));
}

// if (dest) *dest = value
void KernelLowering::lower(channel::ResultOp op) {
  Location loc = op.getLoc();
  Value null = LLVM::ZeroOp::create(builder, loc, op.getDest().getType());
  Value wanted = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, op.getDest(), null);
  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  Block *store = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, wanted, store, ValueRange(), after, ValueRange());
  builder.setInsertionPointToEnd(store);
  // The destination may be a field of a packed struct: the child knows only where, not how it is aligned.
  storeResult(builder, loc, op.getValue(), shared(loc, op.getDest()), /*alignment=*/1);
  LLVM::BrOp::create(builder, loc, after);
}

void KernelLowering::lower(channel::RootOp op) {
  Location loc = op.getLoc();
  Type pointer = pointerType(builder);
  Value record = LLVM::AddressOfOp::create(builder, loc, pointer, recordName(op.getChannel().getLeafReference()));
  Value cursor = LLVM::CallOp::create(builder, loc, runtime("__cilk2gpu_root", pointer, {pointer}), ValueRange{record})
                     .getResult();
  fillElement(loc, cursor, stackOf(op.getChannel()), op.getFields());
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  LLVM::CallOp::create(builder, loc, runtime("__cilk2gpu_publish", none, {pointer}), ValueRange{cursor});
}

/// A kernel's channel operations (the paper's Table 1) are counted as what they are.
void KernelLowering::markChannelOp(Operation *op) {
  if (!isa<channel::DeqOp, channel::TallocOp, channel::TryTallocOp, channel::EnqOp, channel::TfreeOp>(op))
    return;
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  LLVM::CallOp::create(builder, op->getLoc(), runtime(kCountChannelMarker, none, {}), ValueRange());
}

LogicalResult KernelLowering::lower(Operation *op) {
  builder.setInsertionPoint(op);
  if (onDevice && lowerOnDevice(op))
    return success();
  if (counts && !onDevice)
    markChannelOp(op);
  Location loc = op->getLoc();
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  LogicalResult result = success();
  if (auto deq = dyn_cast<channel::DeqOp>(op)) {
    lower(deq);
  } else if (auto talloc = dyn_cast<channel::TallocOp>(op)) {
    result = lower(talloc);
  } else if (auto attempt = dyn_cast<channel::TryTallocOp>(op)) {
    lower(attempt);
  } else if (auto enq = dyn_cast<channel::EnqOp>(op)) {
    lower(enq);
  } else if (auto tfree = dyn_cast<channel::TfreeOp>(op)) {
    lower(tfree);
  } else if (auto yield = dyn_cast<channel::YieldOp>(op)) {
    lower(yield);
  } else if (auto value = dyn_cast<channel::ResultOp>(op)) {
    lower(value);
  } else if (auto root = dyn_cast<channel::RootOp>(op)) {
    lower(root);
  } else if (auto address = dyn_cast<channel::AddressOp>(op)) {
    Value window = loadFramesWindow(builder, loc, module);
    address.getResult().replaceAllUsesWith(placeInFrames(builder, loc, address.getType(), window, address.getOffset()));
  } else if (auto offset = dyn_cast<channel::OffsetOp>(op)) {
    offset.getResult().replaceAllUsesWith(offsetInFrames(builder, loc, offset.getAddress()));
  } else if (auto slot = dyn_cast<channel::SlotOp>(op)) {
    LLVM::LLVMFuncOp get = runtime("__cilk2gpu_slot", pointerType(builder), {builder.getI64Type()});
    Value bytes = constant(loc, builder.getI64Type(), slot.getSize());
    slot.getResult().replaceAllUsesWith(LLVM::CallOp::create(builder, loc, get, ValueRange(bytes)).getResult());
  } else if (auto slot = dyn_cast<channel::FreeSlotOp>(op)) {
    LLVM::LLVMFuncOp free = runtime("__cilk2gpu_free_slot", none, {pointerType(builder), builder.getI64Type()});
    Value bytes = constant(loc, builder.getI64Type(), slot.getSize());
    LLVM::CallOp::create(builder, loc, free, ValueRange{slot.getAddress(), bytes});
  } else if (isa<channel::SiteOp>(op)) {
    op->getResult(0).replaceAllUsesWith(site);
  } else if (isa<channel::RestartedFrameOp>(op)) {
    Value columns = shared(loc, loadAt(loc, pointerType(builder), wave, offsetof(abi::Wave, columns)));
    Value first = loadAt(loc, builder.getI64Type(), wave, offsetof(abi::Wave, first));
    Value index = LLVM::AddOp::create(builder, loc, first, lane);
    Value address = fieldAddress(loc, columns, index, 0, pointerType(builder));
    Value frame = LLVM::LoadOp::create(builder, loc, pointerType(builder), address);
    op->getResult(0).replaceAllUsesWith(shared(loc, frame));
  } else if (isa<channel::SerialOp>(op)) {
    LLVM::LLVMFuncOp serial = runtime("__cilk2gpu_serial", builder.getI32Type(), {});
    Value answer = LLVM::CallOp::create(builder, loc, serial, ValueRange()).getResult();
    Value zero = constant(loc, builder.getI32Type(), 0);
    op->getResult(0).replaceAllUsesWith(
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, answer, zero).getResult());
  } else if (isa<channel::ExecuteOp>(op)) {
    LLVM::CallOp::create(builder, loc, runtime("__cilk2gpu_execute", none, {}), ValueRange());
  } else {
    return op->emitOpError("has no lowering to LLVM; it cannot stand in a function that is compiled");
  }
  return result;
}

//===-- Functions -----------------------------------------------------------------------------------------------===//

/// The channel operations of a function, elements' definitions after their uses so that they can be erased in order.
static SmallVector<Operation *> channelOps(LLVM::LLVMFuncOp func) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa_and_nonnull<channel::ChannelDialect>(op->getDialect()))
      ops.push_back(op);
  });
  return ops;
}

static SymbolRefAttr reservedChannel(Operation *op) {
  if (auto talloc = dyn_cast<channel::TallocOp>(op))
    return talloc.getChannel();
  if (auto attempt = dyn_cast<channel::TryTallocOp>(op))
    return attempt.getChannel();
  return {};
}

/// Space is counted when an element is filled, so a second talloc on the same channel before the enq would be given the
/// same element: between an element's talloc and its enq, along single predecessors, there must be none.
static LogicalResult verifyReservation(channel::EnqOp enq) {
  Operation *talloc = enq.getElement().getDefiningOp();
  Block *block = enq->getBlock();
  for (Operation *op = enq->getPrevNode();; op = op->getPrevNode()) {
    while (!op) {
      block = block->getSinglePredecessor();
      if (!block)
        return enq.emitOpError("must follow the talloc of its element on every path; move it up to its talloc");
      op = block->getTerminator();
    }
    if (op == talloc)
      return success();
    if (reservedChannel(op) == enq.getChannel())
      return enq.emitOpError("must fill its element before the lane reserves another one; move it up to its talloc");
  }
}

/// Whether `op` may stand in an ordinary function, beside the places that frames have.
static bool isForHost(Operation *op) {
  return isa<channel::SerialOp, channel::RootOp, channel::SlotOp, channel::FreeSlotOp, channel::ExecuteOp,
             channel::AddressOp, channel::OffsetOp>(op);
}

LogicalResult KernelLowering::lowerHost(LLVM::LLVMFuncOp func) {
  SmallVector<Operation *> ops = channelOps(func);
  for (Operation *op : ops) {
    if (!isForHost(op))
      return op->emitOpError("stands in a kernel's body; '") << func.getName() << "' is an ordinary function";
    if (failed(lower(op)))
      return failure();
    op->erase();
  }
  return success();
}

/// Makes a kernel body a function of (wave, lane, site).
LogicalResult KernelLowering::lowerBody(LLVM::LLVMFuncOp kernel, StringRef name) {
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  SmallVector<Type> params{pointerType(builder), builder.getI64Type(), builder.getI32Type()};
  kernel.setName(name);
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(none, params));
  kernel->removeAttr(channel::kKernelAttr);
  Block &entry = kernel.getBody().front();
  wave = entry.addArgument(params[0], kernel.getLoc());
  lane = entry.addArgument(params[1], kernel.getLoc());
  site = entry.addArgument(params[2], kernel.getLoc());
  records.clear();
  countAccesses.clear();
  extends.clear();
  SmallVector<Operation *> ops = channelOps(kernel);
  for (Operation *op : ops)
    if (auto enq = dyn_cast<channel::EnqOp>(op); enq && failed(verifyReservation(enq)))
      return failure();
  for (Operation *op : ops)
    if (failed(lower(op)))
      return failure();
  for (Operation *op : llvm::reverse(ops)) {
    op->dropAllUses();
    op->erase();
  }
  return success();
}

LogicalResult KernelLowering::lowerKernel(channel::KernelOp node) {
  auto kernel = functions.lookup<LLVM::LLVMFuncOp>(node.getBodyAttr().getAttr());
  task = &parts.find(node.getTaskAttr().getAttr())->second;
  std::string name = kernel.getName().str();
  LLVM::LLVMFuncOp laneForm = laneForms.empty() ? nullptr : createLaneForm(kernel);
  builder.setInsertionPointAfter(kernel);
  LLVM::LLVMFuncOp deviceForm = !deviceSymbols.empty() ? cast<LLVM::LLVMFuncOp>(builder.clone(*kernel)) : nullptr;
  bool resumes = kernel.walk([](channel::YieldOp) { return WalkResult::interrupt(); }).wasInterrupted();
  // Instructions are counted of one form, whatever a lane does in it.
  LLVM::LLVMFuncOp restarts = resumes && !counts ? splitRestarts(kernel, builder) : nullptr;
  if (failed(lowerBody(kernel, name + ".lane")))
    return failure();
  // Where instructions are counted, lanes are not inlined, and several waves may run in turns.
  LaneCounts counted(kernel, counts ? ArrayRef<CountAccess>() : countAccesses, extends);
  if (restarts && failed(lowerRestarts(restarts, name)))
    return failure();
  if (counts) {
    SmallVector<Attribute> attributes;
    if (ArrayAttr given = kernel.getPassthroughAttr())
      llvm::append_range(attributes, given);
    attributes.push_back(builder.getStringAttr(kCountedLaneAttr));
    kernel.setPassthroughAttr(builder.getArrayAttr(attributes));
  } else {
    kernel.setAlwaysInline(true);
  }
  LaneAccumulators accumulators(kernel);
  createLaneLoop(kernel, counted, accumulators, name, /*resumes=*/false);
  if (resumes && !restarts)
    createLaneLoop(kernel, counted, accumulators, name + ".resume", /*resumes=*/true);
  if (laneForm)
    for (StringRef isa : llvm::split(laneForms, '+'))
      createVectorEntry(laneForm, name, isa, kernel.getPassthroughAttr());
  return deviceForm ? lowerDeviceForm(deviceForm, name, resumes, /*elides=*/false) : success();
}

/// Not where instructions are counted: a lane's are its task's alone.
LogicalResult KernelLowering::lowerElided(TaskParts &of) {
  if (!of.elided || counts) {
    if (of.elided)
      of.elided.erase();
    of.elided = nullptr;
    return success();
  }
  task = &of;
  LLVM::LLVMFuncOp lane = of.elided;
  std::string name = lane.getName().str();
  lane->removeAttr(channel::kElidedAttr);
  builder.setInsertionPointAfter(lane);
  LLVM::LLVMFuncOp deviceForm = !deviceSymbols.empty() ? cast<LLVM::LLVMFuncOp>(builder.clone(*lane)) : nullptr;
  if (failed(lowerBody(lane, name + ".lane")))
    return failure();
  lane.setAlwaysInline(true);
  createLaneLoop(lane, LaneCounts(lane, {}, {}), LaneAccumulators(lane), name, /*resumes=*/false);
  of.elided = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  return deviceForm ? lowerDeviceForm(deviceForm, name, /*resumes=*/false, /*elides=*/true) : success();
}

/// The entry for lanes that restart, with a lane function of its own. It is rarely called: better small than fast.
LogicalResult KernelLowering::lowerRestarts(LLVM::LLVMFuncOp restarts, const std::string &name) {
  if (failed(lowerBody(restarts, name + ".restart")))
    return failure();
  restarts.setAlwaysInline(true);
  SmallVector<Attribute> attributes;
  if (ArrayAttr given = restarts.getPassthroughAttr())
    llvm::append_range(attributes, given);
  attributes.append(
      {builder.getStringAttr("cold"), builder.getStringAttr("optsize"), builder.getStringAttr(kOwnPassesAttr)});
  restarts.setPassthroughAttr(builder.getArrayAttr(attributes));
  createLaneLoop(restarts, LaneCounts(restarts, {}, {}), LaneAccumulators(restarts), name + ".resume",
                 /*resumes=*/true);
  return success();
}

/// Calls the lane function such that an exception that leaves the task ends the program: the scheduler's state would be
/// lost under it. The runtime's personality will do for both languages (LinkBack.cpp replaces it in C++ modules, where
/// another one would keep functions with handlers from being inlined); where nothing throws, it leaves no trace.
void KernelLowering::callLane(Location loc, LLVM::LLVMFuncOp caller, LLVM::LLVMFuncOp laneFunc, ValueRange args) {
  if (!module.lookupSymbol(kPersonality)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    LLVM::LLVMFuncOp::create(top, module.getLoc(), kPersonality,
                             LLVM::LLVMFunctionType::get(top.getI32Type(), {}, /*isVarArg=*/true));
  }
  caller.setPersonality(kPersonality);
  Value anything = LLVM::ZeroOp::create(builder, loc, pointerType(builder));
  Block *after = builder.createBlock(&caller.getBody(), std::next(builder.getInsertionBlock()->getIterator()));
  Block *thrown = builder.createBlock(&caller.getBody(), caller.getBody().end());
  builder.setInsertionPointToEnd(&*std::prev(after->getIterator()));
  LLVM::InvokeOp::create(builder, loc, laneFunc, args, after, ValueRange(), thrown, ValueRange());
  builder.setInsertionPointToEnd(thrown);
  auto exception = LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointerType(builder), builder.getI32Type()});
  LLVM::LandingpadOp::create(builder, loc, exception, /*cleanup=*/false, anything);
  LLVM::LLVMFuncOp end = runtime("__cilk2gpu_exception", LLVM::LLVMVoidType::get(builder.getContext()), {});
  LLVM::CallOp::create(builder, loc, end, ValueRange());
  LLVM::UnreachableOp::create(builder, loc);
  builder.setInsertionPointToEnd(after);
}

/// The function that the descriptor points at: it calls the wavefront function that vectorisation makes of a lane form
/// for an instruction set.
void KernelLowering::createVectorEntry(LLVM::LLVMFuncOp laneForm, StringRef kernel, StringRef isa,
                                       ArrayAttr attributes) {
  Location loc = laneForm.getLoc();
  builder.setInsertionPointAfter(laneForm);
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(none, {pointerType(builder)});
  auto waves = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(),
                                        (laneForm.getName() + "." + isa + ".wave").str(), type);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, (kernel + ".simd." + isa).str(), type, LLVM::Linkage::Internal);
  func.setPassthroughAttr(attributes);
  builder.setInsertionPointToEnd(func.addEntryBlock(builder));
  callLane(loc, func, waves, ValueRange{func.getBody().front().getArgument(0)});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(func);
}

/// Tasks are long enough that the loop over them is not worth copies of them.
static LLVM::LoopAnnotationAttr noUnrolling(Builder &builder) {
  auto unroll =
      LLVM::LoopUnrollAttr::get(builder.getContext(), /*disable=*/builder.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                                       {});
}

// for (lane = 0; lane != wave->lanes; ++lane) laneFunc(wave, lane, site)
void KernelLowering::createLaneLoop(LLVM::LLVMFuncOp laneFunc, const LaneCounts &counted,
                                    const LaneAccumulators &accumulators, StringRef name, bool resumes) {
  Location loc = laneFunc.getLoc();
  builder.setInsertionPointAfter(laneFunc);
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  auto func = LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(none, {pointerType(builder)}),
                                       LLVM::Linkage::Internal);
  func.setPassthroughAttr(laneFunc.getPassthroughAttr());
  Block *entry = func.addEntryBlock(builder);
  Block *loop = builder.createBlock(&func.getBody(), func.getBody().end(), {builder.getI64Type()}, {loc});
  Block *exit = builder.createBlock(&func.getBody(), func.getBody().end());
  Value ownWave = entry->getArgument(0);
  builder.setInsertionPointToEnd(entry);
  Value lanes = loadAt(loc, builder.getI32Type(), ownWave, offsetof(abi::Wave, lanes));
  lanes = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), lanes);
  Value columns, first;
  if (resumes) {
    columns = loadAt(loc, pointerType(builder), ownWave, offsetof(abi::Wave, columns));
    first = loadAt(loc, builder.getI64Type(), ownWave, offsetof(abi::Wave, first));
  }
  SmallVector<Value> ownCounts = counted.createVariables(builder, loc, ownWave);
  SmallVector<Value> variables = accumulators.createVariables(builder, loc);
  LLVM::BrOp::create(builder, loc, ValueRange(constant(loc, builder.getI64Type(), 0)), loop);
  builder.setInsertionPointToEnd(loop);
  Value index = loop->getArgument(0);
  Value start;
  if (resumes) {
    Value element = LLVM::AddOp::create(builder, loc, first, index);
    start = LLVM::LoadOp::create(builder, loc, builder.getI32Type(),
                                 fieldAddress(loc, columns, element, 1, builder.getI32Type()));
  } else {
    start = constant(loc, builder.getI32Type(), 0);
  }
  if (counts) {
    LLVM::LLVMFuncOp begin = runtime(kCountLane, none, {pointerType(builder)});
    LLVM::CallOp::create(builder, loc, begin, ValueRange{ownWave});
  }
  SmallVector<Value> args{ownWave, index, start};
  args.append(ownCounts);
  args.append(variables);
  callLane(loc, func, laneFunc, args);
  Value next = LLVM::AddOp::create(builder, loc, index, constant(loc, builder.getI64Type(), 1));
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, lanes);
  auto back = LLVM::CondBrOp::create(builder, loc, more, loop, ValueRange(next), exit, ValueRange());
  back.setLoopAnnotationAttr(noUnrolling(builder));
  builder.setInsertionPointToEnd(exit);
  counted.flush(builder, loc, ownCounts);
  accumulators.flush(builder, loc, variables);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(func);
}
