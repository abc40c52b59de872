// See BlockOffsets.h.
#include "BlockOffsets.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace cilk2gpu::channel;

//===--------------------------------------------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------------------------------------------===//

/// The value behind arguments of blocks that have one predecessor.
static Value sourceOf(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    Block *block = argument.getOwner();
    auto first = block->pred_begin();
    if (first == block->pred_end() || std::next(first) != block->pred_end())
      return value;
    auto branch = dyn_cast<BranchOpInterface>((*first)->getTerminator());
    Value given = branch ? branch.getSuccessorOperands(first.getSuccessorIndex())[argument.getArgNumber()] : Value();
    if (!given)
      return value;
    value = given;
  }
  return value;
}

/// Sums wrap around, as those of the program do.
static int32_t wrapped(int64_t number) { return static_cast<int32_t>(static_cast<uint64_t>(number)); }

static std::optional<GridNumber> numberOf(Value value) {
  value = sourceOf(value);
  APInt constant;
  if (!value.getType().isInteger(32))
    return std::nullopt;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return GridNumber{.constant = wrapped(constant.getSExtValue())};
  if (auto id = value.getDefiningOp<BlockIdOp>())
    return GridNumber{.base = GridNumber::BlockId, .dimension = id.getDimension()};
  if (auto dim = value.getDefiningOp<GridDimOp>())
    return GridNumber{.base = GridNumber::GridDim, .dimension = dim.getDimension()};
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<LLVM::AddOp, LLVM::SubOp>(op))
    return std::nullopt;
  std::optional<GridNumber> left = numberOf(op->getOperand(0)), right = numberOf(op->getOperand(1));
  bool adds = isa<LLVM::AddOp>(op);
  if (adds && left && left->base == GridNumber::None)
    std::swap(left, right);
  if (!left || !right || right->base != GridNumber::None)
    return std::nullopt;
  left->constant = wrapped(int64_t(left->constant) + (adds ? int64_t(right->constant) : -int64_t(right->constant)));
  return left;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Conditions
//===--------------------------------------------------------------------------------------------------------------===//

/// Largest extent of a grid.
static constexpr int64_t kMostBlocks = INT32_MAX;

/// With a parent at distance c inside: x >= max(0, -c), and G - x > max(0, c).
Interval InsideParent::rangeOf(const GridNumber &number) const {
  if (number.base == GridNumber::None)
    return {number.constant, number.constant};
  int64_t distance = offset[static_cast<unsigned>(number.dimension)];
  int64_t first = std::max<int64_t>(0, -distance), behind = 1 + std::max<int64_t>(0, distance);
  if (number.base == GridNumber::BlockId)
    return {first + number.constant, kMostBlocks - behind + number.constant};
  return {first + behind + number.constant, kMostBlocks + number.constant};
}

/// The interval of `left - right`, as integers.
Interval InsideParent::differenceOf(const GridNumber &left, const GridNumber &right) const {
  int64_t constants = int64_t(left.constant) - right.constant;
  bool sameDimension = left.dimension == right.dimension;
  if (left.base == right.base && (left.base == GridNumber::None || sameDimension))
    return {constants, constants};
  Interval a = rangeOf(left), b = rangeOf(right), range{a.least - b.most, a.most - b.least};
  int64_t behind = 1 + std::max<int64_t>(0, offset[static_cast<unsigned>(left.dimension)]);
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

/// Numbers compare as integers where their 32 bits hold them: as signed or as unsigned numbers.
static bool fits(Interval range, bool isSigned) {
  return isSigned ? range.least >= INT32_MIN && range.most <= INT32_MAX : range.least >= 0 && range.most <= UINT32_MAX;
}

std::optional<bool> InsideParent::compare(LLVM::ICmpOp compare) const {
  using Predicate = LLVM::ICmpPredicate;
  std::optional<GridNumber> left = numberOf(compare.getLhs()), right = numberOf(compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  Predicate predicate = compare.getPredicate();
  bool isSigned = llvm::is_contained({Predicate::slt, Predicate::sle, Predicate::sgt, Predicate::sge}, predicate);
  bool isEquality = predicate == Predicate::eq || predicate == Predicate::ne;
  // A constant of 32 bits is one integer as a signed number, and perhaps another one as an unsigned number.
  for (GridNumber *number : {&*left, &*right})
    if (!fits(rangeOf(*number), isSigned || isEquality))
      return std::nullopt;
  Interval difference = differenceOf(*left, *right);
  switch (predicate) {
  case Predicate::eq:
    return isEqual(difference);
  case Predicate::ne:
    return inverted(isEqual(difference));
  case Predicate::slt:
  case Predicate::ult:
    return isBelow(difference, /*orEqual=*/false);
  case Predicate::sle:
  case Predicate::ule:
    return isBelow(difference, /*orEqual=*/true);
  case Predicate::sgt:
  case Predicate::ugt:
    return inverted(isBelow(difference, /*orEqual=*/true));
  case Predicate::sge:
  case Predicate::uge:
    return inverted(isBelow(difference, /*orEqual=*/false));
  }
  return std::nullopt;
}

std::optional<bool> InsideParent::evaluate(Value condition) const {
  condition = sourceOf(condition);
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return !constant.isZero();
  Operation *op = condition.getDefiningOp();
  if (auto icmp = dyn_cast_or_null<LLVM::ICmpOp>(op))
    return compare(icmp);
  if (!isa_and_nonnull<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp>(op))
    return std::nullopt;
  std::optional<bool> left = evaluate(op->getOperand(0)), right = evaluate(op->getOperand(1));
  if (isa<LLVM::XOrOp>(op))
    return left && right ? std::optional<bool>(*left != *right) : std::nullopt;
  bool decisive = isa<LLVM::OrOp>(op);
  if (left == decisive || right == decisive)
    return decisive;
  return left && right ? std::optional<bool>(!decisive) : std::nullopt;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Links
//===--------------------------------------------------------------------------------------------------------------===//

/// Returns whether a block can be reached from itself.
static bool hasLoop(LLVM::LLVMFuncOp function) {
  for (Block &block : function.getBody()) {
    llvm::SetVector<Block *> reached(block.succ_begin(), block.succ_end());
    for (size_t i = 0; i < reached.size(); ++i)
      reached.insert(reached[i]->succ_begin(), reached[i]->succ_end());
    if (reached.contains(&block))
      return true;
  }
  return false;
}

std::string BlockOffsets::checkOperations() {
  if (links.isExternal())
    return "the function is only declared";
  if (hasLoop(links))
    return "the function has a loop";
  for (Block &block : links.getBody())
    for (Operation &op : block)
      if (!isa<LinkOp, LLVM::ReturnOp, LLVM::BrOp, LLVM::CondBrOp>(op) && !isMemoryEffectFree(&op))
        return "the function has more than links, conditions and sums: '" + op.getName().getStringRef().str() + "'";
  return "";
}

/// The distance of a parent's coordinate from the block's; nothing if it is not constant.
std::optional<int64_t> BlockOffsets::distanceAlong(Value coordinate, Dimension dimension) const {
  std::optional<GridNumber> number = numberOf(coordinate);
  if (!number)
    return std::nullopt;
  if (number->base == GridNumber::BlockId && number->dimension == dimension)
    return number->constant;
  bool isOnly = isRow[static_cast<unsigned>(dimension)] && number->base == GridNumber::None && !number->constant;
  return isOnly ? std::optional<int64_t>(0) : std::nullopt;
}

/// Returns whether each block for which `inside` knows the conditions comes to `link`.
bool BlockOffsets::isReached(LinkOp link, const InsideParent &inside) {
  // Blocks are visited at most once, because there are no loops: all of them must come to the link.
  llvm::SetVector<Block *> visited;
  visited.insert(&links.getBody().front());
  for (size_t i = 0; i < visited.size(); ++i) {
    if (visited[i] == link->getBlock())
      continue;
    Operation *terminator = visited[i]->getTerminator();
    if (terminator->getNumSuccessors() == 0)
      return false;
    auto branch = dyn_cast<LLVM::CondBrOp>(terminator);
    std::optional<bool> answer = branch ? inside.evaluate(branch.getCondition()) : std::nullopt;
    if (answer)
      visited.insert(*answer ? branch.getTrueDest() : branch.getFalseDest());
    else
      visited.insert(terminator->getSuccessors().begin(), terminator->getSuccessors().end());
  }
  return true;
}

std::string BlockOffsets::add(LinkOp link) {
  BlockOffset offset;
  for (auto [number, coordinate] : llvm::enumerate(link.getOperands())) {
    auto dimension = static_cast<Dimension>(number);
    std::optional<int64_t> distance = distanceAlong(coordinate, dimension);
    if (!distance)
      return "a parent's " + stringifyDimension(dimension).str() + " is not the block's own plus a constant";
    offset[number] = *distance;
  }
  int64_t last = offset[2] ? offset[2] : offset[1] ? offset[1] : offset[0];
  if (last >= 0)
    return "a parent's block ID is not smaller than the block's";
  if (!isReached(link, InsideParent(offset)))
    return "a condition may keep a parent out that is inside of the grid";
  if (!llvm::is_contained(found, offset))
    found.push_back(offset);
  return "";
}

std::string BlockOffsets::run() {
  std::string reason = checkOperations();
  if (reason.empty())
    links.walk([&](LinkOp link) {
      reason = add(link);
      return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
    });
  return reason;
}
