// Lets tasks return what they store through a pointer at their end.
#include "Paths.h"
#include "ResultFold.h"

#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/Mem2Reg.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_RETURNPARAMETERSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// A task and the form that returns what the task stores through one of its parameters.
struct Returning {
  unsigned parameter;
  Type type;
  LLVM::LLVMFuncOp form;
};

/// Returns the type of what a task stores through the parameter, if this is the last thing that the task does on every
/// path, and if it uses the parameter for nothing else. Returns null otherwise.
Type storedAtEnd(LLVM::LLVMFuncOp task, BlockArgument parameter) {
  Type type;
  Points stores, effects, returns;
  SmallVector<LLVM::StoreOp> found;
  for (OpOperand &use : parameter.getUses()) {
    auto store = dyn_cast<LLVM::StoreOp>(use.getOwner());
    if (!store || store.getValue() == parameter || store.getVolatile_() ||
        store.getOrdering() != LLVM::AtomicOrdering::not_atomic || (type && type != store.getValue().getType()))
      return {};
    type = store.getValue().getType();
    stores.add(store.getOperation());
    found.push_back(store);
  }
  if (!type || !ResultFold::canFold(type) || type.isInteger(1))
    return {};
  task.walk([&](Operation *op) {
    if (isa<LLVM::ReturnOp>(op))
      returns.add(op);
    else if (!isa<BranchOpInterface>(op) && !isMemoryEffectFree(op) && op != task)
      effects.add(op);
  });
  bool isLast =
      llvm::none_of(found, [&](LLVM::StoreOp store) { return reaches(store.getOperation(), effects, Points()); });
  return isLast && !reachesFromStart(&task.getBody().front(), returns, stores) ? type : Type();
}

std::optional<Returning> analyse(LLVM::LLVMFuncOp task) {
  bool hasSpawn = false;
  task.walk([&](SpawnOp) { hasSpawn = true; });
  auto type = task.getFunctionType();
  if (!hasSpawn || !isa<LLVM::LLVMVoidType>(type.getReturnType()) || type.isVarArg() || task->hasAttr(kElisionAttr) ||
      task->hasAttr(kWrapsAttr) || hasFunctionAttribute(task, kTracksAttr))
    return {};
  for (BlockArgument parameter : task.getArguments())
    if (isa<LLVM::LLVMPointerType>(parameter.getType()) &&
        !task.getArgAttr(parameter.getArgNumber(), LLVM::LLVMDialect::getByValAttrName()))
      if (Type stored = storedAtEnd(task, parameter))
        return Returning{parameter.getArgNumber(), stored, {}};
  return {};
}

struct ReturnParametersPass : cilk2gpu::cilk::impl::ReturnParametersPassBase<ReturnParametersPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::MapVector<Operation *, Returning> tasks;
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (isTask(func) && !func.isExternal())
        if (std::optional<Returning> returning = analyse(func))
          tasks.insert({func, *returning});
    for (auto &[task, returning] : tasks)
      makeForm(cast<LLVM::LLVMFuncOp>(task), returning, symbols);
    for (auto &[task, returning] : tasks)
      forward(cast<LLVM::LLVMFuncOp>(task), returning);
    SmallVector<Operation *> calls;
    getOperation().walk([&](Operation *op) {
      if (isa<SpawnOp, CallOp>(op))
        calls.push_back(op);
    });
    for (Operation *op : calls)
      useForm(op, tasks, symbols);
    numReturning += tasks.size();
  }

  /// Makes the form: a copy of the task that stores to a variable of its own, and returns the variable's value.
  static void makeForm(LLVM::LLVMFuncOp task, Returning &returning, SymbolTable &symbols) {
    LLVM::LLVMFuncOp form = task.clone();
    form.setName((task.getName() + ".value").str());
    form.setLinkage(LLVM::Linkage::Internal);
    form.removeComdatAttr();
    form.setVisibility_(LLVM::Visibility::Default);
    symbols.insert(form, std::next(task->getIterator()));
    makeOwnDebugScope(form);
    OpBuilder builder(form.getContext());
    Block &entry = form.getBody().front();
    builder.setInsertionPointToStart(&entry);
    Location loc = form.getLoc();
    Value one = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
    auto result =
        LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(form.getContext()), returning.type, one);
    entry.getArgument(returning.parameter).replaceAllUsesWith(result);
    form.walk([&](LLVM::ReturnOp op) {
      builder.setInsertionPoint(op);
      LLVM::ReturnOp::create(builder, op.getLoc(), LLVM::LoadOp::create(builder, op.getLoc(), returning.type, result));
      op.erase();
    });
    entry.eraseArgument(returning.parameter);
    SmallVector<Type> parameters(form.getFunctionType().getParams());
    parameters.erase(parameters.begin() + returning.parameter);
    if (ArrayAttr attributes = form.getArgAttrsAttr()) {
      SmallVector<Attribute> kept(attributes.getValue());
      kept.erase(kept.begin() + returning.parameter);
      form.setArgAttrsAttr(builder.getArrayAttr(kept));
    }
    form.setFunctionType(LLVM::LLVMFunctionType::get(returning.type, parameters));
    DominanceInfo dominance(form);
    (void)tryToPromoteMemorySlots({cast<PromotableAllocationOpInterface>(result.getOperation())}, builder,
                                  DataLayout::closest(form), dominance);
    returning.form = form;
  }

  /// f(args, p) { spawn @f.value(args) into p; return }
  static void forward(LLVM::LLVMFuncOp task, Returning &returning) {
    task.getBody().dropAllReferences();
    task.getBody().getBlocks().clear();
    OpBuilder builder(task.getContext());
    Block *entry = task.addEntryBlock(builder);
    builder.setInsertionPointToEnd(entry);
    spawnForm(builder, task.getLoc(), returning, entry->getArguments());
    LLVM::ReturnOp::create(builder, task.getLoc(), ValueRange());
  }

  static void spawnForm(OpBuilder &builder, Location loc, Returning &returning, ValueRange args) {
    SpawnOp::create(builder, loc, FlatSymbolRefAttr::get(returning.form), others(returning, args),
                    args[returning.parameter], TypeAttr::get(returning.type));
  }

  /// Returns the arguments of the form.
  static SmallVector<Value> others(const Returning &returning, ValueRange args) {
    SmallVector<Value> kept(args);
    kept.erase(kept.begin() + returning.parameter);
    return kept;
  }

  static void useForm(Operation *op, llvm::MapVector<Operation *, Returning> &tasks, SymbolTable &symbols) {
    auto spawn = dyn_cast<SpawnOp>(op);
    auto call = dyn_cast<CallOp>(op);
    auto found = tasks.find(symbols.lookup(spawn ? spawn.getCallee() : call.getCallee()));
    if (found == tasks.end())
      return;
    Returning &returning = found->second;
    OpBuilder builder(op);
    if (spawn) {
      spawnForm(builder, op->getLoc(), returning, spawn.getArgs());
    } else {
      auto value = CallOp::create(builder, op->getLoc(), returning.type, FlatSymbolRefAttr::get(returning.form),
                                  others(returning, call.getArgs()));
      LLVM::StoreOp::create(builder, op->getLoc(), value.getResult(), call.getArgs()[returning.parameter],
                            /*alignment=*/1);
    }
    op->erase();
  }
};

} // namespace
