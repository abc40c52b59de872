// See UnmaskedEmitter.h.
#include "UnmaskedEmitter.h"

#include "cilk2gpu/Support/TypeSizes.h"

#include <numeric>

using namespace mlir;
using namespace cilk2gpu;

/// Loads a value for each of the block's lanes, starting at `address`. There may be fewer lanes than a vector has.
Value UnmaskedEmitter::loadBlock(Location loc, VectorType type, Value address) {
  uint64_t size = storeSize(dataLayout, type.getElementType());
  Type i64 = builder.getI64Type();
  Value isFull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, remaining, constant(loc, i64, length));
  Value source = choose(
      loc, isFull, address.getType(), /*isLikely=*/true, [&] { return address; },
      [&]() -> Value {
        Value copy = createAlloca(loc, type, 1, 64);
        Value bytes = LLVM::MulOp::create(builder, loc, remaining, constant(loc, i64, size));
        LLVM::MemcpyOp::create(builder, loc, copy, address, bytes, /*isVolatile=*/false);
        return copy;
      });
  return LLVM::LoadOp::create(builder, loc, type, source, /*alignment=*/1);
}

/// Emits a gather: lane after lane, without branches. Inactive lanes read from the stack.
Value UnmaskedEmitter::loadEach(Location loc, Type element, Value pointers, Value lanes, unsigned align) {
  Value nowhere = createAlloca(loc, element, 1, std::max(align, 1u));
  Value safe = select(loc, lanes, pointers, splat(loc, nowhere));
  Value result = poison(loc, vectorOf(element));
  for (unsigned i = 0; i < length; ++i) {
    Value number = constant(loc, builder.getI32Type(), i);
    Value pointer = LLVM::ExtractElementOp::create(builder, loc, safe, number);
    Value loaded = LLVM::LoadOp::create(builder, loc, element, pointer, align);
    result = LLVM::InsertElementOp::create(builder, loc, result, loaded, number);
  }
  return result;
}

/// Emits a store under a mask to memory that only this wavefront accesses.
void UnmaskedEmitter::storeBlended(Location loc, Value value, Value address, Value lanes, unsigned align) {
  Value old = LLVM::LoadOp::create(builder, loc, value.getType(), address, align);
  LLVM::StoreOp::create(builder, loc, select(loc, lanes, value, old), address, align);
}

/// Loads as many addresses as there are active lanes, starting at `address`, and puts them into the active lanes in
/// order.
Value UnmaskedEmitter::expandFrames(Location loc, Value address) {
  Type i64 = builder.getI64Type(), type = vectorOf(i64), bitsType = builder.getIntegerType(length);
  Value isFull =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, bitsOf(loc, mask), constant(loc, bitsType, -1));
  return choose(
      loc, isFull, type, /*isLikely=*/false,
      [&]() -> Value { return LLVM::LoadOp::create(builder, loc, type, address, /*alignment=*/8); },
      [&]() -> Value {
        Value memory = createAlloca(loc, type, 1, 64), next = createAlloca(loc, i64, 1, 8);
        LLVM::StoreOp::create(builder, loc, constant(loc, i64, 0), next);
        forEachLane(loc, mask, [&](Value lane) {
          Value index = LLVM::LoadOp::create(builder, loc, i64, next);
          Value entry = LLVM::LoadOp::create(builder, loc, i64, offset(loc, address, index, 8));
          LLVM::StoreOp::create(builder, loc, entry, offset(loc, memory, lane, 8));
          LLVM::StoreOp::create(builder, loc, LLVM::AddOp::create(builder, loc, index, constant(loc, i64, 1)), next);
        });
        return LLVM::LoadOp::create(builder, loc, type, memory);
      });
}

/// Writes the values of `lanes` one after the other to `address`. `fits` is true if a whole vector may be written
/// there, although only its first values matter; it is null if that is not known.
void UnmaskedEmitter::storeCompressed(Location loc, Value value, Value address, Value fits, Value lanes,
                                      bool isUniform) {
  Type i64 = builder.getI64Type();
  uint64_t size = storeSize(dataLayout, cast<VectorType>(value.getType()).getElementType());
  Value count = countOf(loc, bitsOf(loc, lanes));
  if (!fits)
    fits = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, count, constant(loc, i64, length));
  Value aside = createAlloca(loc, value.getType(), 1, 64);
  Value to = select(loc, fits, address, aside);
  if (isUniform)
    LLVM::StoreOp::create(builder, loc, value, to, /*alignment=*/1);
  else
    compressTo(loc, value, to, lanes);
  unless(loc, fits, [&] {
    Value bytes = LLVM::MulOp::create(builder, loc, count, constant(loc, i64, size));
    LLVM::MemcpyOp::create(builder, loc, address, aside, bytes, /*isVolatile=*/false);
  });
}

/// Does the same if a whole vector may be written. Each piece overwrites the undefined end of the piece before it.
void UnmaskedEmitter::compressTo(Location loc, Value value, Value address, Value lanes) {
  uint64_t size = storeSize(dataLayout, cast<VectorType>(value.getType()).getElementType());
  Type i64 = builder.getI64Type();
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    Value spilled = spill(loc, value), next = createAlloca(loc, i64, 1, 8);
    Type element = cast<VectorType>(value.getType()).getElementType();
    LLVM::StoreOp::create(builder, loc, constant(loc, i64, 0), next);
    forEachLane(loc, lanes, [&](Value lane) {
      Value index = LLVM::LoadOp::create(builder, loc, i64, next);
      Value each = laneOf(loc, spilled, element, lane);
      LLVM::StoreOp::create(builder, loc, each, offset(loc, address, index, size), /*alignment=*/1);
      LLVM::StoreOp::create(builder, loc, LLVM::AddOp::create(builder, loc, index, constant(loc, i64, 1)), next);
    });
    return;
  }
  value = integers(loc, value);
  Value bits = bitsOf(loc, lanes);
  if (length < 64)
    bits = LLVM::ZExtOp::create(builder, loc, i64, bits);
  unsigned most = size < 4 ? 8 : (vectorIsa.wordShuffle.empty() ? 16 : 32) / size;
  unsigned piece = std::min(length, most);
  for (unsigned first = 0; first < length; first += piece) {
    Value part = value, own = bits;
    if (length != piece)
      part = LLVM::ShuffleVectorOp::create(builder, loc, value, value,
                                           llvm::to_vector(llvm::seq<int32_t>(first, first + piece)));
    if (first)
      own = LLVM::LShrOp::create(builder, loc, own, constant(loc, i64, first));
    own = LLVM::AndOp::create(builder, loc, own, constant(loc, i64, (1 << piece) - 1));
    LLVM::StoreOp::create(builder, loc, compressPiece(loc, part, own), address, /*alignment=*/1);
    if (first + piece < length)
      address = offset(loc, address, countOf(loc, own), size);
  }
}

Value UnmaskedEmitter::permute(Location loc, StringRef intrinsic, Value value, Value indices) {
  return LLVM::CallIntrinsicOp::create(builder, loc, value.getType(), builder.getStringAttr(intrinsic),
                                       ValueRange{value, indices})
      .getResult(0);
}

/// Returns a vector with the first `count` elements of `value`. Further elements are undefined.
Value UnmaskedEmitter::firstOf(Location loc, Value value, unsigned count) {
  unsigned present = cast<VectorType>(value.getType()).getNumElements();
  if (present == count)
    return value;
  SmallVector<int32_t> indices(count, -1);
  std::iota(indices.begin(), indices.begin() + std::min(count, present), 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, value, value, indices);
}

static VectorType vectorOfInts(OpBuilder &builder, unsigned count, unsigned width) {
  return VectorType::get({int64_t(count)}, builder.getIntegerType(width));
}

/// Moves the lanes whose `bits` are set to the front of a register. The register has 32-bit or 64-bit values, or up to
/// 8 narrower values.
Value UnmaskedEmitter::compressPiece(Location loc, Value piece, Value bits) {
  auto type = cast<VectorType>(piece.getType());
  unsigned count = type.getNumElements(), width = type.getElementTypeBitWidth();
  if (width < 32)
    return compressBytes(loc, piece, bits);
  auto words = vectorOfInts(builder, 8, 32);
  if (vectorIsa.wordShuffle.empty()) {
    // Whole bytes of a register are moved at a time.
    auto bytes = vectorOfInts(builder, 16, 8);
    Value table = width == 64 ? compressTable(loc, "__cilk2gpu_compress_halves", 2, 8, 8, 16)
                              : compressTable(loc, "__cilk2gpu_compress_words", 4, 4, 8, 16);
    Value indices = LLVM::LoadOp::create(builder, loc, bytes, offset(loc, table, bits, 16), 16);
    Value packed = permute(loc, vectorIsa.byteShuffle, LLVM::BitcastOp::create(builder, loc, bytes, piece), indices);
    return LLVM::BitcastOp::create(builder, loc, type, packed);
  }
  if (width == 64) {
    Value table = compressTable(loc, "__cilk2gpu_compress_pairs", 4, 2, 32, 8);
    Value indices = LLVM::LoadOp::create(builder, loc, words, offset(loc, table, bits, 32), 32);
    Value packed = permute(loc, vectorIsa.wordShuffle, LLVM::BitcastOp::create(builder, loc, words, piece), indices);
    return LLVM::BitcastOp::create(builder, loc, type, packed);
  }
  Value table = compressTable(loc, "__cilk2gpu_compress_lanes", 8, 1, 8, 8);
  Value indices = LLVM::LoadOp::create(builder, loc, vectorOfInts(builder, 8, 8), offset(loc, table, bits, 8), 8);
  indices = LLVM::ZExtOp::create(builder, loc, words, indices);
  return firstOf(loc, permute(loc, vectorIsa.wordShuffle, firstOf(loc, piece, 8), indices), count);
}

/// Does the same for up to 8 values of 8 or 16 bits, as bytes of one register.
Value UnmaskedEmitter::compressBytes(Location loc, Value piece, Value bits) {
  auto type = cast<VectorType>(piece.getType());
  auto bytes = vectorOfInts(builder, 16, 8), pairs = vectorOfInts(builder, 8, 16);
  Value table = compressTable(loc, "__cilk2gpu_compress_lanes", 8, 1, 8, 8);
  Value indices = LLVM::LoadOp::create(builder, loc, vectorOfInts(builder, 8, 8), offset(loc, table, bits, 8), 8);
  if (type.getElementTypeBitWidth() == 8) {
    Value whole = permute(loc, vectorIsa.byteShuffle, firstOf(loc, piece, 16), firstOf(loc, indices, 16));
    return firstOf(loc, whole, type.getNumElements());
  }
  // Lane i consists of bytes 2 i and 2 i + 1.
  auto splatOf = [&](int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, pairs, SplatElementsAttr::get(pairs, APInt(16, uint64_t(value))));
  };
  indices = LLVM::ZExtOp::create(builder, loc, pairs, indices);
  indices = LLVM::MulOp::create(builder, loc, indices, splatOf(0x0202));
  indices = LLVM::AddOp::create(builder, loc, indices, splatOf(0x0100));
  indices = LLVM::BitcastOp::create(builder, loc, bytes, indices);
  Value whole = LLVM::BitcastOp::create(builder, loc, bytes, firstOf(loc, piece, 8));
  whole = permute(loc, vectorIsa.byteShuffle, whole, indices);
  return firstOf(loc, LLVM::BitcastOp::create(builder, loc, pairs, whole), type.getNumElements());
}

/// Makes a table for compression: for each set of `lanes` lanes, the numbers of their units in order. Each lane has
/// some of the `units` units. A row has `size` integers of `width` bits.
Value UnmaskedEmitter::compressTable(Location loc, StringRef name, unsigned lanes, unsigned units, unsigned width,
                                     unsigned size) {
  if (!module.lookupSymbol(name)) {
    SmallVector<APInt> entries;
    for (unsigned set = 0; set < 1u << lanes; ++set) {
      size_t end = entries.size() + size;
      for (unsigned i = 0; i < lanes; ++i)
        for (unsigned unit = 0; (set >> i & 1) && unit < units; ++unit)
          entries.push_back(APInt(width, units * i + unit));
      entries.resize(end, APInt(width, 0));
    }
    auto shape = RankedTensorType::get({int64_t(entries.size())}, builder.getIntegerType(width));
    auto type = LLVM::LLVMArrayType::get(builder.getIntegerType(width), entries.size());
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    LLVM::GlobalOp::create(top, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           DenseElementsAttr::get(shape, entries), /*alignment=*/32);
  }
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::AddressOfOp::create(builder, loc, pointer, name);
}
