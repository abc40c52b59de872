// See RowEmitter.h. The address of a row is computed by scalars, for one lane.
#include "RowEmitter.h"

#include "cilk2gpu/Support/TypeSizes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2gpu;

//===-- Values of one lane ----------------------------------------------------------------------------------------===//

/// Returns first + stride * lane.
Value RowEmitter::advanced(Location loc, Value first, int64_t stride, Value lane) {
  Type i64 = builder.getI64Type();
  Value distance = LLVM::MulOp::create(builder, loc, lane, constant(loc, i64, stride));
  if (isa<LLVM::LLVMPointerType>(first.getType()))
    return LLVM::GEPOp::create(builder, loc, first.getType(), builder.getI8Type(), first,
                               ArrayRef<LLVM::GEPArg>{distance});
  if (first.getType() != i64)
    distance = LLVM::TruncOp::create(builder, loc, first.getType(), distance);
  return LLVM::AddOp::create(builder, loc, first, distance);
}

/// Computes an even value for one lane, which need not be active. So no operation promises that it does not overflow.
Value RowEmitter::valueAt(Location loc, Value value, Value lane) {
  if (!varies(value))
    return scalar(value);
  if (Value first = firsts.lookup(value))
    return advanced(loc, first, *strides.strideOf(value), lane);
  auto at = [&](Value operand) { return valueAt(loc, operand, lane); };
  Type type = value.getType();
  return llvm::TypeSwitch<Operation *, Value>(value.getDefiningOp())
      .Case<lane::ThreadOp>([&](auto) { return advanced(loc, row.firstThread, 1, lane); })
      .Case<LLVM::AddOp, LLVM::OrOp>(
          [&](auto op) { return LLVM::AddOp::create(builder, loc, at(op.getLhs()), at(op.getRhs())); })
      .Case<LLVM::SubOp>([&](auto op) { return LLVM::SubOp::create(builder, loc, at(op.getLhs()), at(op.getRhs())); })
      .Case<LLVM::MulOp>([&](auto op) { return LLVM::MulOp::create(builder, loc, at(op.getLhs()), at(op.getRhs())); })
      .Case<LLVM::ShlOp>([&](auto op) { return LLVM::ShlOp::create(builder, loc, at(op.getLhs()), at(op.getRhs())); })
      .Case<LLVM::ZExtOp>([&](auto op) { return LLVM::ZExtOp::create(builder, loc, type, at(op.getArg())); })
      .Case<LLVM::SExtOp>([&](auto op) { return LLVM::SExtOp::create(builder, loc, type, at(op.getArg())); })
      .Case<LLVM::FreezeOp>([&](auto op) { return at(op.getVal()); })
      .Case<LLVM::GEPOp>([&](LLVM::GEPOp op) {
        SmallVector<LLVM::GEPArg> indices;
        for (auto index : op.getIndices()) {
          if (auto variable = dyn_cast<Value>(index))
            indices.push_back(at(variable));
          else
            indices.push_back(int32_t(cast<IntegerAttr>(index).getInt()));
        }
        return LLVM::GEPOp::create(builder, loc, type, op.getElemType(), at(op.getBase()), indices);
      });
}

/// Returns the numbers of the first and of the last active lane.
std::pair<Value, Value> RowEmitter::outerLanes(Location loc) {
  Type i64 = builder.getI64Type();
  Value lastLane = constant(loc, i64, length - 1);
  if (mask == blockMask) {
    Value count = LLVM::UMinOp::create(builder, loc, remaining, constant(loc, i64, length));
    return {constant(loc, i64, 0), LLVM::SubOp::create(builder, loc, count, constant(loc, i64, 1))};
  }
  Type bitsType = builder.getIntegerType(length);
  auto wide = [&](Value number) {
    return length < 64 ? LLVM::ZExtOp::create(builder, loc, i64, number).getResult() : number;
  };
  Value bits = bitsOf(loc, mask);
  Value before = LLVM::CountTrailingZerosOp::create(builder, loc, bitsType, bits, /*is_zero_poison=*/true);
  Value behind = LLVM::CountLeadingZerosOp::create(builder, loc, bitsType, bits, /*is_zero_poison=*/true);
  return {wide(before), LLVM::SubOp::create(builder, loc, lastLane, wide(behind))};
}

/// Returns true if no value wraps around between the first and the last active lane before its conversion.
Value RowEmitter::haveEvenValues(Location loc, ArrayRef<Value> conversions, Value first, Value last) {
  Value distance = LLVM::SubOp::create(builder, loc, last, first), all;
  for (Value wide : conversions) {
    Value found = valueAt(loc, wide, last);
    Value expected = advanced(loc, valueAt(loc, wide, first), *strides.strideOf(wide), distance);
    Value isEven = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, found, expected);
    all = all ? LLVM::AndOp::create(builder, loc, all, isEven).getResult() : isEven;
  }
  return all;
}

//===-- Accesses --------------------------------------------------------------------------------------------------===//

/// Returns the row of elements of `size` bytes that the lanes access at `address`, or nothing if they are no
/// neighbours.
std::optional<RowEmitter::Row> RowEmitter::rowAt(Location loc, Value address, uint64_t size) {
  std::optional<int64_t> stride = strides.strideOf(address);
  if (!stride || (*stride != int64_t(size) && *stride != -int64_t(size)))
    return std::nullopt;
  SmallVector<Value> conversions = strides.conversionsOf(address);
  Row found = {.address = {}, .isRow = {}, .isDescending = *stride < 0};
  Value lane = constant(loc, builder.getI64Type(), 0);
  if (!conversions.empty()) {
    auto [first, last] = outerLanes(loc);
    found.isRow = haveEvenValues(loc, conversions, first, last);
    lane = first;
  }
  Value end = found.isDescending ? constant(loc, builder.getI64Type(), length - 1) : Value();
  Value back = LLVM::SubOp::create(builder, loc, end ? end : constant(loc, builder.getI64Type(), 0), lane);
  found.address = advanced(loc, valueAt(loc, address, lane), *stride, back);
  return found;
}

bool RowEmitter::canMask(Type element) const {
  return hasMasks() || (vectorIsa.hasMaskedWords && storeSize(dataLayout, element) >= 4);
}

Value RowEmitter::isFull(Location loc) {
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, bitsOf(loc, mask),
                              constant(loc, builder.getIntegerType(length), -1));
}

Value RowEmitter::reversed(Location loc, Value vector) {
  SmallVector<int32_t> indices;
  for (unsigned lane = length; lane-- > 0;)
    indices.push_back(int32_t(lane));
  return LLVM::ShuffleVectorOp::create(builder, loc, vector, vector, indices);
}

bool RowEmitter::emitLoad(LLVM::LoadOp op) {
  Location loc = op.getLoc();
  Type element = op.getType(), type = vectorOf(element);
  std::optional<Row> found = rowAt(loc, op.getAddr(), storeSize(dataLayout, element));
  if (!found)
    return false;
  unsigned align = alignmentOf(op.getAlignment(), dataLayout, element);
  Value isRow = found->isRow;
  if (!canMask(element))
    isRow = isRow ? LLVM::AndOp::create(builder, loc, isRow, isFull(loc)).getResult() : isFull(loc);
  auto load = [&]() -> Value {
    Value lanes = found->isDescending ? reversed(loc, mask) : mask;
    Value loaded = canMask(element) ? LLVM::MaskedLoadOp::create(builder, loc, type, found->address, lanes,
                                                                 poison(loc, type), builder.getI32IntegerAttr(align),
                                                                 /*nontemporal=*/nullptr)
                                          .getResult()
                                    : LLVM::LoadOp::create(builder, loc, type, found->address, align).getResult();
    return found->isDescending ? reversed(loc, loaded) : loaded;
  };
  auto gather = [&] { return laneMemory.gather(loc, element, scalar(op.getAddr()), mask, align); };
  define(op, isRow ? choose(loc, isRow, type, /*isLikely=*/true, load, gather) : load());
  return true;
}

bool RowEmitter::emitStore(LLVM::StoreOp op) {
  Location loc = op.getLoc();
  Type element = op.getValue().getType();
  std::optional<Row> found = rowAt(loc, op.getAddr(), storeSize(dataLayout, element));
  if (!found)
    return false;
  unsigned align = alignmentOf(op.getAlignment(), dataLayout, element);
  Value isRow = found->isRow, value = vector(op.getValue());
  if (!canMask(element))
    isRow = isRow ? LLVM::AndOp::create(builder, loc, isRow, isFull(loc)).getResult() : isFull(loc);
  auto store = [&] {
    Value stored = found->isDescending ? reversed(loc, value) : value;
    Value lanes = found->isDescending ? reversed(loc, mask) : mask;
    if (canMask(element))
      LLVM::MaskedStoreOp::create(builder, loc, stored, found->address, lanes, builder.getI32IntegerAttr(align));
    else
      LLVM::StoreOp::create(builder, loc, stored, found->address, align);
  };
  auto scatter = [&] { laneMemory.scatter(loc, value, scalar(op.getAddr()), mask, align); };
  if (isRow)
    whereElse(loc, isRow, store, scatter);
  else
    store();
  return true;
}

//===-- Comparisons -----------------------------------------------------------------------------------------------===//

/// Returns the bits of the lanes with smaller numbers than `number`, which is unsigned. Bits behind the last lane may
/// be set.
Value RowEmitter::lanesBefore(Location loc, Value number) {
  Type i64 = builder.getI64Type();
  if (number.getType() != i64)
    number = LLVM::ZExtOp::create(builder, loc, i64, number);
  Value all = constant(loc, i64, -1);
  Value isInside = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, number, constant(loc, i64, 64));
  Value bits = LLVM::XOrOp::create(builder, loc, LLVM::ShlOp::create(builder, loc, all, number), all);
  return select(loc, isInside, bits, all);
}

/// Returns the bits of the lanes first, first + 1, ... first + count - 1. The numbers wrap around at the width of their
/// type.
Value RowEmitter::lanesOfInterval(Location loc, Value first, Value count) {
  Value end = LLVM::AddOp::create(builder, loc, first, count);
  Value before = lanesBefore(loc, end);
  Value behind = LLVM::XOrOp::create(builder, loc, lanesBefore(loc, first), constant(loc, builder.getI64Type(), -1));
  Value wraps = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, end, first);
  return select(loc, wraps, LLVM::OrOp::create(builder, loc, before, behind),
                LLVM::AndOp::create(builder, loc, before, behind));
}

namespace {

/// A comparison as the question whether a number is in an interval.
struct IntervalTest {
  enum Kind { Below, Above, Same } kind;
  bool isSigned, isNegated;
};

} // namespace

static IntervalTest testOf(LLVM::ICmpPredicate predicate) {
  using enum LLVM::ICmpPredicate;
  switch (predicate) {
  case eq:
    return {IntervalTest::Same, false, false};
  case ne:
    return {IntervalTest::Same, false, true};
  case slt:
    return {IntervalTest::Below, true, false};
  case sge:
    return {IntervalTest::Below, true, true};
  case ult:
    return {IntervalTest::Below, false, false};
  case uge:
    return {IntervalTest::Below, false, true};
  case sgt:
    return {IntervalTest::Above, true, false};
  case sle:
    return {IntervalTest::Above, true, true};
  case ugt:
    return {IntervalTest::Above, false, false};
  case ule:
    return {IntervalTest::Above, false, true};
  }
  llvm_unreachable("no such comparison");
}

bool RowEmitter::emitCompare(LLVM::ICmpOp op) {
  constexpr unsigned kFewestRegisters = 3; // a vector compares one register in one instruction
  Value value = op.getLhs(), bound = op.getRhs();
  std::optional<int64_t> stride = strides.strideOf(value);
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!hasMasks() || !stride || (*stride != 1 && *stride != -1) || varies(bound) || !type || type.getWidth() < 8 ||
      type.getWidth() > 64 || length * type.getWidth() < kFewestRegisters * vectorIsa.bits ||
      !strides.conversionsOf(value).empty())
    return false;
  Location loc = op.getLoc();
  auto sum = [&](Value a, Value b) -> Value { return LLVM::AddOp::create(builder, loc, a, b); };
  auto difference = [&](Value a, Value b) -> Value { return LLVM::SubOp::create(builder, loc, a, b); };
  IntervalTest test = testOf(op.getPredicate());
  Value zero = constant(loc, type, 0), one = constant(loc, type, 1);
  Value start = firstOf(loc, value), limit = scalar(bound);
  if (test.isSigned) { // as unsigned numbers in the same order
    Value least = LLVM::ConstantOp::create(builder, loc, type,
                                           builder.getIntegerAttr(type, APInt::getSignedMinValue(type.getWidth())));
    start = sum(start, least);
    limit = sum(limit, least);
  }
  // The numbers low, low + 1, ... low + count - 1.
  bool isBelow = test.kind == IntervalTest::Below, isSame = test.kind == IntervalTest::Same;
  Value low = isBelow ? zero : isSame ? limit : sum(limit, one);
  Value count = isBelow ? limit : isSame ? one : difference(zero, low);
  Value first = *stride == 1 ? difference(low, start) : difference(sum(start, one), sum(low, count));
  Value bits = lanesOfInterval(loc, first, count);
  if (test.isNegated)
    bits = LLVM::XOrOp::create(builder, loc, bits, constant(loc, builder.getI64Type(), -1));
  if (length < 64)
    bits = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(length), bits);
  define(op, LLVM::BitcastOp::create(builder, loc, vectorOf(builder.getI1Type()), bits));
  return true;
}
