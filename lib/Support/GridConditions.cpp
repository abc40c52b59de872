// See GridConditions.h.
#include "cilk2gpu/Support/GridConditions.h"

#include "llvm/ADT/STLExtras.h"

using namespace cilk2gpu;

//===--------------------------------------------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------------------------------------------===//

/// Largest extent of a grid.
static constexpr int64_t kMostBlocks = INT32_MAX;

/// Constants of 64 bits beyond this size are not followed, so that no computation here overflows.
static constexpr int64_t kMostConstant = int64_t(1) << 40;

/// Sums wrap around, as those of the program do. Returns nothing if `number` is too large to be followed.
static std::optional<GridNumber> wrapped(GridNumber number) {
  if (number.width == GridNumber::Bits32)
    number.constant = static_cast<int32_t>(static_cast<uint64_t>(number.constant));
  return std::abs(number.constant) <= kMostConstant ? std::optional(number) : std::nullopt;
}

std::optional<GridNumber> cilk2gpu::sumOf(GridNumber left, GridNumber right, bool isDifference) {
  if (!isDifference && left.base == GridNumber::None)
    std::swap(left, right);
  bool isOpen = left.width == GridNumber::Zext || left.width == GridNumber::Sext;
  if (right.base != GridNumber::None || (isOpen && right.constant))
    return std::nullopt;
  left.constant += isDifference ? -right.constant : right.constant;
  return wrapped(left);
}

std::optional<GridNumber> cilk2gpu::extended(GridNumber number, bool isSigned) {
  if (number.is64())
    return std::nullopt;
  bool isExact = number.base == GridNumber::None ? isSigned || number.constant >= 0 : number.constant == 0;
  number.width = isExact ? GridNumber::Bits64 : isSigned ? GridNumber::Sext : GridNumber::Zext;
  if (number.base == GridNumber::None && !isExact) {
    number.width = GridNumber::Bits64;
    number.constant = static_cast<uint32_t>(number.constant);
  }
  return number;
}

std::optional<GridNumber> cilk2gpu::truncated(GridNumber number) {
  if (!number.is64())
    return std::nullopt;
  number.width = GridNumber::Bits32;
  return wrapped(number);
}

bool cilk2gpu::leadsToSmallerID(const BlockOffset &offset) {
  return (offset[2] ? offset[2] : offset[1] ? offset[1] : offset[0]) < 0;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Conditions
//===--------------------------------------------------------------------------------------------------------------===//

/// With a parent at distance c inside: x >= max(0, -c), and G - x > max(0, c).
Interval InsideParent::rangeOf(const GridNumber &number) const {
  if (number.base == GridNumber::None)
    return {number.constant, number.constant};
  int64_t distance = offset[number.dimension];
  int64_t first = std::max<int64_t>(0, -distance), behind = 1 + std::max<int64_t>(0, distance);
  if (number.base == GridNumber::BlockId)
    return {first + number.constant, kMostBlocks - behind + number.constant};
  return {first + behind + number.constant, kMostBlocks + number.constant};
}

/// The interval of `left - right`, as integers.
Interval InsideParent::differenceOf(const GridNumber &left, const GridNumber &right) const {
  int64_t constants = left.constant - right.constant;
  bool sameDimension = left.dimension == right.dimension;
  if (left.base == right.base && (left.base == GridNumber::None || sameDimension))
    return {constants, constants};
  Interval a = rangeOf(left), b = rangeOf(right), range{a.least - b.most, a.most - b.least};
  int64_t behind = 1 + std::max<int64_t>(0, offset[left.dimension]);
  if (sameDimension && left.base == GridNumber::BlockId && right.base == GridNumber::GridDim)
    range.most = std::min(range.most, constants - behind);
  if (sameDimension && left.base == GridNumber::GridDim && right.base == GridNumber::BlockId)
    range.least = std::max(range.least, constants + behind);
  return range;
}

/// The answer of `difference < 0`, or of `difference <= 0`.
static std::optional<bool> isBelow(Interval difference, bool orEqual) {
  if (difference.most < orEqual)
    return true;
  return difference.least >= orEqual ? std::optional<bool>(false) : std::nullopt;
}

static std::optional<bool> isEqual(Interval difference) {
  if (difference.least == 0 && difference.most == 0)
    return true;
  return difference.least > 0 || difference.most < 0 ? std::optional<bool>(false) : std::nullopt;
}

static std::optional<bool> inverted(std::optional<bool> answer) {
  return answer ? std::optional<bool>(!*answer) : std::nullopt;
}

/// Returns whether `range` has numbers of 32 bits only, signed or unsigned ones.
static bool fits32(Interval range, bool isSigned) {
  return isSigned ? range.least >= INT32_MIN && range.most <= INT32_MAX : range.least >= 0 && range.most <= UINT32_MAX;
}

/// Returns whether the bits of a number in `range` are that integer, for comparisons as signed or as unsigned numbers.
static bool fits(const GridNumber &number, Interval range, bool isSigned) {
  switch (number.width) {
  case GridNumber::Bits32:
    return fits32(range, isSigned);
  case GridNumber::Bits64:
    return isSigned || range.least >= 0;
  case GridNumber::Zext:
    return fits32(range, /*isSigned=*/false);
  case GridNumber::Sext:
    return fits32(range, /*isSigned=*/true) && (isSigned || range.least >= 0);
  }
  return false;
}

std::optional<bool> InsideParent::compare(llvm::CmpInst::Predicate predicate, const GridNumber &left,
                                          const GridNumber &right) const {
  bool isSigned = llvm::CmpInst::isSigned(predicate) || llvm::CmpInst::isEquality(predicate);
  for (const GridNumber *number : {&left, &right})
    if (!fits(*number, rangeOf(*number), isSigned))
      return std::nullopt;
  Interval difference = differenceOf(left, right);
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return isEqual(difference);
  case llvm::CmpInst::ICMP_NE:
    return inverted(isEqual(difference));
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_ULT:
    return isBelow(difference, /*orEqual=*/false);
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_ULE:
    return isBelow(difference, /*orEqual=*/true);
  case llvm::CmpInst::ICMP_SGT:
  case llvm::CmpInst::ICMP_UGT:
    return inverted(isBelow(difference, /*orEqual=*/true));
  case llvm::CmpInst::ICMP_SGE:
  case llvm::CmpInst::ICMP_UGE:
    return inverted(isBelow(difference, /*orEqual=*/false));
  default:
    return std::nullopt;
  }
}

std::optional<bool> InsideParent::combine(bool isOr, std::optional<bool> left, std::optional<bool> right) {
  if (left == isOr || right == isOr)
    return isOr;
  return left && right ? std::optional<bool>(!isOr) : std::nullopt;
}
