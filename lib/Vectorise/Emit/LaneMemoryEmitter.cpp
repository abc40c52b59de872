// See LaneMemoryEmitter.h.
#include "LaneMemoryEmitter.h"

using namespace mlir;
using namespace cilk2gpu;

Value LaneMemoryEmitter::gather(Location loc, Type element, Value pointers, Value lanes, unsigned align) {
  if (!hasMasks())
    return unmasked.loadEach(loc, element, pointers, lanes, align);
  if (auto integer = dyn_cast<IntegerType>(element); integer && integer.getWidth() < 32)
    return gatherNarrow(loc, integer, pointers, lanes);
  return LLVM::masked_gather::create(builder, loc, vectorOf(element), pointers, lanes, ValueRange(),
                                     builder.getI32IntegerAttr(align));
}

/// Emits a gather of bytes or 16-bit words, for which there is no instruction. The aligned 32-bit word around a byte
/// can always be read. The two bytes of an unaligned 16-bit word are gathered separately.
Value LaneMemoryEmitter::gatherNarrow(Location loc, IntegerType element, Value pointers, Value lanes) {
  Type i64 = vectorOf(builder.getI64Type()), i32 = vectorOf(builder.getI32Type());
  auto byteAt = [&](uint64_t displacement) -> Value {
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointers);
    if (displacement)
      address = LLVM::AddOp::create(builder, loc, address, splatConstant(loc, builder.getI64Type(), displacement));
    Value word = LLVM::AndOp::create(builder, loc, address, splatConstant(loc, builder.getI64Type(), -4));
    word = LLVM::IntToPtrOp::create(builder, loc, pointers.getType(), word);
    Value loaded =
        LLVM::masked_gather::create(builder, loc, i32, word, lanes, ValueRange(), builder.getI32IntegerAttr(4));
    Value within = LLVM::TruncOp::create(builder, loc, i32, address);
    within = LLVM::AndOp::create(builder, loc, within, splatConstant(loc, builder.getI32Type(), 3));
    within = LLVM::ShlOp::create(builder, loc, within, splatConstant(loc, builder.getI32Type(), 3));
    return LLVM::LShrOp::create(builder, loc, loaded, within);
  };
  Value value = byteAt(0);
  if (element.getWidth() > 8) {
    Value low = LLVM::AndOp::create(builder, loc, value, splatConstant(loc, builder.getI32Type(), 255));
    Value high = LLVM::ShlOp::create(builder, loc, byteAt(1), splatConstant(loc, builder.getI32Type(), 8));
    value = LLVM::OrOp::create(builder, loc, low, high);
  }
  return LLVM::TruncOp::create(builder, loc, vectorOf(element), value);
}

void LaneMemoryEmitter::scatter(Location loc, Value values, Value pointers, Value lanes, unsigned align) {
  Type element = cast<VectorType>(values.getType()).getElementType();
  auto integer = dyn_cast<IntegerType>(element);
  if (!hasMasks() || (integer && integer.getWidth() < 32)) {
    // There is no scatter of narrow values either.
    Value spilledValues = spill(loc, values), spilledPointers = spill(loc, pointers);
    forEachLane(loc, lanes, [&](Value lane) {
      Value pointer = laneOf(loc, spilledPointers, cast<VectorType>(pointers.getType()).getElementType(), lane);
      LLVM::StoreOp::create(builder, loc, laneOf(loc, spilledValues, element, lane), pointer, align);
    });
    return;
  }
  LLVM::masked_scatter::create(builder, loc, values, pointers, lanes, builder.getI32IntegerAttr(align));
}

/// Stores words[i] to the i-th word behind each lane's pointer, two words at a time. This takes half the time of two
/// scatters. The pointers may have any alignment.
void LaneMemoryEmitter::scatterWords(Location loc, ArrayRef<Value> words, Value pointers, Value lanes) {
  constexpr unsigned kWord = 8, kGroup = 8;
  Type i64 = builder.getI64Type();
  auto pairType = VectorType::get({2}, i64);
  unsigned group = std::min(length, kGroup);
  Value nowhere = createAlloca(loc, pairType, 1, 16);
  for (unsigned word = 0; word < words.size(); word += 2) {
    Value to = word ? offset(loc, pointers, splatConstant(loc, i64, word * kWord), 1) : pointers;
    if (word + 1 == words.size())
      return scatter(loc, words[word], to, lanes, 1);
    Value safe = select(loc, lanes, to, splat(loc, nowhere));
    for (unsigned first = 0; first < length; first += group) {
      Value low = lanesOf(loc, words[word], first, group), high = lanesOf(loc, words[word + 1], first, group);
      // Lanes 0, 2, ... and 1, 3, ..., each with both of its words.
      std::array<SmallVector<int32_t>, 2> indices;
      for (unsigned lane = 0; lane < group; ++lane)
        indices[lane % 2].append({int32_t(lane), int32_t(group + lane)});
      std::array<Value, 2> pairs;
      for (unsigned i : {0u, 1u})
        pairs[i] = LLVM::ShuffleVectorOp::create(builder, loc, low, high, indices[i]);
      for (unsigned lane = 0; lane < group; ++lane) {
        Value pointer =
            LLVM::ExtractElementOp::create(builder, loc, safe, constant(loc, builder.getI32Type(), first + lane));
        int32_t at = lane / 2 * 2;
        Value pair = LLVM::ShuffleVectorOp::create(builder, loc, pairs[lane % 2], pairs[lane % 2],
                                                   ArrayRef<int32_t>{at, at + 1});
        LLVM::StoreOp::create(builder, loc, pair, pointer, /*alignment=*/1);
      }
    }
  }
}
