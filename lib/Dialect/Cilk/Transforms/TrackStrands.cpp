// Gives the strands of tasks their views of reducers: every task that may look up a view gets a slot as its last
// argument, and calls of the runtime at its spawns and syncs.
#include "cilk2gpu/Dialect/Analysis/Cuts.h"
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h"
#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/abi/StrandViews.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2gpu::cilk {
#define GEN_PASS_DEF_TRACKSTRANDSPASS
#include "cilk2gpu/Dialect/Cilk/Transforms/Passes.h.inc"
} // namespace cilk2gpu::cilk

using namespace mlir;
using namespace cilk2gpu;
using namespace cilk2gpu::cilk;

namespace {

/// A function of the runtime that programs call, and the form for a known activation.
struct TrackedFunction {
  StringRef called, tracked;
};

constexpr TrackedFunction kReducerFunctions[] = {
    {kHyperLookup, kViewsLookup}, {kReducerRegister, kViewsRegister}, {kReducerUnregister, kViewsUnregister}};

/// The functions around an ordered task. They look up no view.
constexpr TrackedFunction kOrderFunctions[] = {{kDependEnter, "__cilk2gpu_views_adopt"},
                                               {kDependLeave, "__cilk2gpu_views_release"}};

/// Names of functions of one instruction each, which is not known here (cilk-outline-unknown).
constexpr StringLiteral kOutlined = "__cilk2gpu_outlined";

const TrackedFunction *findFunction(ArrayRef<TrackedFunction> functions, StringRef name) {
  auto *found = llvm::find_if(functions, [&](auto &function) { return function.called == name; });
  return found == functions.end() ? nullptr : found;
}

bool isCallOf(Operation *op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == name;
}

bool contains(LLVM::LLVMFuncOp func, llvm::function_ref<bool(Operation *)> matches) {
  return func.walk([&](Operation *op) { return matches(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Returns true if `op` calls a function, possibly through a pointer. `callee` is the function's name, or empty.
bool isCall(Operation *op, StringRef &callee) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    callee = call.getCallee().value_or("");
  else if (auto invoke = dyn_cast<LLVM::InvokeOp>(op))
    callee = invoke.getCallee().value_or("");
  else
    return false;
  return true;
}

/// Finds the functions of a module that may look up a view.
class LookingUp {
public:
  LookingUp(ModuleOp module, SymbolTable &symbols) : symbols(symbols) {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto func : module.getOps<LLVM::LLVMFuncOp>())
        if (!func.isExternal() && !found.contains(func) && hasLookup(func))
          changed = found.insert(func);
    }
  }

  bool contains(LLVM::LLVMFuncOp func) const { return found.contains(func); }

  /// Returns true if an operation calls or spawns a function that may look up a view.
  bool mayLookUp(Operation *op) const {
    StringRef callee;
    if (auto spawn = dyn_cast<SpawnOp>(op))
      callee = spawn.getCallee();
    else if (!isCall(op, callee))
      return false;
    if (callee.empty() || findFunction(kReducerFunctions, callee))
      return true;
    auto func = symbols.lookup<LLVM::LLVMFuncOp>(callee);
    if (!func)
      return !callee.starts_with("llvm.");
    return func.isExternal() ? hasFunctionAttribute(func, kLooksUpAttr) || callee.starts_with(kOutlined)
                             : found.contains(func);
  }

private:
  bool hasLookup(LLVM::LLVMFuncOp func) const {
    return ::contains(func, [&](Operation *op) { return mayLookUp(op); });
  }

  SymbolTable &symbols;
  llvm::SetVector<Operation *> found;
};

/// Declares functions of the runtime, and calls them.
class Runtime {
public:
  Runtime(ModuleOp module, SymbolTable &symbols) : module(module), symbols(symbols) {}

  LLVM::LLVMFuncOp declare(StringRef name, ArrayRef<Type> params, Type result) {
    if (auto declared = symbols.lookup<LLVM::LLVMFuncOp>(name))
      return declared;
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(result ? result : LLVM::LLVMVoidType::get(module.getContext()), params);
    auto func = LLVM::LLVMFuncOp::create(atStart, UnknownLoc::get(module.getContext()), name, type);
    symbols.insert(func);
    if (name == kViewsLookup)
      setEffects(func);
    if (name == kViewsEnter || name == kViewsLeave) // they call no function of the program
      func.setNoUnwind(true);
    return func;
  }

  Value call(OpBuilder &builder, Location loc, StringRef name, ValueRange args, Type result = {}) {
    LLVM::LLVMFuncOp func = declare(name, llvm::to_vector(args.getTypes()), result);
    auto call = LLVM::CallOp::create(builder, loc, func, args);
    return call->getNumResults() ? call.getResult() : Value();
  }

private:
  /// Lookups of a reducer in one strand have one result. A lookup reads memory that only the runtime sees, and all
  /// other calls may change that memory.
  static void setEffects(LLVM::LLVMFuncOp lookup) {
    using Memory = LLVM::ModRefInfo;
    constexpr Memory kNone = Memory::NoModRef;
    lookup.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(lookup.getContext(), {kNone, kNone, Memory::Ref, kNone, kNone, kNone}));
    lookup.setNoUnwind(true);
    lookup.setWillReturn(true);
  }

  ModuleOp module;
  SymbolTable &symbols;
};

/// A task that is tracked: its function, its form with strands, and the elision of that form.
struct TrackedTask {
  LLVM::LLVMFuncOp func, strand, elision;
};

struct TrackStrandsPass : cilk2gpu::cilk::impl::TrackStrandsPassBase<TrackStrandsPass> {
  using Tasks = llvm::MapVector<Operation *, TrackedTask>;

  void runOnOperation() override {
    auto functions = llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>());
    bool isSure = llvm::any_of(functions, [](auto func) { return hasFunctionAttribute(func, kTracksAttr); });
    if (!isSure && llvm::none_of(functions, [](auto func) { return hasFunctionAttribute(func, kTracksIfUsedAttr); }))
      return;
    SymbolTable symbols(getOperation());
    Runtime runtime(getOperation(), symbols);
    LookingUp lookups(getOperation(), symbols);
    Tasks tasks;
    for (LLVM::LLVMFuncOp func : functions)
      if (isTask(func) && !func.isExternal() && lookups.contains(func) && (isSure || mayTrackLater(func)))
        tasks[func].func = func;
    SmallVector<LLVM::LLVMFuncOp> hosts = findHosts(functions, tasks, lookups, symbols);
    for (auto &[op, task] : tasks)
      createForms(task, symbols);
    for (auto &[op, task] : tasks) {
      trackTask(task.strand, tasks, symbols, lookups, runtime);
      fillElision(task, symbols, runtime);
      ++numTracked;
    }
    for (LLVM::LLVMFuncOp host : hosts)
      isSure ? trackHost(host, tasks, symbols, runtime) : trackHostIfUsed(host, tasks, symbols, runtime);
    for (auto &[op, task] : tasks)
      isSure ? replaceFunction(task, symbols, runtime) : keepFunction(task, runtime);
    if (!isSure)
      dropOrder(functions);
  }

  /// Returns true if a task of a unit without reducers is tracked where the program has some.
  static bool mayTrackLater(LLVM::LLVMFuncOp func) {
    return func->hasAttr(kWrapsAttr) || hasFunctionAttribute(func, kTracksIfUsedAttr);
  }

  /// Returns the ordinary functions whose children have views: `main`.
  static SmallVector<LLVM::LLVMFuncOp> findHosts(ArrayRef<LLVM::LLVMFuncOp> functions, const Tasks &tasks,
                                                 const LookingUp &lookups, SymbolTable &symbols) {
    SmallVector<LLVM::LLVMFuncOp> hosts;
    for (LLVM::LLVMFuncOp func : functions)
      if (!isTask(func) && contains(func, [&](Operation *op) {
            auto spawn = dyn_cast<SpawnOp>(op);
            return (isCallOf(op, kDependAdd) && lookups.contains(func)) || (spawn && isTracked(spawn, tasks, symbols));
          }))
        hosts.push_back(func);
    return hosts;
  }

  static bool isTracked(SpawnOp spawn, const Tasks &tasks, SymbolTable &symbols) {
    return tasks.contains(symbols.lookup(spawn.getCallee()));
  }

  /// Gives kernels of a task the form that runs one lane after another, because a view belongs to one task.
  static void runLaneByLane(LLVM::LLVMFuncOp func) {
    SmallVector<Attribute> kept;
    if (ArrayAttr attributes = func.getPassthroughAttr())
      for (Attribute attribute : attributes) {
        auto pair = dyn_cast<ArrayAttr>(attribute);
        if (!pair || cast<StringAttr>(pair[0]).getValue() != kLanesAttr)
          kept.push_back(attribute);
      }
    func.setPassthroughAttr(ArrayAttr::get(func.getContext(), kept));
    addFunctionAttribute(func, kLanesAttr, "scalar");
  }

  /// Adds the parameter for the slot, behind the others.
  static void addSlot(LLVM::LLVMFuncOp form) {
    Builder builder(form.getContext());
    Type pointer = LLVM::LLVMPointerType::get(form.getContext());
    SmallVector<Type> params(form.getFunctionType().getParams());
    params.push_back(pointer);
    SmallVector<Attribute> attributes;
    if (ArrayAttr old = form.getArgAttrsAttr()) {
      llvm::append_range(attributes, old);
      attributes.push_back(builder.getDictionaryAttr({}));
      form.setArgAttrsAttr(builder.getArrayAttr(attributes));
    }
    form.setFunctionType(LLVM::LLVMFunctionType::get(form.getFunctionType().getReturnType(), params));
    form.getBody().front().addArgument(pointer, form.getLoc());
  }

  static LLVM::LLVMFuncOp createForm(LLVM::LLVMFuncOp func, StringRef suffix, SymbolTable &symbols) {
    LLVM::LLVMFuncOp form = func.clone();
    form.setName((namedFunction(func, symbols).getName() + suffix).str());
    form.setLinkage(LLVM::Linkage::Internal);
    form.removeComdatAttr();
    form.setVisibility_(LLVM::Visibility::Default);
    symbols.insert(form, std::next(func->getIterator()));
    makeOwnDebugScope(form);
    addSlot(form);
    return form;
  }

  static void createForms(TrackedTask &task, SymbolTable &symbols) {
    task.strand = createForm(task.func, ".strand", symbols);
    task.strand->setAttr(kStrandsAttr, FlatSymbolRefAttr::get(namedFunction(task.func, symbols)));
    task.strand->removeAttr(kWrapsAttr);
    runLaneByLane(task.strand);
    dropCallsInPlace(task.strand);
    task.elision = createForm(task.func, ".strand.serial", symbols);
    for (StringRef attribute : {kTaskAttr, kElisionAttr, kWrapsAttr})
      task.elision->removeAttr(attribute);
    task.strand->setAttr(kElisionAttr, FlatSymbolRefAttr::get(task.elision));
  }

  /// Returns the function of the program that a task runs.
  static LLVM::LLVMFuncOp namedFunction(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
    auto wrapped = task->getAttrOfType<FlatSymbolRefAttr>(kWrapsAttr);
    return wrapped ? symbols.lookup<LLVM::LLVMFuncOp>(wrapped.getValue()) : task;
  }

  /// Lets all plain calls take the graph (cilk-call-in-place).
  static void dropCallsInPlace(LLVM::LLVMFuncOp form) {
    SmallVector<LLVM::CallOp> questions;
    form.walk([&](LLVM::CallOp call) {
      if (call.getCallee() == StringRef(kCallInPlaceName))
        questions.push_back(call);
    });
    for (LLVM::CallOp question : questions) {
      OpBuilder builder(question);
      Type type = question.getResult().getType();
      question.getResult().replaceAllUsesWith(
          LLVM::ConstantOp::create(builder, question.getLoc(), type, builder.getIntegerAttr(type, 0)));
      question.erase();
    }
  }

  static Value createActivation(LLVM::LLVMFuncOp func) {
    Type bytes = LLVM::LLVMArrayType::get(IntegerType::get(func.getContext(), 8), abi::kActivationBytes);
    return createLocal(func.getBody().front(), bytes, func.getLoc(), abi::kActivationAlign);
  }

  /// Lets each spawn of a tracked task, and each creation of an ordered task, make a slot. Lets each sync reduce the
  /// views of the children. Ends the activation by `end` at each return.
  void trackSpawns(LLVM::LLVMFuncOp func, Value self, StringRef end, const Tasks &tasks, SymbolTable &symbols,
                   Runtime &runtime) {
    SmallVector<Operation *> ops;
    bool hasSpawns = false;
    func.walk([&](Operation *op) {
      bool isOrdered = isCallOf(op, kDependAdd);
      hasSpawns |= isa<SpawnOp>(op) || isOrdered;
      if (isa<SpawnOp, SyncOp, LLVM::ReturnOp>(op) || isOrdered)
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      if (auto add = dyn_cast<LLVM::CallOp>(op)) {
        runtime.call(builder, op->getLoc(), kDependReserve, {add.getArgOperands().front(), self});
        continue;
      }
      if (auto spawn = dyn_cast<SpawnOp>(op)) {
        if (isTracked(spawn, tasks, symbols))
          spawnStrand(spawn, self, tasks, symbols, runtime);
        continue;
      }
      if (isa<SyncOp>(op))
        builder.setInsertionPointAfter(op);
      else if (hasSpawns)
        SyncOp::create(builder, op->getLoc());
      if (hasSpawns)
        runtime.call(builder, op->getLoc(), kViewsSync, self);
      if (isa<LLVM::ReturnOp>(op))
        runtime.call(builder, op->getLoc(), end, self);
    }
  }

  /// Spawns the form with strands. Its slot is the last argument.
  static void spawnStrand(SpawnOp spawn, Value self, const Tasks &tasks, SymbolTable &symbols, Runtime &runtime) {
    OpBuilder builder(spawn);
    Value slot = runtime.call(builder, spawn.getLoc(), kViewsSpawn, self, self.getType());
    spawn.getArgsMutable().append(slot);
    spawn.setCalleeAttr(FlatSymbolRefAttr::get(tasks.find(symbols.lookup(spawn.getCallee()))->second.strand));
  }

  void trackTask(LLVM::LLVMFuncOp func, const Tasks &tasks, SymbolTable &symbols, const LookingUp &lookups,
                 Runtime &runtime) {
    Value self = createActivation(func);
    trackCalls(func, self, lookups, runtime);
    trackSpawns(func, self, kViewsEnd, tasks, symbols, runtime);
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfter(self.getDefiningOp());
    Value slot = func.getArguments().back();
    runtime.call(builder, func.getLoc(), kViewsBegin, {self, slot});
  }

  /// Gives each call that may look up a view the task's activation.
  void trackCalls(LLVM::LLVMFuncOp func, Value self, const LookingUp &lookups, Runtime &runtime) {
    SmallVector<Operation *> calls;
    SmallVector<Operation *> pads;
    func.walk([&](Operation *op) {
      StringRef callee;
      if (isCall(op, callee) && (lookups.mayLookUp(op) || findFunction(kOrderFunctions, callee)))
        calls.push_back(op);
      if (isa<LLVM::LandingpadOp>(op))
        pads.push_back(op);
    });
    bool entersAnInvoke = false;
    for (Operation *op : calls) {
      entersAnInvoke |= isa<LLVM::InvokeOp>(op);
      auto call = dyn_cast<LLVM::CallOp>(op);
      StringRef callee = call ? call.getCallee().value_or("") : "";
      const TrackedFunction *order = findFunction(kOrderFunctions, callee);
      if (const TrackedFunction *function = order ? order : findFunction(kReducerFunctions, callee))
        replaceCall(call, *function, self, runtime);
      else
        enterAround(op, self, runtime);
    }
    if (entersAnInvoke)
      for (Operation *pad : pads)
        leaveAt(Block::iterator(pad->getNextNode()), pad->getBlock(), self, runtime);
  }

  /// Lets a call name the activation.
  static void replaceCall(LLVM::CallOp call, const TrackedFunction &function, Value self, Runtime &runtime) {
    OpBuilder builder(call);
    SmallVector<Value> args{self};
    llvm::append_range(args, call.getArgOperands());
    Type type = call->getNumResults() ? call.getResult().getType() : Type();
    Value result = runtime.call(builder, call.getLoc(), function.tracked, args, type);
    if (result)
      call.getResult().replaceAllUsesWith(result);
    call.erase();
  }

  static void leaveAt(Block::iterator place, Block *block, Value self, Runtime &runtime) {
    OpBuilder builder(block, place);
    runtime.call(builder, self.getLoc(), kViewsLeave, self);
  }

  static void enterAround(Operation *op, Value self, Runtime &runtime) {
    OpBuilder builder(op);
    runtime.call(builder, op->getLoc(), kViewsEnter, self);
    if (auto invoke = dyn_cast<LLVM::InvokeOp>(op))
      leaveAt(invoke.getNormalDest()->begin(), invoke.getNormalDest(), self, runtime);
    else
      leaveAt(std::next(Block::iterator(op)), op->getBlock(), self, runtime);
  }

  /// Returns the function that has the effect of a task in an elision.
  static LLVM::LLVMFuncOp elisionOf(LLVM::LLVMFuncOp task, SymbolTable &symbols) {
    for (StringRef name : {kWrapsAttr, kElisionAttr})
      if (auto ref = task->getAttrOfType<FlatSymbolRefAttr>(name))
        return symbols.lookup<LLVM::LLVMFuncOp>(ref.getValue());
    return {};
  }

  static LLVM::CallOp callElision(OpBuilder &builder, Location loc, LLVM::LLVMFuncOp task, ValueRange args,
                                  SymbolTable &symbols) {
    LLVM::LLVMFuncOp elision = elisionOf(task, symbols);
    auto call = LLVM::CallOp::create(builder, loc, elision, args);
    call.setCConv(elision.getCConv());
    call.setArgAttrsAttr(elision.getArgAttrsAttr());
    call.setResAttrsAttr(elision.getResAttrsAttr());
    return call;
  }

  static Block *clearBody(LLVM::LLVMFuncOp func, OpBuilder &builder) {
    func.getBody().dropAllReferences();
    func.getBody().getBlocks().clear();
    Block *entry = func.addEntryBlock(builder);
    builder.setInsertionPointToEnd(entry);
    return entry;
  }

  /// f.strand.serial(args, slot) { begin; enter; r = f.serial(args); leave; end; return r }
  static void fillElision(TrackedTask &task, SymbolTable &symbols, Runtime &runtime) {
    OpBuilder builder(task.elision.getContext());
    Location loc = task.elision.getLoc();
    Block *entry = clearBody(task.elision, builder);
    Value self = createActivation(task.elision);
    runtime.call(builder, loc, kViewsBegin, {self, entry->getArguments().back()});
    runtime.call(builder, loc, kViewsEnter, self);
    LLVM::CallOp call = callElision(builder, loc, task.func, entry->getArguments().drop_back(), symbols);
    runtime.call(builder, loc, kViewsLeave, self);
    runtime.call(builder, loc, kViewsEnd, self);
    LLVM::ReturnOp::create(builder, loc, call.getResults());
  }

  void trackHost(LLVM::LLVMFuncOp func, const Tasks &tasks, SymbolTable &symbols, Runtime &runtime) {
    Value self = createActivation(func);
    trackSpawns(func, self, "__cilk2gpu_views_end_host", tasks, symbols, runtime);
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfter(self.getDefiningOp());
    runtime.call(builder, func.getLoc(), "__cilk2gpu_views_begin_host", self);
  }

  /// Lets each spawn in `main` choose one of two forms, in a unit without reducers.
  void trackHostIfUsed(LLVM::LLVMFuncOp func, const Tasks &tasks, SymbolTable &symbols, Runtime &runtime) {
    SmallVector<SpawnOp> spawns;
    func.walk([&](SpawnOp spawn) {
      if (isTracked(spawn, tasks, symbols))
        spawns.push_back(spawn);
    });
    Value self = createActivation(func);
    trackSpawns(func, self, "__cilk2gpu_views_end_host", {}, symbols, runtime);
    for (SpawnOp spawn : spawns)
      chooseForm(spawn, self, tasks.find(symbols.lookup(spawn.getCallee()))->second.strand, runtime);
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfter(self.getDefiningOp());
    runtime.call(builder, func.getLoc(), "__cilk2gpu_views_begin_host", self);
  }

  /// spawn @f(args) -> if (slot = a slot, or null in a program without reducers) spawn @f.strand(args, slot)
  ///                   else spawn @f(args)
  static void chooseForm(SpawnOp spawn, Value self, LLVM::LLVMFuncOp form, Runtime &runtime) {
    OpBuilder builder(spawn);
    Location loc = spawn.getLoc();
    Value slot = runtime.call(builder, loc, "__cilk2gpu_views_spawn_if_used", self, self.getType());
    Value null = LLVM::ZeroOp::create(builder, loc, self.getType());
    Value isUsed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, slot, null);
    Block *before = spawn->getBlock(), *plain = before->splitBlock(spawn);
    Block *after = plain->splitBlock(std::next(spawn->getIterator()));
    Block *strand = builder.createBlock(after);
    auto tracked = cast<SpawnOp>(builder.clone(*spawn));
    tracked.getArgsMutable().append(slot);
    tracked.setCalleeAttr(FlatSymbolRefAttr::get(form));
    LLVM::BrOp::create(builder, loc, ValueRange(), after);
    builder.setInsertionPointToEnd(plain);
    LLVM::BrOp::create(builder, loc, ValueRange(), after);
    builder.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(builder, loc, isUsed, strand, ValueRange(), plain, ValueRange());
  }

  /// Leaves the task as it is. Its entry starts the form with strands if the program has reducers.
  static void keepFunction(TrackedTask &task, Runtime &runtime) {
    if (task.func->hasAttr(kWrapsAttr))
      return;
    task.func->setAttr(kStrandFormAttr, FlatSymbolRefAttr::get(task.strand));
    runtime.declare(kViewsRootIfUsed, {}, LLVM::LLVMPointerType::get(task.func.getContext()));
  }

  /// Removes the calls around ordered tasks. `functions` are tasks whose views are not tracked, and ordinary functions.
  static void dropOrder(ArrayRef<LLVM::LLVMFuncOp> functions) {
    SmallVector<Operation *> calls;
    for (LLVM::LLVMFuncOp func : functions)
      if (isTask(func))
        func.walk([&](LLVM::CallOp call) {
          if (findFunction(kOrderFunctions, call.getCallee().value_or("")))
            calls.push_back(call);
        });
    for (Operation *call : calls)
      call->erase();
  }

  /// Makes the task's function an ordinary function that runs the form with strands as a root. In a task, the function
  /// calls its elision. Erases a function that ordinary code cannot call.
  static void replaceFunction(TrackedTask &task, SymbolTable &symbols, Runtime &runtime) {
    LLVM::LLVMFuncOp func = task.func;
    bool isOwn = functionAttribute(func, kOriginAttr) == func.getName();
    if (func->hasAttr(kWrapsAttr) || (!isOwn && SymbolTable::symbolKnownUseEmpty(func, func->getParentOp())))
      return symbols.erase(func);
    OpBuilder builder(func.getContext());
    Location loc = func.getLoc();
    Block *entry = clearBody(func, builder);
    Block *serial = builder.createBlock(&func.getBody(), func.getBody().end());
    Block *run = builder.createBlock(&func.getBody(), func.getBody().end());
    builder.setInsertionPointToEnd(entry);
    Value isSerial = channel::SerialOp::create(builder, loc, builder.getI1Type());
    LLVM::CondBrOp::create(builder, loc, isSerial, serial, ValueRange(), run, ValueRange());
    builder.setInsertionPointToEnd(serial);
    LLVM::ReturnOp::create(builder, loc, callElision(builder, loc, func, entry->getArguments(), symbols).getResults());
    builder.setInsertionPointToEnd(run);
    runRoot(builder, task, entry, runtime);
    func->removeAttr(kTaskAttr);
    func->removeAttr(kElisionAttr);
  }

  /// spawn @f.strand(args, root slot) into %result; sync; return %result
  static void runRoot(OpBuilder &builder, TrackedTask &task, Block *entry, Runtime &runtime) {
    Location loc = task.func.getLoc();
    SmallVector<Value> args(entry->getArguments());
    args.push_back(
        runtime.call(builder, loc, "__cilk2gpu_views_root", {}, LLVM::LLVMPointerType::get(builder.getContext())));
    Type type = task.func.getFunctionType().getReturnType();
    bool hasResult = !isa<LLVM::LLVMVoidType>(type);
    Type held = type.isInteger(1) ? builder.getI8Type() : type; // the slot of a bool is a byte
    Value result = hasResult ? createLocal(*entry, held, loc) : Value();
    SpawnOp::create(builder, loc, FlatSymbolRefAttr::get(task.strand), args, result,
                    hasResult ? TypeAttr::get(type) : TypeAttr());
    SyncOp::create(builder, loc);
    SmallVector<Value> results;
    if (hasResult)
      results.push_back(LLVM::LoadOp::create(builder, loc, held, result));
    if (held != type && hasResult)
      results[0] = LLVM::TruncOp::create(builder, loc, type, results[0]);
    LLVM::ReturnOp::create(builder, loc, results);
  }
};

} // namespace
