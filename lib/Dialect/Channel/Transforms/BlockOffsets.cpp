// See BlockOffsets.h.
#include "BlockOffsets.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace cilk2gpu;
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

static std::optional<GridNumber> numberOf(Value value) {
  value = sourceOf(value);
  APInt constant;
  if (!value.getType().isInteger(32))
    return std::nullopt;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return GridNumber{.constant = constant.getSExtValue()};
  if (auto id = value.getDefiningOp<BlockIdOp>())
    return GridNumber{.base = GridNumber::BlockId, .dimension = static_cast<unsigned>(id.getDimension())};
  if (auto dim = value.getDefiningOp<GridDimOp>())
    return GridNumber{.base = GridNumber::GridDim, .dimension = static_cast<unsigned>(dim.getDimension())};
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<LLVM::AddOp, LLVM::SubOp>(op))
    return std::nullopt;
  std::optional<GridNumber> left = numberOf(op->getOperand(0)), right = numberOf(op->getOperand(1));
  return left && right ? sumOf(*left, *right, isa<LLVM::SubOp>(op)) : std::nullopt;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Conditions
//===--------------------------------------------------------------------------------------------------------------===//

static llvm::CmpInst::Predicate predicateOf(LLVM::ICmpPredicate predicate) {
  switch (predicate) {
  case LLVM::ICmpPredicate::eq:
    return llvm::CmpInst::ICMP_EQ;
  case LLVM::ICmpPredicate::ne:
    return llvm::CmpInst::ICMP_NE;
  case LLVM::ICmpPredicate::slt:
    return llvm::CmpInst::ICMP_SLT;
  case LLVM::ICmpPredicate::sle:
    return llvm::CmpInst::ICMP_SLE;
  case LLVM::ICmpPredicate::sgt:
    return llvm::CmpInst::ICMP_SGT;
  case LLVM::ICmpPredicate::sge:
    return llvm::CmpInst::ICMP_SGE;
  case LLVM::ICmpPredicate::ult:
    return llvm::CmpInst::ICMP_ULT;
  case LLVM::ICmpPredicate::ule:
    return llvm::CmpInst::ICMP_ULE;
  case LLVM::ICmpPredicate::ugt:
    return llvm::CmpInst::ICMP_UGT;
  case LLVM::ICmpPredicate::uge:
    return llvm::CmpInst::ICMP_UGE;
  }
  llvm_unreachable("a predicate of integers");
}

/// The answer of an i1 for all blocks that `inside` knows; nothing if it is not known, or differs.
static std::optional<bool> evaluate(const InsideParent &inside, Value condition) {
  condition = sourceOf(condition);
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return !constant.isZero();
  Operation *op = condition.getDefiningOp();
  if (auto icmp = dyn_cast_or_null<LLVM::ICmpOp>(op)) {
    std::optional<GridNumber> left = numberOf(icmp.getLhs()), right = numberOf(icmp.getRhs());
    return left && right ? inside.compare(predicateOf(icmp.getPredicate()), *left, *right) : std::nullopt;
  }
  if (!isa_and_nonnull<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp>(op))
    return std::nullopt;
  std::optional<bool> left = evaluate(inside, op->getOperand(0)), right = evaluate(inside, op->getOperand(1));
  if (isa<LLVM::XOrOp>(op))
    return left && right ? std::optional<bool>(*left != *right) : std::nullopt;
  return InsideParent::combine(isa<LLVM::OrOp>(op), left, right);
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
  if (number->base == GridNumber::BlockId && number->dimension == static_cast<unsigned>(dimension))
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
    std::optional<bool> answer = branch ? evaluate(inside, branch.getCondition()) : std::nullopt;
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
  if (!leadsToSmallerID(offset))
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
