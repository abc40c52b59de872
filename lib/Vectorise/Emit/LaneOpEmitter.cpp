// See LaneOpEmitter.h.
#include "LaneOpEmitter.h"

#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/FramesWindow.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "cilk2gpu/abi/Records.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2gpu;

void LaneOpEmitter::emitLaneOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<lane::DeqOp>([&](auto op) { emitDeq(op); })
      .Case<lane::AddressOp>([&](auto op) { emitAddressOf(op); })
      .Case<lane::SpawnOp>([&](auto op) { emitSpawn(op); })
      .Case<lane::FrameOp>([&](auto op) { emitFrame(op); })
      .Case<lane::PlaceOp>([&](auto op) { frames.emitPlace(op); })
      .Case<lane::FreeOp>([&](auto op) { emitFree(op); })
      .Case<lane::PublishOp>([&](auto op) { emitPublish(op); })
      .Case<lane::YieldOp>([&](auto op) { emitYield(op); })
      .Case<lane::ResultOp>([&](auto op) { emitResult(op); })
      .Case<lane::DestinationOp>([&](auto op) { emitDestination(op); })
      .Case<lane::AccumulateOp>([&](auto op) { accumulators.emitAccumulate(op); })
      .Case<lane::ThreadOp>([&](auto op) { emitThread(op); })
      .Case<lane::BarrierOp>([&](auto op) { emitBarrier(op); })
      .DefaultUnreachable("a lane operation without a vector form");
}

/// Returns entry `index` of a table of the wave. It is loaded at the start of the function, and is constant while the
/// wave runs.
Value LaneOpEmitter::wavePointer(llvm::MapVector<unsigned, Value> &cache, Value table, uint64_t offset,
                                 unsigned index) {
  Value &entry = cache[index];
  if (entry)
    return entry;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(prologueEnd);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Location loc = lane.getLoc();
  return entry = loadAt(loc, pointer, loadAt(loc, pointer, table, offset), index * 8);
}

/// Returns the address of a field of the block's first element.
Value LaneOpEmitter::fieldAddress(Location loc, Type type, unsigned field) {
  Value column = wavePointer(wave.fields, wave.wave, offsetof(abi::Wave, columns), field);
  Value start = LLVM::AddOp::create(builder, loc, wave.first, base);
  return offset(loc, column, start, columnSize(dataLayout, type));
}

Value LaneOpEmitter::loadField(Location loc, Type type, unsigned field) {
  auto stored = cast<VectorType>(vectorOf(storedType(type)));
  Value address = fieldAddress(loc, type, field);
  Value loaded = hasMasks() ? LLVM::MaskedLoadOp::create(builder, loc, stored, address, mask, poison(loc, stored),
                                                         builder.getI32IntegerAttr(1), /*nontemporal=*/nullptr)
                                  .getResult()
                            : unmasked.loadBlock(loc, stored, address);
  return narrowed(loc, loaded, vectorOf(type));
}

/// Prefetches data for the next block's lanes, at these distances from a pointer in their elements. A gather waits for
/// its slowest lane, and the processor works on too few blocks at a time to hide several such waits.
void LaneOpEmitter::fetchNext(Location loc, unsigned field, ArrayRef<int64_t> distances) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value isLast = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, remaining,
                                      constant(loc, builder.getI64Type(), 2 * length));
  unless(loc, isLast, [&] {
    Value column = fieldAddress(loc, pointer, field);
    for (unsigned number = length; number < 2 * length; ++number) {
      Value followed = loadAt(loc, pointer, column, number * storeSize(dataLayout, pointer));
      for (int64_t distance : distances)
        LLVM::Prefetch::create(builder, loc, offset(loc, followed, constant(loc, builder.getI64Type(), distance), 1),
                               /*rw=*/0, /*hint=*/3, /*cache=*/1);
    }
  });
}

void LaneOpEmitter::emitDeq(lane::DeqOp op) {
  Location loc = op.getLoc();
  Type type = op.getType();
  unsigned field = op.getField();
  if (varies(op)) {
    // Frames that follow one another need no prefetch: the processor itself predicts their addresses.
    SmallVector<int64_t> distances;
    if (!frames.hasFrameRun(op))
      distances = followedTo(op, dataLayout);
    if (!distances.empty())
      fetchNext(loc, field, distances);
    define(op, loadField(loc, type, field));
    return frames.noteFrames(op);
  }
  Value first = LLVM::LoadOp::create(builder, loc, storedType(type), fieldAddress(loc, type, field), /*alignment=*/1);
  define(op, narrowed(loc, first, type));
}

void LaneOpEmitter::emitAddressOf(lane::AddressOp op) {
  Location loc = op.getLoc();
  uint64_t size = op.getSize();
  Value column = wavePointer(wave.fields, wave.wave, offsetof(abi::Wave, columns), op.getField());
  Value start = offset(loc, column, LLVM::AddOp::create(builder, loc, wave.first, base), size);
  define(op, offset(loc, start, laneNumbers(loc, builder.getI64Type()), size));
}

/// Emits code that moves the active lanes of a vector of 512 bits or less to its front.
Value LaneOpEmitter::compress(Location loc, Value piece, Value lanes) {
  auto type = cast<VectorType>(piece.getType());
  return LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr("llvm.experimental.vector.compress"),
                                       ValueRange{piece, lanes, poison(loc, type)})
      .getResult(0);
}

/// Writes the active lanes' values one after the other, from element `next` of the column on. A piece of 512 bits is
/// compressed in a register and stored under a mask, so that no memory behind the last value is touched. If all lanes
/// have the same value, nothing is compressed. `roomy` is true if there is room for `length` elements. It is only used
/// if stores have no masks.
void LaneOpEmitter::append(Location loc, Value value, Value column, Value next, Value lanes, Value roomy,
                           bool isUniform) {
  value = widened(loc, value);
  if (!hasMasks()) {
    uint64_t size = storeSize(dataLayout, cast<VectorType>(value.getType()).getElementType());
    return unmasked.storeCompressed(loc, value, offset(loc, column, next, size), roomy, lanes, isUniform);
  }
  auto type = cast<VectorType>(value.getType());
  uint64_t size = storeSize(dataLayout, type.getElementType());
  // AVX-512 compresses elements of 32 bits; of 8 and 16 bits only in its second set of byte instructions.
  auto features = lane.getTargetFeatures();
  uint64_t least = features && features->contains("+avx512vbmi2") ? 1 : 4;
  unsigned piece = std::min<uint64_t>(length, 64 / std::max(size, least));
  Type pieceBits = builder.getIntegerType(piece);
  Value at = offset(loc, column, next, size);
  for (unsigned first = 0; first < length; first += piece) {
    SmallVector<int32_t> indices = llvm::to_vector(llvm::seq<int32_t>(first, first + piece));
    Value part =
        length == piece ? value : LLVM::ShuffleVectorOp::create(builder, loc, value, value, indices).getResult();
    Value partLanes =
        length == piece ? lanes : LLVM::ShuffleVectorOp::create(builder, loc, lanes, lanes, indices).getResult();
    Value count = countOf(loc, LLVM::BitcastOp::create(builder, loc, pieceBits, partLanes));
    // The first lanes, as many as there are ones in the mask: lanes 0 .. count - 1.
    Value front = firstLanes(loc, count, piece);
    Value packed = isUniform ? part : compress(loc, part, partLanes);
    LLVM::MaskedStoreOp::create(builder, loc, packed, at, front, builder.getI32IntegerAttr(1));
    if (first + piece < length)
      at = offset(loc, at, count, size);
  }
}

/// Appends copies of structs or arrays. `pointers` has the address for each lane.
void LaneOpEmitter::appendCopies(Location loc, Value pointers, Type type, Value column, Value next, Value lanes) {
  uint64_t size = storeSize(dataLayout, type);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type bitsType = builder.getIntegerType(length);
  bool vector = isa<VectorType>(pointers.getType());
  Value spilled = vector ? spill(loc, pointers) : pointers;
  Value bits = bitsOf(loc, lanes);
  Value start = offset(loc, column, next, size);
  forEachLane(loc, lanes, [&](Value number) {
    // The position of a lane's copy is the number of active lanes before the lane.
    Value shift = length < 64 ? LLVM::TruncOp::create(builder, loc, bitsType, number).getResult() : number;
    Value higher = LLVM::ShlOp::create(builder, loc, constant(loc, bitsType, -1), shift);
    Value lower = LLVM::XOrOp::create(builder, loc, higher, constant(loc, bitsType, -1));
    Value place = countOf(loc, LLVM::AndOp::create(builder, loc, bits, lower));
    Value source = vector ? laneOf(loc, spilled, pointer, number) : pointers;
    LLVM::MemcpyOp::create(builder, loc, offset(loc, start, place, size), source,
                           constant(loc, builder.getI64Type(), int64_t(size)),
                           /*isVolatile=*/false);
  });
}

/// Emits a test that a whole vector can be stored behind the elements in the channel.
Value LaneOpEmitter::hasRoom(Location loc, Value cursor, Value next) {
  if (hasMasks())
    return Value();
  Value limit = loadAt(loc, builder.getI64Type(), cursor, offsetof(abi::Cursor, limit));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, LLVM::SubOp::create(builder, loc, limit, next),
                              constant(loc, builder.getI64Type(), length));
}

void LaneOpEmitter::advance(Location loc, Value cursor, uint64_t where, Value count) {
  Value next = loadAt(loc, builder.getI64Type(), cursor, where);
  storeAt(loc, LLVM::AddOp::create(builder, loc, next, count), cursor, where);
}

/// Emits the mask of the active lanes for which there is room: all of them, or as many as the runtime can make room
/// for.
Value LaneOpEmitter::grantedLanes(Location loc, Value cursor, unsigned target) {
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type(), bitsType = builder.getIntegerType(length);
  Value bits = bitsOf(loc, mask);
  Value next = loadAt(loc, i64, cursor, offsetof(abi::Cursor, next));
  Value limit = loadAt(loc, i64, cursor, offsetof(abi::Cursor, limit));
  Value room = LLVM::SubOp::create(builder, loc, limit, next);
  Value fits = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule, countOf(loc, bits), room);
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {bitsType}, {loc});
  Block *more = builder.createBlock(join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, fits, join, ValueRange(bits), more, ValueRange(), std::make_pair(2000, 1));
  builder.setInsertionPointToEnd(more);
  constexpr StringLiteral kTalloc = "__cilk2gpu_talloc_lanes";
  auto talloc = module.lookupSymbol<LLVM::LLVMFuncOp>(kTalloc);
  if (!talloc) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    talloc = LLVM::LLVMFuncOp::create(top, module.getLoc(), kTalloc,
                                      LLVM::LLVMFunctionType::get(i64, {wave.wave.getType(), i32, i64}));
    talloc.setNoUnwind(true);
  }
  Value wide = length < 64 ? LLVM::ZExtOp::create(builder, loc, i64, bits).getResult() : bits;
  Value granted =
      LLVM::CallOp::create(builder, loc, talloc, ValueRange{wave.wave, constant(loc, i32, target), wide}).getResult();
  if (length < 64)
    granted = LLVM::TruncOp::create(builder, loc, bitsType, granted);
  LLVM::BrOp::create(builder, loc, ValueRange(granted), join);
  builder.setInsertionPointToEnd(join);
  return LLVM::BitcastOp::create(builder, loc, mask.getType(), join->getArgument(0));
}

void LaneOpEmitter::emitSpawn(lane::SpawnOp op) {
  Location loc = op.getLoc();
  Value cursor = wavePointer(wave.targets, wave.wave, offsetof(abi::Wave, spawns), op.getTarget());
  Value granted = grantedLanes(loc, cursor, op.getTarget());
  Value columns = loadAt(loc, cursor.getType(), cursor, offsetof(abi::Cursor, columns));
  Value next = loadAt(loc, builder.getI64Type(), cursor, offsetof(abi::Cursor, next));
  Value roomy = hasRoom(loc, cursor, next);
  for (auto [index, operand] : llvm::enumerate(op.getValues())) {
    Value column = loadAt(loc, cursor.getType(), columns, index * 8);
    if (Type type = op.copiedType(index))
      appendCopies(loc, scalar(operand), type, column, next, granted);
    else
      append(loc, vector(operand), column, next, granted, roomy, !varies(operand));
  }
  advance(loc, cursor, offsetof(abi::Cursor, next), countOf(loc, bitsOf(loc, granted)));
  define(op.getAccepted(), granted);
}

/// Puts the frame into the channel that feeds the segment. There is always room.
void LaneOpEmitter::emitPublish(lane::PublishOp op) {
  Location loc = op.getLoc();
  Value cursor = wavePointer(wave.syncs, wave.wave, offsetof(abi::Wave, syncs), op.getSegment());
  Value columns = loadAt(loc, cursor.getType(), cursor, offsetof(abi::Cursor, columns));
  Value next = loadAt(loc, builder.getI64Type(), cursor, offsetof(abi::Cursor, next));
  append(loc, vector(op.getFrame()), loadAt(loc, cursor.getType(), columns, 0), next, mask, hasRoom(loc, cursor, next));
  advance(loc, cursor, offsetof(abi::Cursor, next), countOf(loc, bitsOf(loc, mask)));
}

/// Yields lane after lane, because yields are rare and this is less code.
void LaneOpEmitter::emitYield(lane::YieldOp op) {
  Location loc = op.getLoc();
  Value frame = op.getFrame(), site = op.getSite();
  Value frames = spill(loc, vector(frame)), sites = spill(loc, vector(site));
  forEachLane(loc, mask, [&](Value number) {
    refusals.yieldLane(loc, laneOf(loc, frames, frame.getType(), number), laneOf(loc, sites, site.getType(), number));
  });
}

/// Takes frames from the end of the list of free frames. The scheduler has granted one for each lane.
void LaneOpEmitter::emitFrame(lane::FrameOp op) {
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  Value taken = countOf(loc, bitsOf(loc, mask));
  Value count = loadAt(loc, i64, wave.frames, offsetof(abi::FrameStore, count));
  Value left = LLVM::SubOp::create(builder, loc, count, taken);
  storeAt(loc, left, wave.frames, offsetof(abi::FrameStore, count));
  Value free = loadAt(loc, wave.frames.getType(), wave.frames, offsetof(abi::FrameStore, free));
  Value first = offset(loc, free, left, 8);
  auto expand = [&]() -> Value {
    return hasMasks() ? LLVM::masked_expandload::create(builder, loc, vectorOf(i64), first, mask,
                                                        poison(loc, vectorOf(i64)), 8)
                            .getResult()
                      : unmasked.expandFrames(loc, first);
  };
  Value addresses = !frames.hasColumns() || !hasMasks() ? expand() : frames.takeInOrder(loc, free, count, expand);
  define(op, LLVM::IntToPtrOp::create(builder, loc, vectorOf(op.getType()), addresses));
  frames.noteFrames(op);
}

void LaneOpEmitter::emitFree(lane::FreeOp op) {
  Location loc = op.getLoc();
  Value count = loadAt(loc, builder.getI64Type(), wave.frames, offsetof(abi::FrameStore, count));
  Value free = loadAt(loc, wave.frames.getType(), wave.frames, offsetof(abi::FrameStore, free));
  append(loc, vector(op.getFrame()), free, count, mask, Value());
  advance(loc, wave.frames, offsetof(abi::FrameStore, count), countOf(loc, bitsOf(loc, mask)));
}

/// Emits if (destination) *destination = value, for one value or two, which need not be aligned.
void LaneOpEmitter::emitResult(lane::ResultOp op) {
  Location loc = op.getLoc();
  ValueRange values = op.getValues();
  Value pointers = vector(op.getDest());
  Value null = LLVM::ZeroOp::create(builder, loc, pointers.getType());
  Value wanted = maskAnd(loc, mask, LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, pointers, null));
  if (values.size() == 1)
    return laneMemory.scatter(loc, widened(loc, vector(values[0])), pointers, wanted, 1);
  std::array<Value, 2> words{integers(loc, vector(values[0])), integers(loc, vector(values[1]))};
  if (hasMasks())
    return laneMemory.scatterWords(loc, words, pointers, wanted);
  laneMemory.scatter(loc, words[0], pointers, wanted, 1);
  laneMemory.scatter(loc, words[1], offset(loc, pointers, splatConstant(loc, builder.getI64Type(), 8), 1), wanted, 1);
}

void LaneOpEmitter::emitDestination(lane::DestinationOp op) {
  Location loc = op.getLoc();
  Type type = vectorOf(op.getType());
  define(op, placeInFrames(builder, loc, type, framesWindow(), vector(op.getOffset())));
}

//===-- Threads of blocks -----------------------------------------------------------------------------------------===//

void LaneOpEmitter::emitThread(lane::ThreadOp op) {
  Location loc = op.getLoc();
  Value numbers = laneNumbers(loc, op.getType());
  define(op, LLVM::AddOp::create(builder, loc, splat(loc, row.firstThread), numbers));
}

/// Emits a barrier. The vector's lanes are in step, so there is only something to wait for if the block has more
/// vectors. Memory keeps the order of the operations in any case.
void LaneOpEmitter::emitBarrier(lane::BarrierOp op) {
  Location loc = op.getLoc();
  if (mask != blockMask) {
    Value waiting = bitsOf(loc, mask), all = bitsOf(loc, blockMask);
    unless(loc, LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, waiting, all), [&] {
      auto wide = [&](Value bits) {
        return length < 64 ? LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), bits).getResult() : bits;
      };
      callRuntime(loc, "__cilk2gpu_part_block", {row.place, row.firstThread, row.y, row.z, wide(waiting), wide(all)});
    });
  }
  unless(loc, row.isAlone, [&] { callRuntime(loc, "__cilk2gpu_sync_block", {}); });
}
