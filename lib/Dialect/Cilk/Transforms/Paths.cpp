// A walk over blocks with a work list. See Paths.h.
#include "Paths.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace cilk2gpu;

std::optional<unsigned> cilk2gpu::successorOf(OpOperand &use) {
  auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
  if (!branch)
    return {};
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    OperandRange forwarded = branch.getSuccessorOperands(i).getForwardedOperands();
    unsigned first = forwarded.empty() ? 0 : forwarded.getBeginOperandIndex();
    if (use.getOperandNumber() >= first && use.getOperandNumber() < first + forwarded.size())
      return i;
  }
  return {};
}

void Points::add(OpOperand &use) {
  if (auto successor = successorOf(use))
    edges.insert({use.getOwner(), *successor});
  else
    ops.insert(use.getOwner());
}

void Points::addDefinition(Value value) {
  if (Operation *op = value.getDefiningOp())
    ops.insert(op);
  else
    blocks.insert(cast<BlockArgument>(value).getOwner());
}

namespace {

class Walk {
public:
  Walk(const Points &targets, const Points &barriers) : targets(targets), barriers(barriers) {}

  bool run(Operation *first) {
    bool found = scan(first);
    while (!found && !work.empty())
      found = scan(&work.pop_back_val()->front());
    return found;
  }

  /// Follows one edge. Returns true if the edge or the next block's entry is a target.
  bool follow(Operation *terminator, unsigned number) {
    Block *next = terminator->getSuccessor(number);
    if (targets.has(terminator, number))
      return true;
    if (barriers.has(terminator, number))
      return false;
    if (targets.has(next))
      return true;
    if (!barriers.has(next) && seen.insert(next).second)
      work.push_back(next);
    return false;
  }

private:
  bool scan(Operation *op) {
    for (; op; op = op->getNextNode()) {
      if (targets.has(op))
        return true;
      if (barriers.has(op))
        return false;
      for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
        if (follow(op, i))
          return true;
    }
    return false;
  }

  const Points &targets, &barriers;
  llvm::SmallPtrSet<Block *, 16> seen;
  SmallVector<Block *> work;
};

} // namespace

bool cilk2gpu::reachesFromStart(Block *from, const Points &targets, const Points &barriers) {
  return Walk(targets, barriers).run(&from->front());
}

bool cilk2gpu::reaches(Operation *from, const Points &targets, const Points &barriers) {
  return Walk(targets, barriers).run(from->getNextNode());
}

bool cilk2gpu::reaches(OpOperand &from, const Points &targets, const Points &barriers) {
  if (auto successor = successorOf(from)) {
    Block *next = from.getOwner()->getSuccessor(*successor);
    if (targets.has(next))
      return true;
    return !barriers.has(next) && reachesFromStart(next, targets, barriers);
  }
  return reaches(from.getOwner(), targets, barriers);
}

bool cilk2gpu::reaches(Value from, const Points &targets, const Points &barriers) {
  if (Operation *op = from.getDefiningOp())
    return reaches(op, targets, barriers);
  return reachesFromStart(cast<BlockArgument>(from).getOwner(), targets, barriers);
}
