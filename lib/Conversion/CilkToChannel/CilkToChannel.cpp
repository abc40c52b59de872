// Splits all tasks of a module into the kernels of one channel-flow graph and makes their ordinary entries.
#include "TaskSplitter.h"

#include "Conversion/UnitGraph.h"
#include "cilk2gpu/Conversion/Passes.h"
#include "cilk2gpu/Support/Members.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "mlir/IR/Builders.h"

namespace cilk2gpu {
#define GEN_PASS_DEF_CONVERTCILKTOCHANNELPASS
#include "cilk2gpu/Conversion/Passes.h.inc"
} // namespace cilk2gpu

using namespace mlir;
using namespace cilk2gpu;

static SymbolRefAttr nodeOf(channel::GraphOp graph, StringRef name) {
  return SymbolRefAttr::get(graph.getSymNameAttr(), FlatSymbolRefAttr::get(graph.getContext(), name));
}

/// Enqueues the root of a task of a unit without reducers at the end of `block`: the task, or its form with strands if
/// the program has reducers. Leaves the builder behind it.
static void enqueueIfUsed(OpBuilder &builder, Location loc, channel::GraphOp graph, StringRef task, StringRef strands,
                          ArrayRef<Value> fields, unsigned numArgs, SymbolTable &symbols) {
  auto root = symbols.lookup<LLVM::LLVMFuncOp>(kViewsRootIfUsed);
  Value slot = LLVM::CallOp::create(builder, loc, root, ValueRange()).getResult();
  Value null = LLVM::ZeroOp::create(builder, loc, slot.getType());
  Value isUsed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, slot, null);
  Block *before = builder.getInsertionBlock();
  Region *region = before->getParent();
  Block *strand = builder.createBlock(region, region->end()), *plain = builder.createBlock(region, region->end());
  Block *after = builder.createBlock(region, region->end());
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isUsed, strand, ValueRange(), plain, ValueRange());
  SmallVector<Value> tracked(fields);
  tracked.insert(tracked.begin() + numArgs, slot);
  builder.setInsertionPointToEnd(strand);
  channel::RootOp::create(builder, loc, nodeOf(graph, strands), tracked);
  LLVM::BrOp::create(builder, loc, ValueRange(), after);
  builder.setInsertionPointToEnd(plain);
  channel::RootOp::create(builder, loc, nodeOf(graph, task), fields);
  LLVM::BrOp::create(builder, loc, ValueRange(), after);
  builder.setInsertionPointToEnd(after);
}

/// Replaces the body of a Cilk function. In a task, the new body calls the elision. Elsewhere, it enqueues a root and
/// runs the graph.
static void makeEntry(const TaskInfo &task, channel::GraphOp graph, LLVM::LLVMFuncOp elision, SymbolTable &symbols) {
  LLVM::LLVMFuncOp func = task.func;
  auto strands = dyn_cast_or_null<FlatSymbolRefAttr>(func->removeAttr(cilk::kStrandFormAttr));
  Location loc = func.getLoc();
  func.getBody().dropAllReferences();
  func.getBody().getBlocks().clear();
  func->removeAttr(cilk::kTaskAttr);
  func->removeAttr(cilk::kElisionAttr);
  func->removeAttr(cilk::kStartsAccumulationAttr);
  OpBuilder builder(func.getContext());
  Block *entry = func.addEntryBlock(builder);
  Block *serial = builder.createBlock(&func.getBody(), func.getBody().end());
  Block *run = builder.createBlock(&func.getBody(), func.getBody().end());

  builder.setInsertionPointToEnd(entry);
  Value isSerial = channel::SerialOp::create(builder, loc, builder.getI1Type());
  LLVM::CondBrOp::create(builder, loc, isSerial, serial, ValueRange(), run, ValueRange());

  builder.setInsertionPointToEnd(serial);
  auto call = LLVM::CallOp::create(builder, loc, elision, entry->getArguments());
  call.setCConv(elision.getCConv());
  call.setArgAttrsAttr(elision.getArgAttrsAttr());
  call.setResAttrsAttr(elision.getResAttrsAttr());
  LLVM::ReturnOp::create(builder, loc, call.getResults());

  builder.setInsertionPointToEnd(run);
  SmallVector<Value> fields;
  for (Value arg : entry->getArguments())
    fields.push_back(fieldOf(builder, loc, arg));
  Type resultType = func.getFunctionType().getReturnType();
  if (task.hasResult)
    fields.push_back(createLocal(*entry, resultType, loc));
  if (strands)
    enqueueIfUsed(builder, loc, graph, task.stack, strands.getValue(), fields, entry->getNumArguments(), symbols);
  else
    channel::RootOp::create(builder, loc, nodeOf(graph, task.stack), fields);
  channel::ExecuteOp::create(builder, loc);
  SmallVector<Value> results;
  if (task.hasResult)
    results.push_back(LLVM::LoadOp::create(builder, loc, resultType, fields[*task.destination]));
  LLVM::ReturnOp::create(builder, loc, results);
}

/// Lowers spawns and syncs in main, which is never split. A spawn enqueues a root, or calls the elision. A sync runs
/// the graph.
static void lowerHostSpawns(LLVM::LLVMFuncOp func, const TaskMap &tasks, channel::GraphOp graph, SymbolTable &symbols) {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<cilk::SpawnOp, cilk::SyncOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Location loc = op->getLoc();
    OpBuilder builder(op);
    if (auto spawn = dyn_cast<cilk::SpawnOp>(op)) {
      LLVM::LLVMFuncOp task = symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee());
      const TaskInfo &info = tasks.find(task)->second;
      StringRef attr = task->hasAttr(cilk::kWrapsAttr) ? cilk::kWrapsAttr : cilk::kElisionAttr;
      auto callee = symbols.lookup<LLVM::LLVMFuncOp>(task->getAttrOfType<FlatSymbolRefAttr>(attr).getValue());
      Value isSerial = channel::SerialOp::create(builder, loc, builder.getI1Type());
      Block *before = op->getBlock();
      Block *after = before->splitBlock(op);
      Block *serial = builder.createBlock(after);
      Block *root = builder.createBlock(after);
      builder.setInsertionPointToEnd(before);
      LLVM::CondBrOp::create(builder, loc, isSerial, serial, ValueRange(), root, ValueRange());
      builder.setInsertionPointToEnd(serial);
      auto call = LLVM::CallOp::create(builder, loc, callee, spawn.getArgs());
      call.setCConv(callee.getCConv());
      call.setArgAttrsAttr(callee.getArgAttrsAttr());
      call.setResAttrsAttr(callee.getResAttrsAttr());
      if (spawn.getDest())
        storeResult(builder, loc, call.getResult(), spawn.getDest(), /*alignment=*/1);
      LLVM::BrOp::create(builder, loc, after);
      builder.setInsertionPointToEnd(root);
      channel::RootOp::create(builder, loc, nodeOf(graph, info.stack), elementFields(builder, spawn, info));
      LLVM::BrOp::create(builder, loc, after);
    } else {
      channel::ExecuteOp::create(builder, loc);
    }
    op->erase();
  }
}

/// Makes each post-sync stack depend on all stacks of the tasks that its task spawns, directly or not.
static void createDependencies(channel::GraphOp graph) {
  llvm::MapVector<Attribute, llvm::SetVector<Attribute>> spawnedBy, stacksOf;
  SmallVector<channel::StackOp> waiting;
  for (Operation &op : graph.getBody().front()) {
    if (auto kernel = dyn_cast<channel::KernelOp>(op))
      spawnedBy[kernel.getTaskAttr()].insert(kernel.getSpawns().begin(), kernel.getSpawns().end());
    if (auto stack = dyn_cast<channel::StackOp>(op)) {
      auto self = FlatSymbolRefAttr::get(stack.getSymNameAttr());
      stacksOf[stack.getResumes() ? stack.getResumesAttr() : self].insert(self);
      if (stack.getResumes())
        waiting.push_back(stack);
    }
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&graph.getBody().front());
  for (channel::StackOp stack : waiting) {
    llvm::SetVector<Attribute> reached(spawnedBy[stack.getResumesAttr()]);
    for (unsigned i = 0; i < reached.size(); ++i)
      reached.insert(spawnedBy[reached[i]].begin(), spawnedBy[reached[i]].end());
    SmallVector<Attribute> on;
    for (Attribute task : reached)
      llvm::append_range(on, stacksOf[task]);
    channel::DependOp::create(builder, stack.getLoc(), FlatSymbolRefAttr::get(stack.getSymNameAttr()),
                              builder.getArrayAttr(on));
  }
}

/// Checks that the function which `attr` names can take the place of the task `func`. Its parameters are the first ones
/// of the task. Behind them, the task may have a slot or an accumulator. A task with an accumulator has no result of
/// its own.
static LogicalResult checkReplacement(LLVM::LLVMFuncOp func, StringRef attr, SymbolTable &symbols) {
  auto name = func->getAttrOfType<FlatSymbolRefAttr>(attr);
  if (!name)
    return success();
  auto replacement = symbols.lookup<LLVM::LLVMFuncOp>(name.getValue());
  if (!replacement)
    return func.emitError("a task's elision must be a function, but there is no ") << name << "; define it";
  LLVM::LLVMFunctionType type = func.getFunctionType(), called = replacement.getFunctionType();
  bool isAccumulated = attr == cilk::kAccumulatedElisionAttr;
  bool hasParameters = !called.isVarArg() && called.getNumParams() <= type.getNumParams() &&
                       called.getParams() == type.getParams().take_front(called.getNumParams());
  bool hasResult =
      isAccumulated ? !isa<LLVM::LLVMVoidType>(called.getReturnType()) : called.getReturnType() == type.getReturnType();
  if (hasParameters && hasResult)
    return success();
  return func.emitError("a task's elision must have the task's first parameters and its result, but ")
         << name << " has type " << called << " and the task " << type << "; name another function";
}

/// Checks what the attributes of a task say.
static LogicalResult checkTask(LLVM::LLVMFuncOp func, SymbolTable &symbols) {
  if (func.isExternal())
    return func.emitError("a task is defined where it is split, but @")
           << func.getName() << " is only declared; define it";
  for (StringRef attr : {cilk::kWrapsAttr, cilk::kElisionAttr, cilk::kAccumulatedElisionAttr})
    if (failed(checkReplacement(func, attr, symbols)))
      return failure();
  LLVM::LLVMFunctionType type = func.getFunctionType();
  bool hasAccumulator = type.getNumParams() != 0 && isa<LLVM::LLVMPointerType>(type.getParams().back()) &&
                        isa<LLVM::LLVMVoidType>(type.getReturnType());
  if (func->hasAttr(cilk::kAccumulationKindAttr) && !hasAccumulator)
    return func.emitError("a task with '")
           << cilk::kAccumulationKindAttr << "' returns nothing, and its last parameter is the accumulator's address, "
           << "but it has type " << type << "; add this parameter";
  if (func->hasAttr(cilk::kAccumulatedElisionAttr) && !func->hasAttr(cilk::kAccumulationKindAttr))
    return func.emitError("a task with '")
           << cilk::kAccumulatedElisionAttr << "' says how it accumulates, but it has no '"
           << cilk::kAccumulationKindAttr << "'; add it";
  return success();
}

/// Checks that every spawn is of a task, and that every task has a function that ordinary code can call in its place.
static bool checkSpawns(ModuleOp module, const TaskMap &tasks, SymbolTable &symbols) {
  auto result = module.walk([&](cilk::SpawnOp spawn) {
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(spawn.getCallee());
    if (!callee || !tasks.contains(callee)) {
      spawn.emitError("a spawn must be of a task, but @")
          << spawn.getCallee() << " is none; run cilk-wrap-ordinary-callees before this conversion";
      return WalkResult::interrupt();
    }
    bool isHost = !cilk::isTask(spawn->getParentOfType<LLVM::LLVMFuncOp>());
    if (isHost && !callee->hasAttr(cilk::kWrapsAttr) && !callee->hasAttr(cilk::kElisionAttr)) {
      spawn.emitError("a task that an ordinary function spawns must have an elision, but @")
          << spawn.getCallee() << " has none; run cilk-create-elisions before this conversion";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

namespace {

struct ConvertCilkToChannelPass : cilk2gpu::impl::ConvertCilkToChannelPassBase<ConvertCilkToChannelPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    TaskMap tasks;
    SmallVector<LLVM::LLVMFuncOp> hosts;
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      bool spawns = func.walk([](cilk::SpawnOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (cilk::isTask(func) && failed(checkTask(func, symbols)))
        return signalPassFailure();
      if (cilk::isTask(func))
        tasks.insert({func, TaskInfo(func, symbols)});
      else if (spawns)
        hosts.push_back(func);
    }
    if (tasks.empty() && hosts.empty())
      return;
    if (!checkSpawns(getOperation(), tasks, symbols))
      return signalPassFailure();
    channel::GraphOp graph = unitGraph(getOperation(), symbols);
    for (auto &[func, task] : tasks) {
      TaskSplitter splitter(task, tasks, graph, symbols);
      if (!splitter.run())
        return signalPassFailure();
      numKernels += splitter.getNumKernels();
      numFrameBytes += splitter.getFrameSize();
    }
    createDependencies(graph);
    for (LLVM::LLVMFuncOp host : hosts)
      lowerHostSpawns(host, tasks, graph, symbols);
    for (auto &[func, task] : tasks) {
      if (auto elision = func->getAttrOfType<FlatSymbolRefAttr>(cilk::kElisionAttr))
        makeEntry(task, graph, symbols.lookup<LLVM::LLVMFuncOp>(elision.getValue()), symbols);
      else
        symbols.erase(func);
    }
  }
};

} // namespace
