// See FrameEmitter.h.
#include "FrameEmitter.h"

#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2gpu;

static constexpr uint64_t kColumnBytes = abi::kFrameGroup * abi::kFrameColumn;

/// Returns true if a value is each lane's own frame: the frame that it took, or the frame that a post-sync lane
/// dequeued and gives back or publishes.
bool FrameEmitter::isFrame(Value value) {
  return value.getDefiningOp<lane::FrameOp>() ||
         (value.getDefiningOp<lane::DeqOp>() && llvm::any_of(value.getUsers(), [&](Operation *user) {
            return isa<lane::FreeOp, lane::PublishOp, lane::YieldOp>(user) && user->getOperand(0) == value;
          }));
}

/// Emits an i1: true if the active lanes are the first lanes, without a gap.
Value FrameEmitter::isPrefix(Location loc, Value lanes) {
  Type bitsType = builder.getIntegerType(length);
  Value bits = bitsOf(loc, lanes);
  Value next = LLVM::AddOp::create(builder, loc, bits, constant(loc, bitsType, 1));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, LLVM::AndOp::create(builder, loc, bits, next),
                              constant(loc, bitsType, 0));
}

/// Emits the addresses of free frames for the active lanes. If the active lanes have no gap, lane 0 gets the last frame
/// of the list, because such lists end with the first frame. Else `expand` gets frames in any order.
Value FrameEmitter::takeInOrder(Location loc, Value free, Value count, llvm::function_ref<Value()> expand) {
  Type i64 = builder.getI64Type();
  return choose(
      loc, isPrefix(loc, mask), vectorOf(i64), /*isLikely=*/true,
      [&]() -> Value {
        SmallVector<int32_t> reversed = llvm::to_vector(llvm::reverse(llvm::seq<int32_t>(0, length)));
        Value from = offset(loc, free, LLVM::SubOp::create(builder, loc, count, constant(loc, i64, length)), 8);
        Value last = LLVM::ShuffleVectorOp::create(builder, loc, mask, mask, reversed);
        Value backwards =
            LLVM::MaskedLoadOp::create(builder, loc, vectorOf(i64), from, last, poison(loc, vectorOf(i64)),
                                       builder.getI32IntegerAttr(8), /*nontemporal=*/nullptr);
        return LLVM::ShuffleVectorOp::create(builder, loc, backwards, backwards, reversed);
      },
      expand);
}

static bool isScalar(Type type) { return type.isIntOrFloat() || isa<LLVM::LLVMPointerType>(type); }

/// Returns true if a value is a vector of frames in columns that usually follow one another.
bool FrameEmitter::hasFrameRun(Value value) const {
  return !frameColumns.empty() && hasMasks() && varies(value) && isFrame(value);
}

/// Emits the test that the frames that lanes have just got follow one another, starting with the first frame of a
/// group.
void FrameEmitter::noteFrames(Value got) {
  if (!hasFrameRun(got))
    return;
  Location loc = got.getLoc();
  Type i64 = builder.getI64Type();
  Value frames = LLVM::PtrToIntOp::create(builder, loc, vectorOf(i64), vector(got));
  // Inactive lanes may hold poison.
  Value first = LLVM::ExtractElementOp::create(builder, loc, frames, constant(loc, builder.getI32Type(), 0));
  first = LLVM::FreezeOp::create(builder, loc, first);
  SmallVector<int64_t> distances;
  for (unsigned number = 0; number < length; ++number)
    distances.push_back(number / abi::kFrameGroup * frameColumns.size() * kColumnBytes +
                        number % abi::kFrameGroup * abi::kFrameColumn);
  auto type = cast<VectorType>(vectorOf(i64));
  Value distance = LLVM::ConstantOp::create(builder, loc, type, DenseIntElementsAttr::get(type, distances));
  Value expected = LLVM::AddOp::create(builder, loc, splat(loc, first), distance);
  Value differs = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, frames, expected);
  Value isBroken = any(loc, maskAnd(loc, mask, differs));
  Value within = LLVM::AndOp::create(builder, loc, first, constant(loc, i64, lanesOfGroup() * abi::kFrameColumn - 1));
  Value atGroup = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, within, constant(loc, i64, 0));
  FrameRun run;
  run.holds = select(loc, isBroken, constant(loc, builder.getI1Type(), 0),
                     LLVM::AndOp::create(builder, loc, atGroup, isPrefix(loc, mask)));
  run.first = LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), first);
  Type bitsType = builder.getIntegerType(length);
  for (unsigned number = 0; number < length; number += lanesOfGroup()) {
    Value lanes = LLVM::LShrOp::create(builder, loc, bitsOf(loc, mask), constant(loc, bitsType, number));
    Value isTaken = LLVM::TruncOp::create(builder, loc, builder.getI1Type(), lanes);
    run.groups.push_back(select(loc, isTaken, constant(loc, i64, distances[number]), constant(loc, i64, 0)));
  }
  frameRuns[got] = run;
}

/// Emits the computation of Cuts.h's placeInColumn, for one lane's frame or a vector of frames.
Value FrameEmitter::placeInColumn(Location loc, Value frame, unsigned words) {
  auto type = dyn_cast<VectorType>(frame.getType());
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) { return type ? splatConstant(loc, i64, value) : constant(loc, i64, value); };
  Value bits = LLVM::PtrToIntOp::create(builder, loc, type ? vectorOf(i64) : i64, frame);
  Value place = LLVM::AndOp::create(builder, loc, bits, number((abi::kFrameGroup - 1) * abi::kFrameColumn));
  return offset(loc, frame, LLVM::MulOp::create(builder, loc, place, number(words - 1)), 1);
}

void FrameEmitter::emitPlace(lane::PlaceOp op) {
  define(op, placeInColumn(op.getLoc(), vector(op.getFrame()), op.getWords()));
}

/// Returns the part of a field that is at `address`. Returns nothing if it is not known, or if a store would write only
/// a part of the field, because a column is written as a whole.
FramePart FrameEmitter::framePartOf(Value address, uint64_t size, bool isStore) const {
  int64_t distance = 0;
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    std::optional<SmallVector<AddressTerm>> terms = displacement(gep, dataLayout);
    if (!terms)
      return {};
    for (const AddressTerm &term : *terms) {
      APInt index(64, 1);
      if (term.index && !matchPattern(term.index, m_ConstantInt(&index)))
        return {};
      distance += term.stride * index.getSExtValue();
    }
    address = gep.getBase();
  }
  FramePart part;
  if (auto place = address.getDefiningOp<lane::PlaceOp>()) {
    part.words = place.getWords();
    address = place.getFrame();
  }
  auto it = frameRuns.find(address);
  uint64_t column = distance / kColumnBytes;
  if (it == frameRuns.end() || !llvm::isPowerOf2_64(size) || distance < 0 || column >= frameColumns.size())
    return {};
  part.distance = column * kColumnBytes;
  part.offset = distance % kColumnBytes;
  bool isWhole = part.offset == 0 && size == frameColumns[column] && part.words == 1;
  bool isInWord = part.offset % abi::kFrameColumn + size <= abi::kFrameColumn;
  bool isPart =
      part.offset + size <= frameColumns[column] && isInWord && (part.words == 1 || length >= abi::kFrameGroup);
  if (isWhole || (!isStore && isPart))
    part.run = &it->second;
  return part;
}

/// Calls `body` for each group with its first lane, the address of the field, and the mask of the active lanes in the
/// group.
void FrameEmitter::forEachGroup(Location loc, const FrameRun &run, int64_t distance,
                                llvm::function_ref<void(unsigned first, Value address, Value lanes)> body) {
  for (unsigned first = 0; first < length; first += lanesOfGroup()) {
    int64_t at = distance + int64_t(first / abi::kFrameGroup * frameColumns.size() * kColumnBytes);
    body(first, offset(loc, run.first, constant(loc, builder.getI64Type(), at), 1),
         lanesOf(loc, mask, first, lanesOfGroup()));
  }
}

/// Loads one word of a field of several words. Loads whole registers for each group, and picks each lane's word from
/// them.
Value FrameEmitter::loadWords(Location loc, const FramePart &part) {
  constexpr unsigned kWords = abi::kFrameGroup; // of a register
  Type i64 = builder.getI64Type();
  auto type = VectorType::get({int64_t(kWords)}, i64);
  Value result = poison(loc, vectorOf(i64));
  for (auto [number, group] : llvm::enumerate(part.run->groups)) {
    Value address = offset(loc, part.run->first, group, 1), picked;
    for (unsigned piece = 0; piece < part.words; ++piece) {
      SmallVector<int32_t> indices(kWords, -1);
      bool any = false;
      for (unsigned lane = 0; lane < kWords; ++lane) {
        unsigned word = lane * part.words + part.offset / abi::kFrameColumn;
        if (word / kWords == piece)
          indices[lane] = kWords + word % kWords, any = true;
        else if (word / kWords < piece)
          indices[lane] = lane;
      }
      if (!any)
        continue;
      uint64_t at = part.distance + piece * kWords * abi::kFrameColumn;
      Value loaded =
          LLVM::LoadOp::create(builder, loc, type, offset(loc, address, constant(loc, i64, at), 1), kColumnBytes);
      picked = LLVM::ShuffleVectorOp::create(builder, loc, picked ? picked : poison(loc, type), loaded, indices);
    }
    result = length == kWords ? picked
                              : LLVM::vector_insert::create(builder, loc, result, picked, number * kWords).getResult();
  }
  return result;
}

Value FrameEmitter::loadColumn(Location loc, Type type, const FramePart &part) {
  Type i64 = builder.getI64Type(), whole = type.isF64() && part.words == 1 ? type : i64;
  Value result = poison(loc, vectorOf(whole));
  if (part.words > 1) {
    result = loadWords(loc, part);
  } else {
    auto groupType = VectorType::get({int64_t(lanesOfGroup())}, whole);
    forEachGroup(loc, *part.run, part.distance, [&](unsigned first, Value address, Value lanes) {
      Value loaded = LLVM::MaskedLoadOp::create(builder, loc, groupType, address, lanes, poison(loc, groupType),
                                                builder.getI32IntegerAttr(abi::kFrameColumn), /*nontemporal=*/nullptr);
      result = groupType == result.getType()
                   ? loaded
                   : LLVM::vector_insert::create(builder, loc, result, loaded, first).getResult();
    });
  }
  if (uint64_t skipped = part.offset % abi::kFrameColumn)
    result = LLVM::LShrOp::create(builder, loc, result, splatConstant(loc, i64, int64_t(8 * skipped)));
  if (whole == type)
    return result;
  if (type.isInteger())
    return narrowed(loc, result, vectorOf(type));
  uint64_t bits = dataLayout.getTypeSizeInBits(type).getFixedValue();
  return ofType(loc, narrowed(loc, result, vectorOf(builder.getIntegerType(bits))), type);
}

void FrameEmitter::storeColumn(Location loc, Value value, const FrameRun &run, int64_t distance) {
  value = widened(loc, value);
  if (storeSize(dataLayout, cast<VectorType>(value.getType()).getElementType()) < abi::kFrameColumn)
    value = LLVM::ZExtOp::create(builder, loc, vectorOf(builder.getI64Type()), integers(loc, value));
  forEachGroup(loc, run, distance, [&](unsigned first, Value address, Value lanes) {
    LLVM::MaskedStoreOp::create(builder, loc, lanesOf(loc, value, first, lanesOfGroup()), address, lanes,
                                builder.getI32IntegerAttr(abi::kFrameColumn));
  });
}

/// Stores words of a field of several words, from the word of `part` on. Stores whole registers for each group; other
/// words and inactive lanes keep their contents.
void FrameEmitter::storeWords(Location loc, ArrayRef<Value> words, const FramePart &part) {
  constexpr unsigned kWords = abi::kFrameGroup;
  unsigned own = part.offset / abi::kFrameColumn;
  auto type = VectorType::get({int64_t(kWords)}, builder.getI64Type());
  Value none = LLVM::ConstantOp::create(builder, loc, type.clone(builder.getI1Type()),
                                        SplatElementsAttr::get(type.clone(builder.getI1Type()), false));
  forEachGroup(loc, *part.run, part.distance, [&](unsigned first, Value address, Value lanes) {
    for (unsigned piece = 0; piece < part.words; ++piece) {
      Value whole = poison(loc, type);
      SmallVector<int32_t> takesPart(kWords, kWords);
      for (auto [number, word] : llvm::enumerate(words)) {
        SmallVector<int32_t> indices(kWords);
        for (unsigned i = 0; i < kWords; ++i) {
          unsigned at = piece * kWords + i, lane = at / part.words;
          bool isWord = at % part.words == own + number;
          indices[i] = isWord ? kWords + lane : i;
          if (isWord)
            takesPart[i] = lane;
        }
        whole = LLVM::ShuffleVectorOp::create(builder, loc, whole, lanesOf(loc, word, first, kWords), indices);
      }
      if (llvm::all_of(takesPart, [&](int32_t lane) { return lane == int32_t(kWords); }))
        continue;
      Value mask = LLVM::ShuffleVectorOp::create(builder, loc, lanes, none, takesPart);
      uint64_t at = piece * kWords * abi::kFrameColumn;
      LLVM::MaskedStoreOp::create(builder, loc, whole, offset(loc, address, constant(loc, builder.getI64Type(), at), 1),
                                  mask, builder.getI32IntegerAttr(kColumnBytes));
    }
  });
}

/// Emits a load of a frame's field. Returns null if the load is of other memory.
Value FrameEmitter::loadFromFrames(LLVM::LoadOp op) {
  FramePart part = framePartOf(op.getAddr(), storeSize(dataLayout, op.getType()), /*isStore=*/false);
  if (!part || !isScalar(op.getType()))
    return {};
  Location loc = op.getLoc();
  return choose(
      loc, part.run->holds, vectorOf(op.getType()), /*isLikely=*/true,
      [&] { return loadColumn(loc, op.getType(), part); },
      [&] {
        unsigned align = llvm::MinAlign(abi::kFrameColumn, part.offset);
        return laneMemory.gather(loc, op.getType(), scalar(op.getAddr()), mask, align);
      });
}

/// Emits a store to a frame's field. Returns false if the store is to other memory.
bool FrameEmitter::storeToFrames(LLVM::StoreOp op) {
  Type type = op.getValue().getType();
  FramePart part = framePartOf(op.getAddr(), storeSize(dataLayout, type), /*isStore=*/true);
  if (!part || !isScalar(type))
    return false;
  Location loc = op.getLoc();
  Value value = vector(op.getValue());
  Value pointers = vector(op.getAddr());
  whereElse(
      loc, part.run->holds, [&] { storeColumn(loc, value, *part.run, part.distance); },
      [&] { laneMemory.scatter(loc, value, pointers, mask, abi::kFrameColumn); });
  return true;
}
