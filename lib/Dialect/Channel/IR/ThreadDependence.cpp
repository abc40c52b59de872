// See ThreadDependence.h. Each step adds values and blocks to two sets, so that the steps come to an end.
#include "ThreadDependence.h"

#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace cilk2gpu::channel;

//===-- Meetings --------------------------------------------------------------------------------------------------===//

Meetings::Meetings(LLVM::LLVMFuncOp body) {
  for (Block &block : body.getBody())
    if (isa<LLVM::ReturnOp>(block.getTerminator()))
      addReturning(block);
  // A block's set: the block, and what stands in the sets of all its successors. It starts with all blocks.
  llvm::BitVector all(numbers.size(), true);
  behindBlocks.assign(numbers.size(), all);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [block, number] : numbers) {
      llvm::BitVector found = all;
      for (Block *successor : block->getSuccessors())
        if (auto next = numbers.find(successor); next != numbers.end())
          found &= behindBlocks[next->second];
      if (isa<LLVM::ReturnOp>(block->getTerminator()))
        found.reset();
      found.set(number);
      changed |= found != behindBlocks[number];
      behindBlocks[number] = found;
    }
  }
}

/// Numbers a block, and all blocks from which a path leads to it.
void Meetings::addReturning(Block &block) {
  SmallVector<Block *> work{&block};
  while (!work.empty()) {
    Block *next = work.pop_back_val();
    if (numbers.try_emplace(next, unsigned(numbers.size())).second)
      work.append(next->pred_begin(), next->pred_end());
  }
}

Block *Meetings::behind(Block &block) const {
  auto own = numbers.find(&block);
  if (own == numbers.end())
    return nullptr;
  llvm::BitVector candidates = behindBlocks[own->second];
  candidates.reset(own->second);
  // The nearest one has all others behind it.
  for (auto [other, number] : numbers)
    if (candidates.test(number) && behindBlocks[number].count() == candidates.count())
      return other;
  return nullptr;
}

//===-- Dependence ------------------------------------------------------------------------------------------------===//

ThreadDependence::ThreadDependence(LLVM::LLVMFuncOp body, ArrayRef<int64_t> threads)
    : threads(threads), meetings(body) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : body.getBody())
      for (Operation &op : block)
        changed |= visit(op);
  }
}

/// Returns whether the result differs between threads by itself.
bool ThreadDependence::isSource(Operation &op) const {
  auto id = dyn_cast<ThreadIdOp>(op);
  return id && threads[static_cast<uint32_t>(id.getDimension())] > 1;
}

bool ThreadDependence::visit(Operation &op) {
  auto depends = [&](Value operand) { return dependent.contains(operand); };
  bool changed = false;
  if (isSource(op) || llvm::any_of(op.getOperands(), depends))
    for (Value result : op.getResults())
      changed |= mark(result);
  return op.getNumSuccessors() ? visitBranch(op) || changed : changed;
}

/// Follows the operands that a branch hands to its successors. The other operands choose the successor.
bool ThreadDependence::visitBranch(Operation &op) {
  bool changed = false;
  llvm::DenseSet<OpOperand *> handed;
  auto branch = dyn_cast<BranchOpInterface>(op);
  for (unsigned i = 0; branch && i < op.getNumSuccessors(); ++i) {
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    for (OpOperand &operand : op.getOpOperands())
      if (std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(operand.getOperandNumber())) {
        handed.insert(&operand);
        if (dependent.contains(operand.get()))
          changed |= mark(*argument);
      }
  }
  auto chooses = [&](OpOperand &operand) { return !handed.contains(&operand) && dependent.contains(operand.get()); };
  if (op.getNumSuccessors() > 1 && llvm::any_of(op.getOpOperands(), chooses))
    changed |= markDivergent(op);
  return changed;
}

/// Marks the blocks between a branch and the block where all its paths meet, and what the paths choose.
bool ThreadDependence::markDivergent(Operation &branch) {
  Block *meeting = meetings.behind(*branch.getBlock()); // null: the paths do not meet again
  bool changed = false;
  llvm::SetVector<Block *> between;
  auto follow = [&](Operation *from) {
    for (Block *successor : from->getSuccessors())
      if (successor != meeting)
        between.insert(successor);
  };
  follow(&branch);
  for (size_t i = 0; i < between.size(); ++i)
    follow(between[i]->getTerminator());
  for (Block *block : between) {
    changed |= divergent.try_emplace(block, &branch).second;
    changed |= markChosenArguments(*block, [](Block *) { return true; });
  }
  // Other ways to the meeting, for example into the loop whose iterations begin there, are taken by all threads.
  auto isPath = [&](Block *from) { return from == branch.getBlock() || between.contains(from); };
  return meeting ? markChosenArguments(*meeting, isPath) || changed : changed;
}

/// Marks the arguments that are not the same value on all ways into a block from predecessors that `isPath` accepts.
bool ThreadDependence::markChosenArguments(Block &block, llvm::function_ref<bool(Block *)> isPath) {
  bool changed = false;
  for (BlockArgument argument : block.getArguments()) {
    llvm::SmallDenseSet<Value> values;
    bool isKnown = true;
    for (auto it = block.pred_begin(), end = block.pred_end(); it != end; ++it) {
      if (!isPath(*it))
        continue;
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      Value value = branch ? branch.getSuccessorOperands(it.getSuccessorIndex())[argument.getArgNumber()] : Value();
      isKnown &= value != nullptr;
      values.insert(value);
    }
    if (!isKnown || values.size() > 1)
      changed |= mark(argument);
  }
  return changed;
}
