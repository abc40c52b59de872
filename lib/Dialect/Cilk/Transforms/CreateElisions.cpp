// Makes the serial elision of every task that has none from the import: spawns become calls, syncs disappear.
#include "ElisionCall.h"
#include "Updates.h"

#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/DoacrossPlan.h"
#include "cilk2gpu/Support/Folds.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/Members.h"
#include "cilk2gpu/Support/SerialLoops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_CREATEELISIONSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu::cilk;

namespace {

/// Returns the function that an elision calls for a task: the ordinary function that a wrapper task calls, else the
/// task's own elision.
LLVM::LLVMFuncOp calleeInElision(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
  for (StringRef name : {kWrapsAttr, kElisionAttr})
    if (auto ref = task->getAttrOfType<FlatSymbolRefAttr>(name))
      return symbols.lookup<LLVM::LLVMFuncOp>(ref.getValue());
  return task;
}

/// Makes the elision run an ordered task as soon as it is created.
void runAtOnce(LLVM::CallOp add, SymbolTable &symbols) {
  if (!symbols.lookup(cilk2gpu::kDependAddInElision)) {
    LLVM::LLVMFuncOp declaration = symbols.lookup<LLVM::LLVMFuncOp>(*add.getCallee()).clone();
    declaration.setName(cilk2gpu::kDependAddInElision);
    symbols.insert(declaration);
  }
  add.setCallee(StringRef(cilk2gpu::kDependAddInElision));
}

/// Makes a doacross nest of an elision one tile. Returns false if the call is of another function.
bool planOneTile(LLVM::CallOp call) {
  for (const cilk2gpu::DoacrossResult &result : cilk2gpu::kDoacrossInElisions) {
    if (call.getCallee() != StringRef(result.function))
      continue;
    OpBuilder builder(call);
    Type type = call.getResult().getType();
    Value value = result.operand < 0 ? LLVM::ConstantOp::create(builder, call.getLoc(), type,
                                                                builder.getIntegerAttr(type, result.constant))
                                     : call.getArgOperands()[unsigned(result.operand)];
    call.replaceAllUsesWith(ValueRange(value));
    call.erase();
    return true;
  }
  return false;
}

/// Returns the name of the task whose iterations a serial loop runs; empty for other functions.
StringRef taskOfLoop(LLVM::LLVMFuncOp func) { return cilk2gpu::functionAttribute(func, cilk2gpu::kSerialLoopAttr); }

std::string elisionName(StringRef task) { return (task + ".serial").str(); }

/// Makes the call of a task's elision in `caller`. A serial loop calls its task for one iteration, which the task's
/// elision without the loop runs. LLVM is to see a loop, and each of its iterations, where they stand.
LLVM::CallOp callElision(OpBuilder &builder, Operation *call, LLVM::LLVMFuncOp caller, LLVM::LLVMFuncOp task,
                         ValueRange args, SymbolTable &symbols) {
  bool isIteration = taskOfLoop(caller) == task.getName();
  LLVM::LLVMFuncOp callee =
      isIteration ? symbols.lookup<LLVM::LLVMFuncOp>(elisionName(task.getName())) : calleeInElision(task, symbols);
  LLVM::CallOp result = createElisionCall(builder, call->getLoc(), callee, args);
  result.setAlwaysInline(isIteration || !taskOfLoop(callee).empty());
  return result;
}

/// Returns true if `elision` runs one iteration of a loop, and `task` is the loop's task: the elision would call itself
/// for half of its range, which it never has.
bool isHalf(LLVM::LLVMFuncOp elision, LLVM::LLVMFuncOp task, SymbolTable &symbols) {
  return elision.getName() == elisionName(task.getName()) && !taskOfLoop(calleeInElision(task, symbols)).empty();
}

/// x += cilk_spawn f(...), where only the elision knows x: the call of f's elision, a load, an operation and a store.
/// Otherwise, other tasks may update x at the same time, and the elision of the spawned task does so atomically.
bool updateInPlace(SpawnOp spawn, LLVM::LLVMFuncOp func, SymbolTable &symbols) {
  std::optional<Update> update = updateOf(spawn, symbols);
  if (!update || !update->object.getDefiningOp<LLVM::AllocaOp>() ||
      !llvm::all_of(update->object.getUses(), [&](OpOperand &use) { return keepsAddress(use, symbols); }))
    return false;
  OpBuilder builder(spawn);
  IRMapping mapping;
  SmallVector<Value> args = copyToParent(update->args, spawn, mapping, builder);
  auto task = symbols.lookup<LLVM::LLVMFuncOp>(update->callee.getValue());
  mapping.map(update->result, callElision(builder, spawn, func, task, args, symbols).getResult());
  Value operand = copyToParent(update->update.getVal(), spawn, mapping, builder).front();
  Location loc = spawn.getLoc();
  Value old = LLVM::LoadOp::create(builder, loc, operand.getType(), update->object);
  Value updated = update->update.getBinOp() == LLVM::AtomicBinOp::sub
                      ? Value(LLVM::SubOp::create(builder, loc, old, operand))
                      : cilk2gpu::createFold(builder, loc, update->update.getBinOp(), old, operand);
  LLVM::StoreOp::create(builder, loc, updated, update->object);
  spawn.erase();
  return true;
}

void elide(LLVM::LLVMFuncOp func, SymbolTable &symbols) {
  func.walk([&](SpawnOp spawn) { updateInPlace(spawn, func, symbols); });
  func.walk([&](Operation *op) {
    OpBuilder builder(op);
    if (auto add = dyn_cast<LLVM::CallOp>(op); add && add.getCallee() == StringRef(cilk2gpu::kDependAdd))
      return runAtOnce(add, symbols);
    if (auto call = dyn_cast<LLVM::CallOp>(op); call && planOneTile(call))
      return;
    if (auto spawn = dyn_cast<SpawnOp>(op)) {
      auto task = symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee());
      if (isHalf(func, task, symbols))
        return op->erase();
      LLVM::CallOp call = callElision(builder, op, func, task, spawn.getArgs(), symbols);
      if (spawn.getDest())
        cilk2gpu::storeResult(builder, op->getLoc(), call.getResult(), spawn.getDest(), /*alignment=*/1);
      op->erase();
    } else if (auto wait = dyn_cast<CallOp>(op)) {
      auto task = symbols.lookup<LLVM::LLVMFuncOp>(wait.getCallee());
      LLVM::CallOp call = callElision(builder, op, func, task, wait.getArgs(), symbols);
      op->replaceAllUsesWith(call.getResults());
      op->erase();
    } else if (isa<SyncOp>(op)) {
      op->erase();
    }
  });
}

bool calls(LLVM::LLVMFuncOp func, LLVM::LLVMFuncOp task) {
  return func
      .walk([&](CallOp call) {
        return call.getCallee() == task.getName() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

struct CreateElisionsPass : cilk2gpu::cilk::impl::CreateElisionsPassBase<CreateElisionsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> loops = takeLoops(symbols);
    SmallVector<LLVM::LLVMFuncOp> elisions;
    for (auto func : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>())) {
      if (!isTask(func) || func->hasAttr(kWrapsAttr) || func->hasAttr(kElisionAttr) || func.isExternal())
        continue;
      LLVM::LLVMFuncOp loop = loops.lookup(func);
      if (!loop || calls(loop, func))
        elisions.push_back(cloneElision(func, symbols));
      if (loop)
        elisions.push_back(loop);
      func->setAttr(kElisionAttr, FlatSymbolRefAttr::get(elisions.back()));
    }
    for (LLVM::LLVMFuncOp func : elisions)
      elide(func, symbols);
  }

  /// Returns the serial loops by their tasks. They are no tasks any more.
  llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> takeLoops(SymbolTable &symbols) {
    llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> loops;
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (Operation *task = taskOfLoop(func).empty() ? nullptr : symbols.lookup(taskOfLoop(func))) {
        loops[task] = func;
        func->removeAttr(kTaskAttr);
      }
    return loops;
  }

  static LLVM::LLVMFuncOp cloneElision(LLVM::LLVMFuncOp func, SymbolTable &symbols) {
    LLVM::LLVMFuncOp elision = func.clone();
    elision.setName(elisionName(func.getName()));
    elision.setLinkage(LLVM::Linkage::Internal);
    elision->removeAttr(kTaskAttr);
    elision.removeComdatAttr();
    elision.setVisibility_(LLVM::Visibility::Default);
    symbols.insert(elision, std::next(func->getIterator()));
    cilk2gpu::makeOwnDebugScope(elision);
    return elision;
  }
};

} // namespace
