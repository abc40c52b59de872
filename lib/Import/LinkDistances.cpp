// See LinkDistances.h.
#include "LinkDistances.h"

#include "OrdinaryCode.h"
#include "cilk2gpu/Support/Markers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace cilk2gpu;

/// Offsets of this size and more lead out of every grid.
static constexpr int64_t kOutside = int64_t(1) << 31;

//===-- Numbers ---------------------------------------------------------------------------------------------------===//

/// The number that a call of a marker returns; nothing if it is another instruction.
static std::optional<GridNumber> markedNumber(const Value &value) {
  auto *call = dyn_cast<CallInst>(&value);
  auto base = StringSwitch<GridNumber::Base>(call ? calleeName(*call) : "")
                  .Case(kBlockIdMarker, GridNumber::BlockId)
                  .Case(kGridDimMarker, GridNumber::GridDim)
                  .Default(GridNumber::None);
  if (base == GridNumber::None)
    return std::nullopt;
  auto dimension = static_cast<unsigned>(cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
  return GridNumber{.base = base, .dimension = dimension};
}

static std::optional<GridNumber> numberOf(const Value &value) {
  bool is64 = value.getType()->isIntegerTy(64);
  if (!is64 && !value.getType()->isIntegerTy(32))
    return std::nullopt;
  if (auto *constant = dyn_cast<ConstantInt>(&value)) {
    GridNumber number{.constant = constant->getSExtValue(), .width = is64 ? GridNumber::Bits64 : GridNumber::Bits32};
    return sumOf(number, GridNumber(), /*isDifference=*/false);
  }
  if (std::optional<GridNumber> marked = markedNumber(value))
    return marked;
  auto *inst = dyn_cast<Instruction>(&value);
  if (!inst || isa<PHINode>(inst))
    return std::nullopt;
  std::optional<GridNumber> left = inst->getNumOperands() ? numberOf(*inst->getOperand(0)) : std::nullopt;
  if (!left)
    return std::nullopt;
  switch (inst->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    if (std::optional<GridNumber> right = numberOf(*inst->getOperand(1)))
      return sumOf(*left, *right, inst->getOpcode() == Instruction::Sub);
    return std::nullopt;
  case Instruction::ZExt:
  case Instruction::SExt:
    return extended(*left, inst->getOpcode() == Instruction::SExt);
  case Instruction::Trunc:
    return truncated(*left);
  default:
    return std::nullopt;
  }
}

std::optional<bool> LinkDistances::evaluate(const Value &condition, Inside inside) {
  using namespace PatternMatch;
  if (auto *constant = dyn_cast<ConstantInt>(&condition))
    return !constant->isZero();
  const Value *left, *right;
  if (match(&condition, m_LogicalAnd(m_Value(left), m_Value(right))))
    return InsideParent::combine(/*isOr=*/false, evaluate(*left, inside), evaluate(*right, inside));
  if (match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return InsideParent::combine(/*isOr=*/true, evaluate(*left, inside), evaluate(*right, inside));
  if (match(&condition, m_Not(m_Value(left)))) {
    std::optional<bool> answer = evaluate(*left, inside);
    return answer ? std::optional<bool>(!*answer) : std::nullopt;
  }
  auto *compare = dyn_cast<ICmpInst>(&condition);
  if (!compare || !inside)
    return std::nullopt;
  std::optional<GridNumber> a = numberOf(*compare->getOperand(0)), b = numberOf(*compare->getOperand(1));
  return a && b ? inside->compare(compare->getPredicate(), *a, *b) : std::nullopt;
}

//===-- Functions -------------------------------------------------------------------------------------------------===//

static bool isMarker(const Instruction &inst) {
  return is_contained({StringRef(kBlockLinkMarker), StringRef(kBlockPolicyMarker)}, calleeName(inst));
}

/// What an instruction does that distances cannot stand for; null if it does nothing of that kind.
static const char *otherEffect(const Instruction &inst) {
  if (isMarker(inst) || inst.isTerminator())
    return isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(inst) || isMarker(inst)
               ? nullptr
               : "it has exceptions or computed branches";
  if (isa<CallBase>(inst) && (inst.mayHaveSideEffects() || inst.mayReadFromMemory()))
    return "it calls a function that the compiler does not see, or that has an effect of its own";
  if (inst.mayHaveSideEffects())
    return "it writes memory";
  return inst.mayReadFromMemory() ? "it reads memory, such as a captured variable or a global one" : nullptr;
}

std::string LinkDistances::checkInstructions() const {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(function, backEdges);
  if (!backEdges.empty())
    return "it has a loop whose number of iterations is not constant, or is large";
  for (const Instruction &inst : instructions(function))
    if (const char *effect = otherEffect(inst))
      return effect;
  return "";
}

bool LinkDistances::isReached(const Instruction &place, Inside inside) const {
  // Blocks are visited at most once, because there are no loops: all of them must come to the place.
  SmallSetVector<const BasicBlock *, 16> visited;
  visited.insert(&function.getEntryBlock());
  for (unsigned i = 0; i < visited.size(); ++i) {
    if (visited[i] == place.getParent())
      continue;
    const Instruction *terminator = visited[i]->getTerminator();
    if (terminator->getNumSuccessors() == 0)
      return false;
    auto *branch = dyn_cast<BranchInst>(terminator);
    std::optional<bool> answer =
        branch && branch->isConditional() ? evaluate(*branch->getCondition(), inside) : std::nullopt;
    if (answer)
      visited.insert(branch->getSuccessor(*answer ? 0 : 1));
    else
      visited.insert_range(successors(visited[i]));
  }
  return true;
}

std::string LinkDistances::addParent(const CallInst &link) {
  BlockOffset offset = {};
  uint32_t rows = 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    std::optional<GridNumber> number = numberOf(*link.getArgOperand(dimension));
    bool isDistance = number && number->base == GridNumber::BlockId && number->dimension == dimension;
    bool isConstant = number && number->base == GridNumber::None;
    if (!isDistance && !isConstant)
      return "a coordinate of a parent is not the block's own coordinate plus a constant";
    if (isDistance && std::abs(number->constant) >= kOutside)
      return ""; // there is no such parent
    if (isDistance)
      offset[dimension] = number->constant;
    else if (number->constant == 0 || number->constant == 1) // 1 means 0 where the extent is 1
      rows |= 1u << dimension;
    else
      return "a parent has a constant coordinate";
  }
  if (!leadsToSmallerID(offset))
    return "a parent's block ID is not smaller than the block's";
  InsideParent inside(offset);
  if (!isReached(link, &inside))
    return "a condition may keep out a parent that is inside of the grid";
  rowMask |= rows;
  if (!is_contained(found, offset))
    found.push_back(offset);
  return found.size() > kMostLinkDistances ? "it names too many parents" : "";
}

std::string LinkDistances::addPolicy(const CallInst &marker) {
  auto *kind = dyn_cast<ConstantInt>(marker.getArgOperand(0)), *bound = dyn_cast<ConstantInt>(marker.getArgOperand(1));
  if (!kind || !bound || kind->getZExtValue() > 1) // LRR or LVL
    return "its policy is not constant";
  LinkPolicy policy{
      .isGiven = true, .kind = static_cast<uint32_t>(kind->getZExtValue()), .bound = bound->getSExtValue()};
  if (chosen.isGiven && (chosen.kind != policy.kind || chosen.bound != policy.bound))
    return "it sets two policies";
  chosen = policy;
  return isReached(marker, nullptr) ? "" : "it sets the policy under a condition";
}

std::string LinkDistances::run() {
  std::string reason = checkInstructions();
  for (const Instruction &inst : instructions(function)) {
    if (!reason.empty())
      return reason;
    if (calleeName(inst) == kBlockLinkMarker)
      reason = addParent(cast<CallInst>(inst));
    else if (calleeName(inst) == kBlockPolicyMarker)
      reason = addPolicy(cast<CallInst>(inst));
  }
  return reason;
}
