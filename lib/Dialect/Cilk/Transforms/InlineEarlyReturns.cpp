// Lets a parent do the work of children that return at once. The early return of a task is copied to its spawns. It
// consists of the decision to return or to go on, and of the code up to the return. Only children that go on become
// elements of a channel.
#include "Destinations.h"
#include "Paths.h"

#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Members.h"
#include "cilk2gpu/Support/Remarks.h"
#include "cilk2gpu/Support/SourceNames.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_INLINEEARLYRETURNSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

/// Most operations of an early return for which copying pays. Enqueuing and dequeuing an element takes some ten
/// instructions.
static constexpr unsigned kMostOperations = 16;
static constexpr unsigned kMostBlocks = 8;

namespace {

/// The early return of a task: the blocks from its entry to returns without a call, a spawn or a loop.
class EarlyReturn {
public:
  /// Finds the early return of a task. Returns nothing if there is none, or if it is too large.
  static std::optional<EarlyReturn> find(LLVM::LLVMFuncOp task);

  /// Copies the early return to a spawn of the task. The spawn is then reached only if the child goes on.
  void copyTo(SpawnOp spawn) const;

  /// Drops the early return from the task. All spawns of the task have a copy, so the task only runs if it goes on.
  void dropFromTask();

private:
  /// Classifies a block: from here, the task returns through copied blocks never, sometimes or always.
  enum class Returns { Never, Sometimes, Always };

  explicit EarlyReturn(LLVM::LLVMFuncOp task) : task(task) {}
  Returns classify(Block *block, unsigned depth);
  Returns classifyEnd(Block *block, bool onlyReads, unsigned depth);
  bool contains(Block *block) const { return returns.contains(block) && returns.lookup(block) != Returns::Never; }
  void keepReached();
  void findNeeded();
  void need(Operation *op);
  bool isWorthIt() const;
  llvm::DenseSet<Value> findOriginals() const;
  bool misusesOriginal() const;
  void copyEnd(Operation *end, OpBuilder &builder, IRMapping &mapping, SpawnOp spawn, Block *after) const;

  mutable LLVM::LLVMFuncOp task; // mutable because queries of the handle are not const
  llvm::MapVector<Block *, Returns> returns;
  llvm::SmallPtrSet<Block *, 8> open;           ///< blocks being classified
  llvm::SmallSetVector<Operation *, 16> needed; ///< operations of a copy, except for terminators
};

} // namespace

//===-- The code of an early return -------------------------------------------------------------------------------===//

/// Returns true for an operation that only describes the code or a local variable. Copies leave out such operations.
static bool isAnnotation(Operation *op) {
  return isa<LLVM::DbgValueOp, LLVM::DbgDeclareOp, LLVM::DbgLabelOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
             LLVM::AssumeOp, LLVM::NoAliasScopeDeclOp>(op);
}

template <typename Access> static bool isPlain(Operation *op) {
  auto access = dyn_cast<Access>(op);
  return access && !access.getVolatile_() && access.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

/// Returns true if the operation has an effect that the parent may have in place of the child.
static bool isPlainEffect(Operation *op) {
  return isPlain<LLVM::StoreOp>(op) || (isa<LLVM::AtomicRMWOp>(op) && op->hasAttr(kAccumulateAttr));
}

static bool canCopy(Operation *op) {
  return isPlainEffect(op) || isPlain<LLVM::LoadOp>(op) || isAnnotation(op) || isa<LLVM::AllocaOp>(op) ||
         (isa<LLVM::LLVMDialect>(op->getDialect()) && !op->getNumRegions() && isMemoryEffectFree(op));
}

static bool isFree(Operation *op) { return op->hasTrait<OpTrait::ConstantLike>() || isa<LLVM::AddressOfOp>(op); }

static bool isNoInline(LLVM::LLVMFuncOp func) { return func.getNoInline() || hasFunctionAttribute(func, "noinline"); }

std::optional<EarlyReturn> EarlyReturn::find(LLVM::LLVMFuncOp task) {
  EarlyReturn part(task);
  if (task.isExternal() || isNoInline(task) || part.classify(&task.getBody().front(), 0) == Returns::Never)
    return {};
  part.keepReached();
  part.findNeeded();
  return part.isWorthIt() ? std::optional(std::move(part)) : std::nullopt;
}

EarlyReturn::Returns EarlyReturn::classify(Block *block, unsigned depth) {
  if (auto known = returns.find(block); known != returns.end())
    return known->second;
  bool onlyReads = true;
  for (Operation &op : block->without_terminator()) {
    onlyReads &= !isPlainEffect(&op);
    if (!canCopy(&op))
      return returns[block] = Returns::Never;
  }
  open.insert(block);
  Returns result = depth < kMostBlocks ? classifyEnd(block, onlyReads, depth) : Returns::Never;
  open.erase(block);
  return returns[block] = result;
}

EarlyReturn::Returns EarlyReturn::classifyEnd(Block *block, bool onlyReads, unsigned depth) {
  Operation *end = block->getTerminator();
  if (isa<LLVM::ReturnOp>(end))
    return Returns::Always;
  // A copy has no loops.
  if (!isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp>(end) ||
      llvm::any_of(block->getSuccessors(), [&](Block *successor) { return open.contains(successor); }))
    return Returns::Never;
  bool any = false, all = true;
  for (Block *successor : block->getSuccessors()) {
    Returns next = classify(successor, depth + 1);
    any |= next != Returns::Never;
    all &= next == Returns::Always;
  }
  // The child runs the blocks before the decision again, so they may have no effects.
  return all ? Returns::Always : any && onlyReads ? Returns::Sometimes : Returns::Never;
}

/// Drops classified blocks that are not reached through copied blocks, and puts the others in topological order. The
/// order of classification is the reverse: successors first.
void EarlyReturn::keepReached() {
  SmallVector<Block *> work{&task.getBody().front()};
  llvm::SmallPtrSet<Block *, 8> reached{work.front()};
  while (!work.empty())
    for (Block *successor : work.pop_back_val()->getSuccessors())
      if (contains(successor) && reached.insert(successor).second)
        work.push_back(successor);
  llvm::MapVector<Block *, Returns> ordered;
  for (auto &[block, kind] : llvm::reverse(returns))
    if (reached.contains(block))
      ordered.insert({block, kind});
  returns = std::move(ordered);
}

void EarlyReturn::need(Operation *op) {
  SmallVector<Operation *> work{op};
  while (!work.empty())
    if (Operation *next = work.pop_back_val(); next && needed.insert(next))
      for (Value operand : next->getOperands())
        work.push_back(operand.getDefiningOp());
}

void EarlyReturn::findNeeded() {
  for (auto &[block, kind] : returns) {
    for (Operation &op : *block)
      if (isPlainEffect(&op))
        need(&op);
    // Also needed are the operands of branches, including the arguments of copied blocks, and the results.
    Operation *end = block->getTerminator();
    for (OpOperand &operand : end->getOpOperands()) {
      std::optional<unsigned> successor = successorOf(operand);
      if (!successor || contains(end->getSuccessor(*successor)))
        need(operand.get().getDefiningOp());
    }
  }
}

/// Returns the arguments that are passed by value, and addresses in them.
llvm::DenseSet<Value> EarlyReturn::findOriginals() const {
  llvm::DenseSet<Value> found;
  SmallVector<Value> work;
  auto add = [&](Value value) {
    if (found.insert(value).second)
      work.push_back(value);
  };
  for (BlockArgument argument : task.getArguments())
    if (task.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getByValAttrName()))
      add(argument);
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      if (isa<LLVM::GEPOp>(use.getOwner()))
        add(use.getOwner()->getResult(0));
      else if (auto branch = dyn_cast<BranchOpInterface>(use.getOwner()))
        if (std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(use.getOperandNumber()))
          add(*argument);
    }
  return found;
}

/// Returns true if the copy would misuse an argument that is passed by value. The copy runs before the child gets its
/// own copy of the argument, so it may read the original but not write it. It may not read the original after a store
/// either, because the store might write the original. Updates of an accumulator write only the accumulator, whose
/// address the program does not know.
bool EarlyReturn::misusesOriginal() const {
  llvm::DenseSet<Value> originals = findOriginals();
  bool stored = false;
  for (auto &[block, kind] : returns)
    for (Operation &op : *block) {
      if (!needed.contains(&op))
        continue;
      bool isPart = llvm::any_of(op.getOperands(), [&](Value operand) { return originals.contains(operand); });
      bool isLoad = isPlain<LLVM::LoadOp>(&op);
      if (isPart && (isLoad ? stored : !isa<LLVM::GEPOp>(op)))
        return true;
      stored |= isPlain<LLVM::StoreOp>(&op);
    }
  return false;
}

bool EarlyReturn::isWorthIt() const {
  auto isLocal = [](Operation *op) { return isa<LLVM::AllocaOp>(op); };
  auto costs = [](Operation *op) { return !isFree(op); };
  return returns.size() <= kMostBlocks && llvm::count_if(needed, costs) <= kMostOperations &&
         llvm::none_of(needed, isLocal) && !misusesOriginal();
}

//===-- Copies ----------------------------------------------------------------------------------------------------===//

// ... spawn ...  ->  copy of the early return: a return branches to `after`, and other ends branch to the spawn; after:
// ...
void EarlyReturn::copyTo(SpawnOp spawn) const {
  Block *before = spawn->getBlock(), *child = before->splitBlock(spawn);
  Block *after = child->splitBlock(std::next(spawn->getIterator()));
  OpBuilder builder = OpBuilder::atBlockEnd(child);
  LLVM::BrOp::create(builder, spawn.getLoc(), after);
  IRMapping mapping;
  for (auto &[block, kind] : returns) {
    Block *copy = builder.createBlock(child);
    mapping.map(block, copy);
    bool isEntry = block->isEntryBlock();
    for (auto [index, argument] : llvm::enumerate(block->getArguments()))
      mapping.map(argument,
                  isEntry ? spawn.getArgs()[index] : Value(copy->addArgument(argument.getType(), spawn.getLoc())));
  }
  builder.setInsertionPointToEnd(before);
  LLVM::BrOp::create(builder, spawn.getLoc(), mapping.lookup(&task.getBody().front()));
  for (auto &[block, kind] : returns) {
    builder.setInsertionPointToEnd(mapping.lookup(block));
    for (Operation &op : *block)
      if (needed.contains(&op))
        builder.clone(op, mapping)->setLoc(CallSiteLoc::get(op.getLoc(), spawn.getLoc()));
    copyEnd(block->getTerminator(), builder, mapping, spawn, after);
  }
  if (child->hasNoPredecessors())
    child->erase();
}

void EarlyReturn::copyEnd(Operation *end, OpBuilder &builder, IRMapping &mapping, SpawnOp spawn, Block *after) const {
  Location loc = CallSiteLoc::get(end->getLoc(), spawn.getLoc());
  if (auto ret = dyn_cast<LLVM::ReturnOp>(end)) {
    if (Value dest = spawn.getDest()) {
      Value result = mapping.lookup(ret.getArg());
      storeResult(builder, loc, result, dest, /*alignment=*/isAlignedLocal(dest, result.getType()) ? 0 : 1);
    }
    LLVM::BrOp::create(builder, loc, after);
    return;
  }
  auto copy = cast<BranchOpInterface>(builder.clone(*end, mapping));
  copy->setLoc(loc);
  for (unsigned i = 0; i < copy->getNumSuccessors(); ++i)
    if (!contains(end->getSuccessor(i))) {
      SuccessorOperands operands = copy.getSuccessorOperands(i);
      operands.erase(0, operands.size());
      copy->setSuccessor(spawn->getBlock(), i);
    }
}

void EarlyReturn::dropFromTask() {
  // A race that is harmless in the elision must be harmless here: a value that is loaded a second time might have
  // changed.
  if (llvm::any_of(needed, [](Operation *op) { return isa<LLVM::LoadOp>(op); }))
    return;
  llvm::SmallPtrSet<Block *, 8> runOnce; // blocks on paths that the copy has; the head of a loop runs again
  for (auto &[block, kind] : returns) {
    if (llvm::any_of(block->getPredecessors(), [&](Block *before) { return !runOnce.contains(before); }))
      continue;
    runOnce.insert(block);
    auto branch = dyn_cast<LLVM::CondBrOp>(block->getTerminator());
    if (!branch || kind == Returns::Always)
      continue;
    for (unsigned i : {0u, 1u})
      if (contains(branch->getSuccessor(i)) && returns.lookup(branch->getSuccessor(i)) == Returns::Always) {
        OpBuilder builder(branch);
        SmallVector<Value> operands(
            cast<BranchOpInterface>(branch.getOperation()).getSuccessorOperands(1 - i).getForwardedOperands());
        LLVM::BrOp::create(builder, branch.getLoc(), operands, branch->getSuccessor(1 - i));
        branch.erase();
        break;
      }
  }
  IRRewriter rewriter(task.getContext());
  (void)eraseUnreachableBlocks(rewriter, task->getRegions());
}

//===-- The pass --------------------------------------------------------------------------------------------------===//

/// Returns the spawns of a task that are not in a loop. A loop may spawn many children that have no spawns of their own
/// but do not return at once, for example boards where no queen fits. Then few parents use the early return, and it
/// rarely avoids an element (queens-bits took a tenth longer).
static SmallVector<SpawnOp> spawnsOutsideLoops(LLVM::LLVMFuncOp task) {
  SmallVector<SpawnOp> spawns;
  task.walk([&](SpawnOp spawn) { spawns.push_back(spawn); });
  if (spawns.empty() || task.getBody().hasOneBlock())
    return spawns;
  DominanceInfo dominance(task);
  CFGLoopInfo loops(dominance.getDomTree(&task.getBody()));
  llvm::erase_if(spawns, [&](SpawnOp spawn) { return loops.getLoopFor(spawn->getBlock()) != nullptr; });
  return spawns;
}

/// Returns true if code of one function may be copied to the other.
static bool haveSameTarget(LLVM::LLVMFuncOp a, LLVM::LLVMFuncOp b) {
  return a.getTargetCpuAttr() == b.getTargetCpuAttr() && a.getTargetFeaturesAttr() == b.getTargetFeaturesAttr();
}

namespace {

struct InlineEarlyReturnsPass : cilk2gpu::cilk::impl::InlineEarlyReturnsPassBase<InlineEarlyReturnsPass> {
  void runOnOperation() override {
    SymbolTableCollection collection;
    SymbolTable &symbols = collection.getSymbolTable(getOperation());
    SymbolUserMap users(collection, getOperation());
    std::vector<std::pair<LLVM::LLVMFuncOp, EarlyReturn>> parts;
    llvm::DenseMap<Operation *, SmallVector<SpawnOp>> spawnsOf;
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (!isTask(func))
        continue;
      if (std::optional<EarlyReturn> part = EarlyReturn::find(func))
        parts.emplace_back(func, std::move(*part));
      for (SpawnOp spawn : spawnsOutsideLoops(func))
        spawnsOf[symbols.lookup(spawn.getCallee())].push_back(spawn);
    }
    // An early return contains no spawns, so copying it changes no other task's spawns. Dropping it does.
    SmallVector<bool> isComplete;
    for (auto &[task, part] : parts)
      isComplete.push_back(copy(task, part, spawnsOf[task], users));
    for (auto [task, complete] : llvm::zip_equal(parts, isComplete))
      if (complete)
        task.second.dropFromTask();
  }

  /// Copies the early return of a task to its spawns. Returns true if the task runs only after a copy of the early
  /// return.
  bool copy(LLVM::LLVMFuncOp task, const EarlyReturn &part, ArrayRef<SpawnOp> spawns, const SymbolUserMap &users) {
    unsigned copies = 0;
    for (SpawnOp spawn : spawns)
      if (haveSameTarget(task, spawn->getParentOfType<LLVM::LLVMFuncOp>())) {
        part.copyTo(spawn);
        ++copies;
      }
    numCopies += copies;
    if (copies)
      speedRemark(task, "EarlyReturnsInlined")
          << "calls of '" << sourceName(task.getName()) << "' that return at once run where they are spawned";
    bool isLocal = task.getLinkage() == LLVM::Linkage::Internal && !task->hasAttr(kElisionAttr);
    return isLocal && copies == users.getUsers(task).size();
  }
};

} // namespace
