// Makes an accumulating form of each task that only folds its children's results. The form adds the task's own values
// to an accumulator, and passes the accumulator to its children. So the children need no result slots, and no task has
// to wait for their results. The task itself becomes a function that starts the accumulation.
#include "Destinations.h"
#include "MoveUpdates.h"
#include "NarrowFolds.h"
#include "Paths.h"
#include "ResultFold.h"
#include "SimplifyFolds.h"
#include "SplitLocals.h"
#include "Updates.h"

#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/Folds.h"
#include "cilk2gpu/Support/Remarks.h"
#include "cilk2gpu/Support/SourceNames.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/Mem2Reg.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_COMBINERESULTSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// A task whose results can be combined, and its accumulating form.
struct Combined {
  ResultFold fold;
  LLVM::LLVMFuncOp accumulating;
};

using CombinedTasks = llvm::MapVector<Operation *, Combined>;

/// Rewrites a copy of a task into its accumulating form.
class Accumulating {
public:
  Accumulating(LLVM::LLVMFuncOp func, const CombinedTasks &tasks, SymbolTable &symbols)
      : func(func), tasks(tasks), symbols(symbols), builder(func.getContext()) {}

  void run();

private:
  void addAccumulator();
  void accumulate(Value value, Location loc);
  void accumulateOwnTerms(ArrayRef<FoldedSlot> slots);
  Block *splitEdge(Operation *branch, unsigned successor);
  void forward(const FoldedSlot &slot);
  void dropSumLoop(Block *header);
  void promoteVariables();
  void placeOwnUpdates();
  Value identity();

  LLVM::LLVMFuncOp func;
  const CombinedTasks &tasks;
  SymbolTable &symbols;
  OpBuilder builder;
  const ResultFold *fold = nullptr;
  Value accumulator;
  SmallVector<LLVM::AllocaOp> variables; ///< those of the slots that are no arrays
};

} // namespace

/// Returns the record of the task whose result the spawn stores, or by which it updates a variable; else null.
static const Combined *combinedCallee(SpawnOp spawn, const CombinedTasks &tasks, SymbolTable &symbols) {
  std::optional<Update> update = updateOf(spawn, symbols);
  auto it = tasks.find(symbols.lookup(update ? update->callee.getValue() : spawn.getCallee()));
  return it == tasks.end() ? nullptr : &it->second;
}

static auto sameFold(const ResultFold &fold, const CombinedTasks &tasks, SymbolTable &symbols) {
  return [&fold, &tasks, &symbols](SpawnOp spawn) {
    const Combined *callee = combinedCallee(spawn, tasks, symbols);
    return callee && callee->fold.getKind() == fold.getKind() && callee->fold.getType() == fold.getType();
  };
}

/// Adds the accumulator as the last parameter of the task's function, and removes its result.
void Accumulating::addAccumulator() {
  Type pointer = LLVM::LLVMPointerType::get(func.getContext());
  SmallVector<Type> params(func.getFunctionType().getParams());
  params.push_back(pointer);
  SmallVector<Attribute> attributes;
  if (ArrayAttr existing = func.getArgAttrsAttr())
    attributes.append(existing.begin(), existing.end());
  func.removeResAttrsAttr();
  func.setFunctionType(LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(func.getContext()), params));
  if (!attributes.empty()) {
    attributes.push_back(builder.getDictionaryAttr({}));
    func.setArgAttrsAttr(builder.getArrayAttr(attributes));
  }
  accumulator = func.getBody().front().addArgument(pointer, func.getLoc());
}

Value Accumulating::identity() {
  builder.setInsertionPointToStart(&func.getBody().front());
  return LLVM::ConstantOp::create(builder, func.getLoc(), fold->getIdentity());
}

/// Makes a block on the edge, for code that runs only when this edge is taken.
Block *Accumulating::splitEdge(Operation *branch, unsigned successor) {
  auto interface = cast<BranchOpInterface>(branch);
  Block *target = branch->getSuccessor(successor);
  Block *edge = builder.createBlock(target);
  SmallVector<Value> forwarded(interface.getSuccessorOperands(successor).getForwardedOperands());
  LLVM::BrOp::create(builder, branch->getLoc(), forwarded, target);
  interface.getSuccessorOperands(successor).erase(0, forwarded.size());
  branch->setSuccessor(edge, successor);
  return edge;
}

/// Adds a value of the task's own to the accumulator, where the builder stands.
void Accumulating::accumulate(Value value, Location loc) {
  auto update =
      LLVM::AtomicRMWOp::create(builder, loc, fold->getKind(), accumulator, value, LLVM::AtomicOrdering::monotonic);
  update->setAttr(kAccumulateAttr, builder.getUnitAttr());
}

/// Adds the terms to the accumulator that are neither read from an array of results nor the identity: accumulator =
/// accumulator o term.
void Accumulating::accumulateOwnTerms(ArrayRef<FoldedSlot> slots) {
  llvm::SmallPtrSet<Operation *, 8> spawned;
  for (const FoldedSlot &slot : slots)
    spawned.insert(slot.loads.begin(), slot.loads.end()); // those of arrays
  // Values and positions are collected before any edge is split, because splitting moves the operands of the branch.
  llvm::MapVector<std::pair<Operation *, unsigned>, SmallVector<Value>> places;
  constexpr unsigned kNoEdge = ~0u;
  for (OpOperand *term : fold->getTerms()) {
    if (!fold->isIdentity(term->get()) && !spawned.contains(term->get().getDefiningOp()))
      places[{term->getOwner(), successorOf(*term).value_or(kNoEdge)}].push_back(term->get());
  }
  for (auto &[place, values] : places) {
    auto [owner, successor] = place;
    bool onEdge = successor != kNoEdge && owner->getNumSuccessors() > 1;
    builder.setInsertionPoint(onEdge ? splitEdge(owner, successor)->getTerminator() : owner);
    for (Value value : values)
      accumulate(value, owner->getLoc());
  }
}

/// Stores the identity in front of a spawn to the variable that gets its result. An update goes on from what the
/// variable holds.
static void startAtIdentity(SpawnOp spawn, const ResultFold &fold) {
  if (!spawn.getDest())
    return;
  OpBuilder builder(spawn);
  Value identity = LLVM::ConstantOp::create(builder, spawn.getLoc(), fold.getIdentity());
  LLVM::StoreOp::create(builder, spawn.getLoc(), identity, spawn.getDest());
}

/// Makes a spawn of a combined task's accumulating form in the place of `spawn`, which stores the task's result or
/// updates a variable by it.
static void spawnAccumulating(SpawnOp spawn, const Combined &callee, Value accumulator, SymbolTable &symbols) {
  OpBuilder builder(spawn);
  SmallVector<Value> args(spawn.getArgs());
  if (std::optional<Update> update = updateOf(spawn, symbols)) {
    IRMapping mapping;
    args = copyToParent(update->args, spawn, mapping, builder);
  }
  args.push_back(accumulator);
  LLVM::LLVMFuncOp task = callee.accumulating;
  SpawnOp::create(builder, spawn.getLoc(), FlatSymbolRefAttr::get(task), args, Value(), TypeAttr());
  spawn.erase();
}

/// Makes the slot's spawns pass the accumulator on, and takes their results out of the slot.
void Accumulating::forward(const FoldedSlot &slot) {
  for (SpawnOp spawn : slot.spawns) {
    builder.setInsertionPoint(spawn);
    if (!slot.isArray())
      startAtIdentity(spawn, *fold);
    spawnAccumulating(spawn, *combinedCallee(spawn, tasks, symbols), accumulator, symbols);
  }
  if (!slot.isArray())
    return variables.push_back(slot.variable);
  for (LLVM::LoadOp load : slot.loads) {
    load.replaceAllUsesWith(identity());
    load.erase();
  }
  for (LLVM::StoreOp store : slot.stores) {
    builder.setInsertionPoint(store);
    accumulate(store.getValue(), store.getLoc());
    store.erase();
  }
  for (Operation *address : llvm::make_early_inc_range(slot.variable->getUsers()))
    address->erase();
  slot.variable->erase();
}

/// Makes values of the variables that no child knows any more.
void Accumulating::promoteVariables() {
  DominanceInfo dominance(func);
  SmallVector<PromotableAllocationOpInterface> slots(variables.begin(), variables.end());
  (void)tryToPromoteMemorySlots(slots, builder, DataLayout::closest(func), dominance);
}

/// Moves the task's own updates of the accumulator in front of the syncs that they need not wait for. Drops updates by
/// the identity.
void Accumulating::placeOwnUpdates() {
  SmallVector<LLVM::AtomicRMWOp> updates;
  func.walk([&](LLVM::AtomicRMWOp update) {
    if (update->hasAttr(kAccumulateAttr))
      updates.push_back(update);
  });
  for (LLVM::AtomicRMWOp update : updates)
    if (fold->isIdentity(update.getVal()))
      update.erase();
    else
      moveAboveSyncs(update);
}

/// Drops the loop that folded the results, if it accumulates no terms of its own and no value computed in it is used
/// behind it.
void Accumulating::dropSumLoop(Block *header) {
  auto branch = cast<LLVM::CondBrOp>(header->getTerminator());
  Block *body = branch.getTrueDest(), *exit = branch.getFalseDest();
  auto accumulates = [](Block *block) { return !block->getOps<LLVM::AtomicRMWOp>().empty(); };
  if (accumulates(header) || accumulates(body))
    return;
  auto inLoop = [&](Operation *op) { return op->getBlock() == header || op->getBlock() == body; };
  for (Block *block : {header, body}) {
    auto isUsedOutside = [&](Value value) {
      return !fold->getPartials().contains(value) && !llvm::all_of(value.getUsers(), inLoop);
    };
    if (llvm::any_of(block->getArguments(), isUsedOutside))
      return;
    for (Operation &op : *block)
      if (llvm::any_of(op.getResults(), isUsedOutside))
        return;
  }
  for (OpOperand &operand : branch.getFalseDestOperandsMutable())
    if (!fold->getPartials().contains(operand.get()) && operand.get().getParentBlock() == header)
      return;
  builder.setInsertionPoint(branch);
  LLVM::BrOp::create(builder, branch.getLoc(), SmallVector<Value>(branch.getFalseDestOperands()), exit);
  branch.erase();
}

void Accumulating::run() {
  auto kind = ResultFold::Kind(func->getAttrOfType<IntegerAttr>(kAccumulationKindAttr).getInt());
  std::optional<ResultFold> analysed = ResultFold::analyse(func, kind, symbols);
  fold = &*analysed;
  SmallVector<FoldedSlot> slots = fold->findSlots(sameFold(*fold, tasks, symbols));
  addAccumulator();
  accumulateOwnTerms(slots);
  // One loop may fold several arrays.
  llvm::SmallSetVector<Block *, 4> sumHeaders;
  for (const FoldedSlot &slot : slots)
    if (slot.sumHeader)
      sumHeaders.insert(slot.sumHeader);
  for (Block *header : sumHeaders)
    dropSumLoop(header);
  for (const FoldedSlot &slot : slots)
    forward(slot);
  // The partials are now used only by other partials and by returns.
  Value nothing = identity();
  for (Value partial : fold->getPartials())
    partial.replaceAllUsesWith(nothing);
  func.walk([&](LLVM::ReturnOp op) {
    builder.setInsertionPoint(op);
    LLVM::ReturnOp::create(builder, op.getLoc(), ValueRange());
    op.erase();
  });
  IRRewriter rewriter(func.getContext());
  (void)eraseUnreachableBlocks(rewriter, func->getRegions());
  promoteVariables();
  placeOwnUpdates();
  eraseDead(func);
}

//===-- Remarks ---------------------------------------------------------------------------------------------------===//

static StringRef nameOf(LLVM::AtomicBinOp kind) {
  switch (kind) {
  case LLVM::AtomicBinOp::_and:
    return "bitwise and";
  case LLVM::AtomicBinOp::_or:
    return "bitwise or";
  case LLVM::AtomicBinOp::_xor:
    return "bitwise exclusive or";
  case LLVM::AtomicBinOp::max:
  case LLVM::AtomicBinOp::umax:
    return "maximum";
  case LLVM::AtomicBinOp::min:
  case LLVM::AtomicBinOp::umin:
    return "minimum";
  default:
    return "sum";
  }
}

/// Returns the reason why a child's result that `op` uses cannot be combined, if `op` looks like a fold; else an empty
/// string.
static StringRef obstacleOf(Operation *op) {
  if (auto arithmetic = dyn_cast<LLVM::FastmathFlagsInterface>(op); isa<LLVM::FAddOp, LLVM::FMulOp>(op))
    return LLVM::bitEnumContainsAll(arithmetic.getFastmathAttr().getValue(), kReassociable)
               ? "only sums of floating-point numbers are combined"
               : "floating-point arithmetic is not reassociated (-ffast-math allows it)";
  if (isa<LLVM::MaxNumOp, LLVM::MinNumOp>(op))
    return "only sums of floating-point numbers are combined";
  bool widened =
      isa<LLVM::AddOp, LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp>(op) && llvm::any_of(op->getOperands(), [](Value value) {
        return isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(value.getDefiningOp());
      });
  return widened ? "they are widened before they are folded; return the type that is folded, such as int" : "";
}

/// Emits a remark with the reason if a task seems only to fold its children's results, but they are not combined.
static void explain(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
  llvm::SmallDenseSet<Value> places;
  task.walk([&](SpawnOp spawn) {
    if (Value place = spawn.getDest())
      places.insert(place);
  });
  if (places.empty())
    return;
  StringRef why;
  if (ResultFold::hasFold(task, symbols))
    why = "not every child's result is folded exactly once, with one operation, on every path";
  // Collects the uses of results, including results that were converted to another type.
  SmallVector<Value> results;
  task.walk([&](LLVM::LoadOp load) {
    if (places.contains(load.getAddr()))
      results.push_back(load);
  });
  while (why.empty() && !results.empty())
    for (Operation *user : results.pop_back_val().getUsers())
      if (isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(user))
        results.push_back(user->getResult(0));
      else if (why.empty())
        why = obstacleOf(user);
  if (!why.empty())
    speedRemark(task, "ResultsNotCombined", /*missed=*/true)
        << "results of '" << sourceName(task.getName()) << "' are not combined: " << why;
}

namespace {

struct CombineResultsPass : cilk2gpu::cilk::impl::CombineResultsPassBase<CombineResultsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SetVector<LLVM::LLVMFuncOp> updating; // tasks that spawns of updates run
    getOperation().walk([&](SpawnOp spawn) {
      if (updateOf(spawn, symbols))
        updating.insert(symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee()));
    });
    CombinedTasks tasks = findTasks(symbols);
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (isTask(func) && !func->hasAttr(kWrapsAttr) && !func->hasAttr(kStrandsAttr) && !func.isExternal() &&
          !tasks.contains(func))
        explain(func, symbols);
    for (auto &[task, combined] : tasks) {
      auto func = cast<LLVM::LLVMFuncOp>(task);
      speedRemark(func, "ResultsCombined") << "results of '" << sourceName(func.getName())
                                           << "' are combined as they come, by " << nameOf(combined.fold.getKind());
      combined.accumulating = copy(func, symbols, combined.fold);
    }
    for (auto &[task, combined] : tasks) {
      Accumulating(combined.accumulating, tasks, symbols).run();
      ++numCombined;
    }
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (isTask(func) && !tasks.contains(func))
        useAccumulating(func, tasks, symbols);
    for (auto &[task, combined] : tasks)
      startAccumulating(cast<LLVM::LLVMFuncOp>(task), combined);
    for (LLVM::LLVMFuncOp task : updating)
      if (SymbolTable::symbolKnownUseEmpty(task, getOperation()))
        task.erase();
  }

  static std::optional<ResultFold> analyse(LLVM::LLVMFuncOp func, SymbolTable &symbols) {
    splitLocals(func, DataLayout::closest(func));
    eraseDead(func);
    narrowFolds(func);
    simplifyFolds(func, symbols);
    return ResultFold::analyse(func, symbols);
  }

  /// Returns the tasks whose children's results all go through folded slots, and whose callees are also such tasks. A
  /// task with any other result has to wait for that result, and then an atomic update would cost more than a store.
  CombinedTasks findTasks(SymbolTable &symbols) {
    CombinedTasks tasks;
    llvm::SetVector<LLVM::LLVMFuncOp> others;
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (isTask(func) && !func->hasAttr(kWrapsAttr) && !func->hasAttr(kStrandsAttr) && !func.isExternal()) {
        if (std::optional<ResultFold> fold = analyse(func, symbols))
          tasks.insert({func, {*fold, nullptr}});
        else
          others.insert(func);
      }
    addForwarders(others, tasks, symbols);
    auto isLost = [&](auto &entry) {
      const ResultFold &fold = entry.second.fold;
      return !fold.takesAllResults(fold.findSlots(sameFold(fold, tasks, symbols)));
    };
    for (size_t before = 0; before != tasks.size();) {
      before = tasks.size();
      tasks.remove_if(isLost);
    }
    return tasks;
  }

  /// Adds the tasks that return the result of a combined task without an operation of their own. They fold like that
  /// task.
  static void addForwarders(llvm::SetVector<LLVM::LLVMFuncOp> &others, CombinedTasks &tasks, SymbolTable &symbols) {
    auto foldLikeCallee = [&](LLVM::LLVMFuncOp func) -> std::optional<ResultFold> {
      std::optional<ResultFold> fold;
      func.walk([&](SpawnOp spawn) {
        if (const Combined *callee = spawn.getDest() ? combinedCallee(spawn, tasks, symbols) : nullptr; callee && !fold)
          fold = ResultFold::analyse(func, callee->fold.getKind(), symbols);
      });
      return fold && fold->takesAllResults(fold->findSlots([](SpawnOp) { return true; })) ? fold : std::nullopt;
    };
    auto isAdded = [&](LLVM::LLVMFuncOp func) {
      std::optional<ResultFold> fold = foldLikeCallee(func);
      return fold && tasks.insert({func, {*fold, nullptr}}).second;
    };
    while (others.remove_if(isAdded))
      ;
  }

  LLVM::LLVMFuncOp copy(LLVM::LLVMFuncOp task, SymbolTable &symbols, const ResultFold &fold) {
    LLVM::LLVMFuncOp clone = task.clone();
    clone.setName((task.getName() + ".acc").str());
    clone.setLinkage(LLVM::Linkage::Internal);
    clone->setAttr(kAccumulationKindAttr, Builder(clone).getI64IntegerAttr(int64_t(fold.getKind())));
    if (Attribute elision = clone->removeAttr(kElisionAttr))
      clone->setAttr(kAccumulatedElisionAttr, elision);
    clone.removeComdatAttr();
    clone.setVisibility_(LLVM::Visibility::Default);
    symbols.insert(clone, std::next(task->getIterator()));
    makeOwnDebugScope(clone);
    return clone;
  }

  // f(args) { r = identity; spawn @f.acc(args, &r); sync; return r }: all tasks below a call of f share its
  // accumulator.
  void startAccumulating(LLVM::LLVMFuncOp func, Combined &combined) {
    Location loc = func.getLoc(), waiting = loc;
    func.walk([&](SyncOp sync) { waiting = sync.getLoc(); });
    func->setAttr(kStartsAccumulationAttr, UnitAttr::get(func.getContext()));
    func.getBody().dropAllReferences();
    func.getBody().getBlocks().clear();
    OpBuilder builder(func.getContext());
    Block *entry = func.addEntryBlock(builder);
    builder.setInsertionPointToEnd(entry);
    Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
    Type type = combined.fold.getType();
    Value result = LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, one);
    LLVM::StoreOp::create(builder, loc, LLVM::ConstantOp::create(builder, loc, combined.fold.getIdentity()), result);
    SmallVector<Value> args(entry->getArguments());
    args.push_back(result);
    SpawnOp::create(builder, loc, FlatSymbolRefAttr::get(combined.accumulating), args, Value(), TypeAttr());
    SyncOp::create(builder, waiting);
    Value folded = LLVM::LoadOp::create(builder, loc, type, result);
    if (Type returned = func.getFunctionType().getReturnType(); returned != type) // a bool
      folded = LLVM::TruncOp::create(builder, loc, returned, folded);
    LLVM::ReturnOp::create(builder, loc, folded);
  }

  /// Returns the address of the variable in which the results of `spawn` can be accumulated, or null.
  static Value accumulatorOf(SpawnOp spawn, const ResultFold &fold, SymbolTable &symbols) {
    if (spawn.getDest())
      return spawn.getDest();
    std::optional<Update> update = updateOf(spawn, symbols);
    return update && fold.updates(spawn) ? update->object : Value();
  }

  //   spawn @f(args) into %local                  -> store identity, %local; spawn @f.acc(args, %local)
  //   spawn of %local += f(args), by the same fold -> spawn @f.acc(args, %local)
  //
  // This is valid only if the child does not know the variable's address, because a child may read the old value while
  // it runs.
  void useAccumulating(LLVM::LLVMFuncOp func, const CombinedTasks &tasks, SymbolTable &symbols) {
    SmallVector<SpawnOp> spawns;
    func.walk([&](SpawnOp spawn) { spawns.push_back(spawn); });
    for (SpawnOp spawn : spawns) {
      const Combined *callee = combinedCallee(spawn, tasks, symbols);
      Value object = callee ? accumulatorOf(spawn, callee->fold, symbols) : Value();
      if (!object || !isAlignedLocal(object, callee->fold.getType()) || !isUnsharedLocal(object, spawn, symbols))
        continue;
      startAtIdentity(spawn, callee->fold);
      spawnAccumulating(spawn, *callee, object, symbols);
    }
  }
};

} // namespace
