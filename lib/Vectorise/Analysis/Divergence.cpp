// A forward fixed point over the structured body of a function. See Divergence.h.
#include "Divergence.h"

#include "Elementwise.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cilk2gpu;

Divergence::Divergence(LLVM::LLVMFuncOp func, ArrayRef<lane::DeqOp> agreed, ArrayRef<bool> varyingArguments) {
  this->agreed.insert(agreed.begin(), agreed.end());
  for (auto [number, varies] : llvm::enumerate(varyingArguments))
    if (varies)
      varying.insert(func.getArgument(number));
  findPoison(func);
  do {
    changed = false;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  } while (changed);
}

void Divergence::mark(Value value) { changed |= !poison.contains(value) && varying.insert(value).second; }

bool Divergence::isPoison(Value value) const {
  return poison.contains(value) || isa_and_nonnull<LLVM::PoisonOp>(value.getDefiningOp());
}

/// Finds poison. Assumes first that all values that pass through structured control flow are poison. Then removes the
/// values that have another source.
void Divergence::findPoison(LLVM::LLVMFuncOp func) {
  using Sources = SmallVector<Value>;
  llvm::MapVector<Value, Sources> passed;
  func.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      for (auto [init, next, argument, result] : llvm::zip_equal(loop.getInits(), loop.getConditionOp().getArgs(),
                                                                 loop.getBeforeArguments(), loop.getResults())) {
        passed[argument] = {init, next};
        passed[result] = {next};
      }
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      for (auto [index, result] : llvm::enumerate(op->getResults()))
        for (Region &region : op->getRegions())
          passed[result].push_back(region.front().getTerminator()->getOperand(index));
    }
  });
  for (auto &[value, sources] : passed)
    poison.insert(value);
  for (bool removed = true; removed;) {
    removed = false;
    for (auto &[value, sources] : passed)
      if (!llvm::all_of(sources, [&](Value source) { return isPoison(source); }))
        removed |= poison.erase(value);
  }
}

void Divergence::visit(Operation *op) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return visitBranch(op, ifOp.getCondition());
  if (auto switchOp = dyn_cast<scf::IndexSwitchOp>(op))
    return visitBranch(op, switchOp.getArg());
  if (isa<scf::WhileOp>(op))
    return visitLoop(op);
  if (visitSource(op) || llvm::any_of(op->getOperands(), [&](Value operand) { return varies(operand); }))
    for (Value result : op->getResults())
      mark(result);
}

/// Handles operations whose results vary for any operands. Returns true if `op` is one.
bool Divergence::visitSource(Operation *op) {
  if (isa<LLVM::AllocaOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op))
    return true;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if (isa_and_nonnull<lane::LaneDialect>(op->getDialect()))
    return !agreed.contains(op);
  return isa<LLVM::CallOp>(op) && !isUniformCall(cast<LLVM::CallOp>(op));
}

void Divergence::visitBranch(Operation *op, Value condition) {
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    SmallVector<Value> distinct;
    for (Region &region : op->getRegions()) {
      Value yielded = region.front().getTerminator()->getOperand(index);
      if (varies(yielded))
        mark(result);
      if (!isPoison(yielded) && !llvm::is_contained(distinct, yielded))
        distinct.push_back(yielded);
    }
    if (varies(condition) && distinct.size() > 1)
      mark(result);
  }
}

void Divergence::visitLoop(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  scf::ConditionOp condition = loop.getConditionOp();
  for (auto [init, next, argument, result] :
       llvm::zip_equal(loop.getInits(), condition.getArgs(), loop.getBeforeArguments(), loop.getResults())) {
    if (varies(init) || varies(next))
      mark(argument);
    // If the condition of a loop varies, lanes leave the loop in different iterations.
    bool isInvariant = !loop.getBefore().isAncestor(next.getParentRegion());
    if (varies(next) || (varies(condition.getCondition()) && !isInvariant))
      mark(result);
  }
}
