// See PrivateEmitter.h.
#include "PrivateEmitter.h"

#include "cilk2gpu/Support/Displacement.h"
#include "cilk2gpu/Support/TypeSizes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2gpu;

bool PrivateEmitter::emitPrivateAlloca(LLVM::AllocaOp op) {
  const PrivateArrays::Array *array = arrays.find(op);
  if (!array)
    return false;
  Location loc = op.getLoc();
  Value rows = createAlloca(loc, LLVM::LLVMArrayType::get(builder.getI8Type(), array->size), length, 64);
  addresses[op] = {rows, array->granule, array->size, constant(loc, builder.getI64Type(), 0)};
  return true;
}

bool PrivateEmitter::emitPrivateAddress(LLVM::GEPOp op) {
  LaneAddress address = laneAddressOf(op.getBase());
  if (!address)
    return false;
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type();
  auto add = [&](Value term) {
    Value offset = address.offset;
    if (isa<VectorType>(term.getType()) != address.varies())
      address.varies() ? term = splat(loc, term) : offset = splat(loc, offset);
    address.offset = LLVM::AddOp::create(builder, loc, offset, term);
  };
  SmallVector<AddressTerm> terms = *displacement(op, dataLayout);
  for (const AddressTerm &term : terms) {
    if (!term.index) {
      address = advanced(loc, address, term.stride);
      continue;
    }
    bool isVector = varies(term.index);
    Value index = isVector ? vector(term.index) : scalar(term.index);
    Type type = isVector ? vectorOf(i64) : i64;
    unsigned width = term.index.getType().getIntOrFloatBitWidth();
    if (width < 64)
      index = LLVM::SExtOp::create(builder, loc, type, index);
    Value stride = isVector ? splatConstant(loc, i64, term.stride) : constant(loc, i64, term.stride);
    add(LLVM::MulOp::create(builder, loc, index, stride));
  }
  addresses[op] = address;
  return true;
}

LaneAddress PrivateEmitter::advanced(Location loc, const LaneAddress &address, int64_t bytes) {
  if (bytes == 0)
    return address;
  Type i64 = builder.getI64Type();
  Value more = address.varies() ? splatConstant(loc, i64, bytes) : constant(loc, i64, bytes);
  return {address.rows, address.granule, address.size, LLVM::AddOp::create(builder, loc, address.offset, more)};
}

/// Returns the address at which the row of the element at `offset` begins.
Value PrivateEmitter::rowAddress(Location loc, const LaneAddress &address, Value at) {
  return offset(loc, address.rows, at, length);
}

Value PrivateEmitter::elementAddress(Location loc, const LaneAddress &address, Value at, Value number) {
  return offset(loc, rowAddress(loc, address, at), number, address.granule);
}

/// Joins pieces of `granule` bytes, the lowest first, to values of `type`.
Value PrivateEmitter::combine(Location loc, Type type, ArrayRef<Value> pieces, uint64_t granule) {
  Type whole = builder.getIntegerType(pieces.size() * granule * 8);
  Value value = pieces.front();
  if (pieces.size() > 1)
    value = LLVM::ZExtOp::create(builder, loc, vectorOf(whole), value);
  for (auto [index, piece] : llvm::enumerate(pieces.drop_front())) {
    Value wide = LLVM::ZExtOp::create(builder, loc, vectorOf(whole), piece);
    Value moved = LLVM::ShlOp::create(builder, loc, wide, splatConstant(loc, whole, (index + 1) * granule * 8));
    value = LLVM::OrOp::create(builder, loc, value, moved);
  }
  return ofType(loc, value, type);
}

SmallVector<Value> PrivateEmitter::pieces(Location loc, Value value, uint64_t granule) {
  value = integers(loc, value);
  Type whole = cast<VectorType>(value.getType()).getElementType(), piece = builder.getIntegerType(granule * 8);
  unsigned width = whole.getIntOrFloatBitWidth();
  if (whole == piece)
    return {value};
  SmallVector<Value> result;
  for (unsigned bit = 0; bit < width; bit += granule * 8) {
    Value moved = bit ? LLVM::LShrOp::create(builder, loc, value, splatConstant(loc, whole, bit)).getResult() : value;
    result.push_back(LLVM::TruncOp::create(builder, loc, vectorOf(piece), moved));
  }
  return result;
}

/// Emits the assumption that an access of `size` bytes at a uniform offset is within the array. It bounds loop
/// counters.
void PrivateEmitter::assumeInside(Location loc, const LaneAddress &address, uint64_t size) {
  if (matchPattern(address.offset, m_Constant()))
    return;
  Value end = constant(loc, builder.getI64Type(), int64_t(address.size - size));
  LLVM::AssumeOp::create(builder, loc,
                         LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule, address.offset, end));
}

Value PrivateEmitter::loadRows(Location loc, Type type, const LaneAddress &address) {
  uint64_t size = storeSize(dataLayout, type);
  assumeInside(loc, address, size);
  Type piece = builder.getIntegerType(address.granule * 8);
  unsigned align = std::min<uint64_t>(64, address.granule * length);
  SmallVector<Value> rows;
  for (uint64_t at = 0; at < size; at += address.granule)
    rows.push_back(LLVM::LoadOp::create(builder, loc, vectorOf(piece),
                                        rowAddress(loc, address, advanced(loc, address, at).offset), align));
  return combine(loc, type, rows, address.granule);
}

void PrivateEmitter::storeRows(Location loc, Value value, const LaneAddress &address) {
  Type type = cast<VectorType>(value.getType()).getElementType();
  assumeInside(loc, address, storeSize(dataLayout, type));
  unsigned align = std::min<uint64_t>(64, address.granule * length);
  for (auto [index, piece] : llvm::enumerate(pieces(loc, value, address.granule))) {
    Value row = rowAddress(loc, address, advanced(loc, address, index * address.granule).offset);
    // The elements of lanes beyond the wavefront's last lane are never read.
    if (mask == blockMask)
      LLVM::StoreOp::create(builder, loc, piece, row, align);
    else if (hasMasks())
      LLVM::MaskedStoreOp::create(builder, loc, piece, row, mask, builder.getI32IntegerAttr(align));
    else
      unmasked.storeBlended(loc, piece, row, mask, align);
  }
}

Value PrivateEmitter::elementAddresses(Location loc, const LaneAddress &address) {
  return elementAddress(loc, address, address.offset, laneNumbers(loc, builder.getI64Type()));
}

Value PrivateEmitter::loadElements(Location loc, Type type, const LaneAddress &address) {
  uint64_t size = storeSize(dataLayout, type);
  Type piece = builder.getIntegerType(address.granule * 8);
  SmallVector<Value> elements;
  for (uint64_t at = 0; at < size; at += address.granule)
    elements.push_back(laneMemory.gather(loc, piece, elementAddresses(loc, advanced(loc, address, at)), mask,
                                         unsigned(address.granule)));
  return combine(loc, type, elements, address.granule);
}

void PrivateEmitter::storeElements(Location loc, Value value, const LaneAddress &address) {
  for (auto [index, piece] : llvm::enumerate(pieces(loc, value, address.granule)))
    laneMemory.scatter(loc, piece, elementAddresses(loc, advanced(loc, address, index * address.granule)), mask,
                       unsigned(address.granule));
}

/// Emits a branch for offsets that may differ from lane to lane: `shared` for lanes with one offset, `apart` for lanes
/// with different offsets. Both yield the results, if there are any.
SmallVector<Value> PrivateEmitter::whereShared(Location loc, const LaneAddress &address, TypeRange results,
                                               llvm::function_ref<SmallVector<Value>(const LaneAddress &)> shared,
                                               llvm::function_ref<SmallVector<Value>()> apart) {
  Value number = LLVM::CountTrailingZerosOp::create(builder, loc, builder.getIntegerType(length), bitsOf(loc, mask),
                                                    /*is_zero_poison=*/true);
  Value first = LLVM::ExtractElementOp::create(builder, loc, address.offset, number);
  Value same = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, address.offset, splat(loc, first));
  Value differ = any(loc, maskAndNot(loc, mask, same));
  Block *from = builder.getInsertionBlock();
  Block *join = builder.createBlock(&func.getBody(), std::next(from->getIterator()), results,
                                    SmallVector<Location>(results.size(), loc));
  Block *together = builder.createBlock(join);
  LLVM::BrOp::create(builder, loc, shared({address.rows, address.granule, address.size, first}), join);
  Block *each = builder.createBlock(join);
  LLVM::BrOp::create(builder, loc, apart(), join);
  builder.setInsertionPointToEnd(from);
  LLVM::CondBrOp::create(builder, loc, differ, each, together);
  builder.setInsertionPointToEnd(join);
  return SmallVector<Value>(join->getArguments().begin(), join->getArguments().end());
}

Value PrivateEmitter::loadPrivate(Location loc, Type type, const LaneAddress &address) {
  if (!address.varies())
    return loadRows(loc, type, address);
  return whereShared(
             loc, address, vectorOf(type),
             [&](const LaneAddress &row) { return SmallVector<Value>{loadRows(loc, type, row)}; },
             [&] { return SmallVector<Value>{loadElements(loc, type, address)}; })
      .front();
}

void PrivateEmitter::storePrivate(Location loc, Value value, const LaneAddress &address) {
  if (!address.varies())
    return storeRows(loc, value, address);
  whereShared(
      loc, address, {}, [&](const LaneAddress &row) { return storeRows(loc, value, row), SmallVector<Value>(); },
      [&] { return storeElements(loc, value, address), SmallVector<Value>(); });
}

/// Emits `body` for byte offsets 0, step, 2 * step, ... below `bytes`, in a loop if there are many.
void PrivateEmitter::repeat(Location loc, uint64_t bytes, uint64_t step, llvm::function_ref<void(Value)> body) {
  constexpr uint64_t kMostUnrolled = 16;
  Type i64 = builder.getI64Type();
  if (bytes <= kMostUnrolled * step) {
    for (uint64_t at = 0; at < bytes; at += step)
      body(constant(loc, i64, at));
    return;
  }
  Block *from = builder.getInsertionBlock();
  Block *loop = builder.createBlock(&func.getBody(), std::next(from->getIterator()), {i64}, {loc});
  builder.setInsertionPointToEnd(from);
  LLVM::BrOp::create(builder, loc, ValueRange(constant(loc, i64, 0)), loop);
  builder.setInsertionPointToEnd(loop);
  body(loop->getArgument(0));
  Value next = LLVM::AddOp::create(builder, loc, loop->getArgument(0), constant(loc, i64, step));
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, constant(loc, i64, bytes));
  Block *last = builder.getInsertionBlock();
  Block *exit = builder.createBlock(&func.getBody(), std::next(last->getIterator()));
  builder.setInsertionPointToEnd(last);
  LLVM::CondBrOp::create(builder, loc, more, loop, ValueRange(next), exit, ValueRange());
  builder.setInsertionPointToEnd(exit);
}

LaneAddress PrivateEmitter::advancedBy(Location loc, const LaneAddress &address, Value bytes) {
  Value more = address.varies() ? splat(loc, bytes) : bytes;
  return {address.rows, address.granule, address.size, LLVM::AddOp::create(builder, loc, address.offset, more)};
}

/// Copies between an array and other memory, lane after lane.
void PrivateEmitter::copyPerLane(Location loc, const LaneAddress &address, Value memory, uint64_t bytes,
                                 bool toMemory) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i64 = builder.getI64Type();
  Type element = builder.getIntegerType(address.granule * 8);
  bool apart = isa<VectorType>(memory.getType());
  Value pointers = apart ? spill(loc, memory) : memory;
  Value offsets = address.varies() ? spill(loc, address.offset) : address.offset;
  forEachLane(loc, mask, [&](Value number) {
    Value other = apart ? laneOf(loc, pointers, pointer, number) : memory;
    Value start = address.varies() ? laneOf(loc, offsets, i64, number) : offsets;
    repeat(loc, bytes, address.granule, [&](Value at) {
      Value mine = elementAddress(loc, address, LLVM::AddOp::create(builder, loc, start, at), number);
      Value its = offset(loc, other, at, 1);
      Value loaded = LLVM::LoadOp::create(builder, loc, element, toMemory ? mine : its, /*alignment=*/1);
      LLVM::StoreOp::create(builder, loc, loaded, toMemory ? its : mine, /*alignment=*/1);
    });
  });
}

static uint64_t constantBytes(Value length) {
  APInt bytes;
  matchPattern(length, m_ConstantInt(&bytes));
  return bytes.getZExtValue();
}

bool PrivateEmitter::emitPrivateCopy(LLVM::MemcpyOp op) {
  LaneAddress to = laneAddressOf(op.getDst()), from = laneAddressOf(op.getSrc());
  if (!to && !from)
    return false;
  Location loc = op.getLoc();
  uint64_t bytes = constantBytes(op.getLen());
  if (to && from) {
    Type element = builder.getIntegerType(to.granule * 8);
    repeat(loc, bytes, to.granule, [&](Value at) {
      storePrivate(loc, loadPrivate(loc, element, advancedBy(loc, from, at)), advancedBy(loc, to, at));
    });
    return true;
  }
  copyPerLane(loc, to ? to : from, scalar(to ? op.getSrc() : op.getDst()), bytes, /*toMemory=*/!to);
  return true;
}

bool PrivateEmitter::emitPrivateFill(LLVM::MemsetOp op) {
  LaneAddress address = laneAddressOf(op.getDst());
  if (!address)
    return false;
  Location loc = op.getLoc();
  Type element = builder.getIntegerType(address.granule * 8);
  Value byte = vector(op.getVal());
  SmallVector<Value> bytes(address.granule, byte);
  Value filled = combine(loc, element, bytes, 1);
  repeat(loc, constantBytes(op.getLen()), address.granule,
         [&](Value at) { storePrivate(loc, filled, advancedBy(loc, address, at)); });
  return true;
}
