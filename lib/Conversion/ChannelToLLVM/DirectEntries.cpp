// See DirectEntries.h.
#include "DirectEntries.h"

#include "Lowering.h"

#include "cilk2gpu/Support/DebugScopes.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/abi/EntrySite.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cilk2gpu;

namespace {

/// Finds functions from which a cycle of direct calls can be reached.
class Recursion {
public:
  explicit Recursion(SymbolTable &symbols) : symbols(symbols) {}
  bool isReachedFrom(LLVM::LLVMFuncOp func);

private:
  enum class State { Unknown, OnPath, Done };
  struct Step {
    Operation *func;
    SmallVector<Operation *> callees;
  };
  Step visit(Operation *func);

  SymbolTable &symbols;
  llvm::DenseMap<Operation *, State> states;
  llvm::DenseSet<Operation *> recursive;
};

/// An entry before the change. Its body then moves to a function of its own.
struct Entry {
  channel::SerialOp answer;
  LLVM::CondBrOp branch;
  LLVM::CallOp elision; ///< the first operation of the branch's first successor

  LLVM::LLVMFuncOp getFunction() { return answer->getParentOfType<LLVM::LLVMFuncOp>(); }
};

class EntryBuilder {
public:
  EntryBuilder(ModuleOp module, SymbolTable &symbols, Recursion &recursion)
      : module(module), symbols(symbols), recursion(recursion), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())) {
    Type none = LLVM::LLVMVoidType::get(builder.getContext()), i64 = builder.getI64Type();
    enter = declareRuntime(module, "__cilk2gpu_enter", i64, {pointer});
    left = declareRuntime(module, "__cilk2gpu_left", none, {pointer, i64});
  }
  void rewrite(Entry &entry);

private:
  Value number(Location loc, Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
  }
  Value addressOf(Location loc, StringRef global) { return LLVM::AddressOfOp::create(builder, loc, pointer, global); }
  Value loadOfThread(Location loc, StringRef name);
  std::string makeSite(LLVM::LLVMFuncOp func, bool isRecursive);
  bool isRecursive(LLVM::LLVMFuncOp elision);
  LLVM::LLVMFuncOp moveBody(LLVM::LLVMFuncOp func);
  void fillEntry(LLVM::LLVMFuncOp func, Entry &entry, LLVM::LLVMFuncOp start, StringRef site);
  Block *cloneSerial(LLVM::LLVMFuncOp func, Entry &entry);
  Block *callStart(LLVM::LLVMFuncOp func, LLVM::LLVMFuncOp start);
  Block *askSite(Location loc, StringRef site, Block *serial, Block *otherwise, bool passesToken);
  void enterStart(Entry &entry, StringRef site, bool isRecursive);
  void leaveSerial(Entry &entry, Value token, StringRef site);
  void callThroughRuntime(LLVM::CallOp call);
  LLVM::LLVMFuncOp makeThunk(LLVM::CallOp call, LLVM::LLVMStructType type);

  ModuleOp module;
  SymbolTable &symbols;
  Recursion &recursion;
  OpBuilder builder;
  Type pointer;
  LLVM::LLVMFuncOp enter, left, callElision; ///< the runtime's functions; the last one is declared when it is needed
};

} // namespace

Recursion::Step Recursion::visit(Operation *func) {
  states[func] = State::OnPath;
  Step step{func, {}};
  func->walk([&](CallOpInterface call) {
    auto name = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (Operation *callee = name ? symbols.lookup(name.getLeafReference()) : nullptr)
      step.callees.push_back(callee);
  });
  return step;
}

bool Recursion::isReachedFrom(LLVM::LLVMFuncOp func) {
  SmallVector<Step> path;
  if (states[func] == State::Unknown)
    path.push_back(visit(func));
  while (!path.empty()) {
    Step &last = path.back();
    if (last.callees.empty()) {
      states[last.func] = State::Done;
      bool isRecursive = recursive.contains(last.func);
      path.pop_back();
      if (isRecursive && !path.empty())
        recursive.insert(path.back().func);
      continue;
    }
    Operation *callee = last.callees.pop_back_val();
    State state = states[callee];
    if (state == State::OnPath || recursive.contains(callee))
      recursive.insert(last.func);
    if (state == State::Unknown)
      path.push_back(visit(callee));
  }
  return recursive.contains(func);
}

/// Loads a number that the runtime keeps for each thread.
Value EntryBuilder::loadOfThread(Location loc, StringRef name) {
  if (!symbols.lookup(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    symbols.insert(LLVM::GlobalOp::create(top, loc, builder.getI32Type(), /*isConstant=*/false, LLVM::Linkage::External,
                                          name, Attribute(), /*alignment=*/4, /*addrSpace=*/0,
                                          /*dsoLocal=*/false, /*thread_local_=*/true));
  }
  return LLVM::LoadOp::create(builder, loc, builder.getI32Type(), addressOf(loc, name), /*alignment=*/4);
}

std::string EntryBuilder::makeSite(LLVM::LLVMFuncOp func, bool isRecursive) {
  std::string name = ("__cilk2gpu_entry_" + func.getName()).str();
  SmallVector<int32_t> words(sizeof(abi::EntrySite) / sizeof(int32_t));
  words[offsetof(abi::EntrySite, isRecursive) / sizeof(int32_t)] = isRecursive;
  OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), words.size());
  auto shape = RankedTensorType::get({static_cast<int64_t>(words.size())}, builder.getI32Type());
  symbols.insert(LLVM::GlobalOp::create(top, func.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                        DenseElementsAttr::get(shape, ArrayRef<int32_t>(words)), /*alignment=*/64));
  return name;
}

/// Makes a block before `serial` that looks at the site. It goes to `serial` or to `otherwise`. With `passesToken`,
/// `serial` gets a token of 0.
Block *EntryBuilder::askSite(Location loc, StringRef site, Block *serial, Block *otherwise, bool passesToken) {
  Type i32 = builder.getI32Type();
  Block *ask = builder.createBlock(serial), *direct = builder.createBlock(serial);
  builder.setInsertionPointToEnd(ask);
  auto open = LLVM::LoadOp::create(builder, loc, i32, addressOf(loc, site), /*alignment=*/4, /*isVolatile=*/false,
                                   /*isNonTemporal=*/false, /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                   LLVM::AtomicOrdering::monotonic);
  Value left = loadOfThread(loc, kDirectCallsName);
  Value both = LLVM::AndOp::create(builder, loc, left, open);
  Value isDirect = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::sgt, both, number(loc, i32, 0));
  LLVM::CondBrOp::create(builder, loc, isDirect, direct, ValueRange(), otherwise, ValueRange(), std::pair(64u, 1u));

  builder.setInsertionPointToEnd(direct);
  Value fewer = LLVM::SubOp::create(builder, loc, left, number(loc, i32, 1));
  LLVM::StoreOp::create(builder, loc, fewer, addressOf(loc, kDirectCallsName), /*alignment=*/4);
  SmallVector<Value, 1> arguments;
  if (passesToken)
    arguments.push_back(number(loc, builder.getI64Type(), 0));
  LLVM::BrOp::create(builder, loc, arguments, serial);
  return ask;
}

/// Ends a timed call behind the elision.
void EntryBuilder::leaveSerial(Entry &entry, Value token, StringRef site) {
  Location loc = entry.elision.getLoc();
  Block *serial = entry.elision->getBlock();
  Block *rest = serial->splitBlock(entry.elision->getNextNode());
  Block *leave = builder.createBlock(rest);
  builder.setInsertionPointToEnd(serial);
  Value unTimed = number(loc, builder.getI64Type(), abi::kEntersElision);
  Value isTimed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ugt, token, unTimed);
  LLVM::CondBrOp::create(builder, loc, isTimed, leave, ValueRange(), rest, ValueRange(), std::pair(1u, 64u));
  builder.setInsertionPointToEnd(leave);
  LLVM::CallOp::create(builder, loc, left, ValueRange{addressOf(loc, site), token});
  LLVM::BrOp::create(builder, loc, ValueRange(), rest);
}

/// @f.direct(%arguments): loads the arguments, calls the elision, and stores its result.
LLVM::LLVMFuncOp EntryBuilder::makeThunk(LLVM::CallOp call, LLVM::LLVMStructType type) {
  Location loc = call.getLoc();
  auto caller = call->getParentOfType<LLVM::LLVMFuncOp>();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(caller);
  auto thunkType = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), {pointer});
  auto thunk = LLVM::LLVMFuncOp::create(builder, caller.getLoc(), (caller.getName() + ".direct").str(), thunkType,
                                        LLVM::Linkage::Internal);
  symbols.insert(thunk);
  thunk.setPassthroughAttr(caller.getPassthroughAttr());
  Block *body = thunk.addEntryBlock(builder);
  builder.setInsertionPointToEnd(body);
  auto field = [&](unsigned index) {
    return LLVM::GEPOp::create(builder, loc, pointer, type, body->getArgument(0),
                               ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
  };
  IRMapping mapping;
  for (auto [index, argument] : llvm::enumerate(call.getArgOperands()))
    mapping.map(argument, LLVM::LoadOp::create(builder, loc, argument.getType(), field(index)));
  Operation *inner = builder.clone(*call, mapping);
  if (inner->getNumResults())
    LLVM::StoreOp::create(builder, loc, inner->getResult(0), field(call.getArgOperands().size()));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  makeOwnDebugScope(thunk);
  return thunk;
}

/// call @f.serial(args) -> __cilk2gpu_call_elision(@f.direct, {args, result})
void EntryBuilder::callThroughRuntime(LLVM::CallOp call) {
  Location loc = call.getLoc();
  SmallVector<Type> fields(call.getArgOperands().getTypes());
  llvm::append_range(fields, call->getResultTypes());
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  LLVM::LLVMFuncOp thunk = makeThunk(call, type);
  builder.setInsertionPointToStart(&call->getParentOfType<LLVM::LLVMFuncOp>().getBody().front());
  Value memory = LLVM::AllocaOp::create(builder, loc, pointer, type, number(loc, builder.getI32Type(), 1));
  builder.setInsertionPoint(call);
  auto field = [&](unsigned index) {
    return LLVM::GEPOp::create(builder, loc, pointer, type, memory,
                               ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
  };
  for (auto [index, argument] : llvm::enumerate(call.getArgOperands()))
    LLVM::StoreOp::create(builder, loc, argument, field(index));
  if (!callElision)
    callElision = declareRuntime(module, "__cilk2gpu_call_elision", LLVM::LLVMVoidType::get(builder.getContext()),
                                 {pointer, pointer});
  LLVM::CallOp::create(builder, loc, callElision, ValueRange{addressOf(loc, thunk.getName()), memory});
  if (call->getNumResults())
    call.getResult().replaceAllUsesWith(
        LLVM::LoadOp::create(builder, loc, call.getResult().getType(), field(unsigned(call.getArgOperands().size()))));
}

bool EntryBuilder::isRecursive(LLVM::LLVMFuncOp elision) {
  return elision.isExternal() ? hasFunctionAttribute(elision, kRecursiveElisionAttr) : recursion.isReachedFrom(elision);
}

/// Moves the body of @f to a new function @f.start.
LLVM::LLVMFuncOp EntryBuilder::moveBody(LLVM::LLVMFuncOp func) {
  auto start = cast<LLVM::LLVMFuncOp>(func->cloneWithoutRegions());
  start.setName((func.getName() + ".start").str());
  start.setLinkage(LLVM::Linkage::Internal);
  start.setVisibility_(LLVM::Visibility::Default);
  start.removeComdatAttr();
  symbols.insert(start, std::next(func->getIterator()));
  start.getBody().takeBody(func.getBody());
  addFunctionAttribute(start, "cold");
  addFunctionAttribute(start, kOwnPassesAttr, kIfStraight);
  func.removePersonalityAttr();
  return start;
}

/// Clones the block that calls the elision, and what it uses, into @f.
Block *EntryBuilder::cloneSerial(LLVM::LLVMFuncOp func, Entry &entry) {
  Block &prefix = *entry.answer->getBlock(), &serial = *entry.branch.getTrueDest();
  llvm::SetVector<Operation *> used;
  auto addOperands = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp(); definition && definition->getBlock() == &prefix)
        used.insert(definition);
  };
  for (Operation &op : serial)
    addOperands(&op);
  for (unsigned index = 0; index < used.size(); ++index)
    addOperands(used[index]);
  IRMapping mapping;
  mapping.map(prefix.getArguments(), func.getBody().front().getArguments());
  builder.setInsertionPointToEnd(&func.getBody().front());
  for (Operation &op : prefix)
    if (used.contains(&op))
      builder.clone(op, mapping);
  Block *clone = builder.createBlock(&func.getBody(), func.getBody().end());
  for (Operation &op : serial)
    builder.clone(op, mapping);
  return clone;
}

Block *EntryBuilder::callStart(LLVM::LLVMFuncOp func, LLVM::LLVMFuncOp start) {
  Block *block = builder.createBlock(&func.getBody(), func.getBody().end());
  auto call = LLVM::CallOp::create(builder, func.getLoc(), start, func.getBody().front().getArguments());
  call.setNoInline(true);
  if (ArrayAttr attributes = start.getArgAttrsAttr())
    call.setArgAttrsAttr(attributes);
  if (ArrayAttr attributes = start.getResAttrsAttr())
    call.setResAttrsAttr(attributes);
  LLVM::ReturnOp::create(builder, func.getLoc(), call.getResults());
  return block;
}

/// Fills @f: the elision inside a task and where the site is open, and otherwise @f.start.
void EntryBuilder::fillEntry(LLVM::LLVMFuncOp func, Entry &entry, LLVM::LLVMFuncOp start, StringRef site) {
  Location loc = entry.answer.getLoc();
  Block *first = func.addEntryBlock(builder);
  Block *serial = cloneSerial(func, entry);
  // The loop of a cilk_for may be inlined where it starts, as the elision's loop. There, its first number is known.
  auto elision = symbols.lookup<LLVM::LLVMFuncOp>(*entry.elision.getCallee());
  if (!functionAttribute(elision, kSerialLoopAttr).empty())
    cast<LLVM::CallOp>(serial->front()).setNoInline(false);
  Block *outside = callStart(func, start);
  if (!site.empty())
    outside = askSite(loc, site, serial, outside, /*passesToken=*/false);
  builder.setInsertionPointToEnd(first);
  Value depth = loadOfThread(loc, kInsideTasksName);
  Value isInside = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, depth, number(loc, depth.getType(), 0));
  LLVM::CondBrOp::create(builder, loc, isInside, serial, ValueRange(), outside, ValueRange());
}

/// Lets @f.start ask the runtime for a token. A recursive elision runs on a stack of the runtime, so @f.start looks
/// at the site, too.
void EntryBuilder::enterStart(Entry &entry, StringRef site, bool isRecursive) {
  Location loc = entry.answer.getLoc();
  Block *serial = entry.branch.getTrueDest();
  Block *ask = entry.answer->getBlock()->splitBlock(entry.answer);
  Block *first = ask->getPrevNode();
  Value own = serial->addArgument(builder.getI64Type(), loc);
  Block *next = isRecursive ? askSite(loc, site, serial, ask, /*passesToken=*/true) : ask;
  builder.setInsertionPointToEnd(first);
  LLVM::BrOp::create(builder, loc, ValueRange(), next);
  builder.setInsertionPoint(entry.answer);
  Value token = LLVM::CallOp::create(builder, loc, enter, ValueRange(addressOf(loc, site))).getResult();
  entry.answer.replaceAllUsesWith(LLVM::TruncOp::create(builder, loc, builder.getI1Type(), token).getResult());
  entry.answer.erase();
  entry.branch.getTrueDestOperandsMutable().append(token);
  first->getParentOp()->walk([&](channel::ExecuteOp run) {
    builder.setInsertionPointAfter(run);
    LLVM::CallOp::create(builder, loc, left, ValueRange{addressOf(loc, site), token});
  });
  leaveSerial(entry, own, site);
  if (!isRecursive)
    return;
  callThroughRuntime(entry.elision);
  entry.elision.erase();
}

void EntryBuilder::rewrite(Entry &entry) {
  LLVM::LLVMFuncOp func = entry.getFunction();
  auto elision = symbols.lookup<LLVM::LLVMFuncOp>(*entry.elision.getCallee());
  bool callsSelf = isRecursive(elision);
  // The elision would otherwise be compiled for each of its calls. A call takes a nanosecond.
  entry.elision.setNoInline(true);
  // An elision that may throw must run as a part of a run, so that Cilk functions which ordinary code in it calls are
  // elisions, too. An exception may leave those.
  std::string site = elision.getNoUnwind() ? makeSite(func, callsSelf) : "";
  LLVM::LLVMFuncOp start = moveBody(func);
  fillEntry(func, entry, start, callsSelf ? "" : site);
  makeOwnDebugScope(start);
  if (!site.empty())
    enterStart(entry, site, callsSelf);
  addFunctionAttribute(func, kEntryAttr);
}

/// Returns the entry that begins with `answer`, if it has the form of an entry.
static std::optional<Entry> findEntry(channel::SerialOp answer, SymbolTable &symbols) {
  auto branch = dyn_cast<LLVM::CondBrOp>(answer->getBlock()->getTerminator());
  if (!answer->getBlock()->isEntryBlock() || !branch || branch.getCondition() != answer.getResult() ||
      branch.getTrueDest() == branch.getFalseDest() || !branch.getTrueDest()->getSinglePredecessor() ||
      !isa<LLVM::ReturnOp>(branch.getTrueDest()->getTerminator()))
    return std::nullopt; // such as main, whose spawns are followed by other code
  auto call = dyn_cast<LLVM::CallOp>(branch.getTrueDest()->front());
  auto elision = call && call.getCallee() ? symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee()) : LLVM::LLVMFuncOp();
  return elision ? std::optional(Entry{answer, branch, call}) : std::nullopt;
}

void cilk2gpu::makeDirectEntries(ModuleOp module) {
  SymbolTable symbols(module);
  Recursion recursion(symbols);
  SmallVector<Entry> entries;
  module.walk([&](channel::SerialOp answer) {
    if (std::optional<Entry> entry = findEntry(answer, symbols))
      entries.push_back(*entry);
  });
  if (entries.empty())
    return;
  EntryBuilder builder(module, symbols, recursion);
  for (Entry &entry : entries)
    builder.rewrite(entry);
}
