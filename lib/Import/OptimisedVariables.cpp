// Describes variables of Cilk functions in optimised code for debuggers. LLVM's records of variables do not go through
// MLIR there, because a use by a record could change the code. Instead, the unit's functions are copied and brought
// into SSA form after MLIR. The copy knows the value of each variable at each place, and the place is found again in
// the code that comes from MLIR:
//
//   %5 = icmp sgt i32 %4, 1   at line 7, column 10, where n is %4 and sum is %3
//
// Instructions keep their locations on the way through MLIR. So instructions with the same location, opcode and types
// are copies of one instruction, an anchor. Their results are copies of its result, and their operands are copies of
// its operands. That also leads to values that changed their form, such as an argument that a kernel loads from its
// task's frame. At each anchor, records say which copies the variables have. A variable whose value is not found there
// has no value for the debugger, so that it never shows an older one. Records do not change the code.
#include "Variables.h"

#include "Extract.h"
#include "ExtractTasks.h"

#include "cilk2gpu/Support/Analyses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <map>
#include <tuple>

using namespace llvm;
using namespace cilk2gpu;

/// Named metadata of a unit whose variables are described: its variables.
static constexpr const char kValueTable[] = "cilk2gpu.values";

namespace {

/// The identity of a variable, the same in all copies of a function.
using VariableKey = std::tuple<StringRef, StringRef, unsigned, unsigned>;

/// The identity of an instruction, the same in all copies of a function: line, column, opcode, types, callee.
using InstructionKey = std::tuple<unsigned, unsigned, unsigned, std::string>;

} // namespace

static VariableKey keyOf(const DILocalVariable &variable) {
  return {variable.getScope()->getSubprogram()->getName(), variable.getName(), variable.getLine(), variable.getArg()};
}

static std::optional<InstructionKey> keyOf(const Instruction &inst) {
  const DebugLoc &location = inst.getDebugLoc();
  bool isMark = isa<PHINode, AllocaInst, DbgInfoIntrinsic>(inst) || (inst.isTerminator() && !isa<ReturnInst>(inst));
  if (!location || !location.getLine() || location.getInlinedAt() || isMark)
    return std::nullopt;
  std::string form;
  raw_string_ostream os(form);
  os << *inst.getType() << inst.getNumOperands();
  for (const Use &operand : inst.operands())
    if (!isa<MetadataAsValue>(operand))
      isa<ConstantInt>(operand) ? os << "constant" : os << *operand->getType(); // MLIR changes the type of indices
  if (auto *compare = dyn_cast<CmpInst>(&inst))
    os << compare->getPredicate();
  if (auto *call = dyn_cast<CallBase>(&inst); call && call->getCalledFunction())
    os << call->getCalledFunction()->getName();
  return InstructionKey{location.getLine(), location.getCol(), inst.getOpcode(), form};
}

void cilk2gpu::noteValues(Module &unit) {
  SetVector<DILocalVariable *> variables;
  for (Function *function : findCilkFunctions(unit))
    if (!function->hasOptNone())
      for (Instruction &inst : instructions(*function))
        for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
          variables.insert(record.getVariable());
  if (variables.empty())
    return;
  NamedMDNode *table = unit.getOrInsertNamedMetadata(kValueTable);
  for (DILocalVariable *variable : variables)
    table->addOperand(MDTuple::get(unit.getContext(), {variable}));
}

void cilk2gpu::dropValueTable(Module &unit) {
  if (NamedMDNode *table = unit.getNamedMetadata(kValueTable))
    table->eraseFromParent();
}

//===-- The unit's functions --------------------------------------------------------------------------------------===//

/// Brings copied functions into SSA form, with the records of their variables.
static void makeSSA(Module &copy) {
  for (Function &function : copy) {
    function.removeFnAttr(Attribute::OptimizeNone);
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *mark = dyn_cast<IntrinsicInst>(&inst); mark && mark->isLifetimeStartOrEnd())
        mark->eraseFromParent();
  }
  Analyses analyses;
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
  passes.run(copy, analyses.modules);
}

namespace {

/// A variable, or a part of one.
struct Piece {
  DILocalVariable *variable;
  uint64_t offset, size; ///< in bits; both are 0 for the whole variable

  /// Orders pieces by the source, so that the records of a place have the same order in each compilation.
  auto key() const {
    auto *block = dyn_cast<DILexicalBlock>(variable->getScope());
    return std::tuple(variable->getLine(), variable->getArg(), variable->getName(), block ? block->getLine() : 0u,
                      block ? block->getColumn() : 0u, variable, offset, size);
  }
  bool operator<(const Piece &other) const { return key() < other.key(); }
  bool operator==(const Piece &other) const { return key() == other.key(); }
  bool overlaps(const Piece &other) const {
    return variable == other.variable &&
           (!size || !other.size || (offset < other.offset + other.size && other.offset < offset + size));
  }
};

/// The value of a variable. A variable in memory has its address, and its value where it has just been read or written.
struct Known {
  Value *value = nullptr;
  DIExpression *expression = nullptr;
  AllocaInst *memory = nullptr;
  DIExpression *memoryExpression = nullptr;

  bool operator==(const Known &other) const {
    return value == other.value && expression == other.expression && memory == other.memory;
  }
};

using State = std::map<Piece, Known>;

/// Knows the values of a function's variables at each of its instructions, in SSA form.
class VariableValues {
public:
  explicit VariableValues(Function &function);

  /// Returns the values at the begin of a block.
  State at(BasicBlock &block) const;

  /// Changes `state` by the records in front of an instruction.
  void passRecords(Instruction &inst, State &state) const;

  /// Changes `state` by what an instruction does to variables in memory.
  void pass(Instruction &inst, State &state) const;

private:
  DenseMap<BasicBlock *, State> ends; ///< at the end of each block
  MapVector<AllocaInst *, std::pair<Piece, DIExpression *>> inMemory;
};

} // namespace

static Piece pieceOf(const DbgVariableRecord &record) {
  std::optional<DIExpression::FragmentInfo> part = record.getExpression()->getFragmentInfo();
  return {record.getVariable(), part ? part->OffsetInBits : 0, part ? part->SizeInBits : 0};
}

/// Returns the memory of a record's variable, if the variable is in memory.
static AllocaInst *memoryOf(const DbgVariableRecord &record) {
  Value *address = nullptr;
  if (record.isDbgAssign())
    address = record.isKillAddress() ? nullptr : record.getAddress();
  else if (record.isDbgDeclare() && record.getNumVariableLocationOps() == 1)
    address = record.getVariableLocationOp(0);
  return dyn_cast_or_null<AllocaInst>(address);
}

/// Returns the expression that leads from the address of the memory to the address of the variable.
static DIExpression *memoryExpression(const DbgVariableRecord &record) {
  Piece piece = pieceOf(record);
  if (!record.isDbgAssign())
    return record.getExpression();
  if (!piece.size)
    return record.getAddressExpression();
  return *DIExpression::createFragmentExpression(record.getAddressExpression(), unsigned(piece.offset),
                                                 unsigned(piece.size));
}

VariableValues::VariableValues(Function &function) {
  for (Instruction &inst : instructions(function))
    for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
      if (AllocaInst *memory = memoryOf(record); memory && !record.getDebugLoc()->getInlinedAt())
        inMemory.insert({memory, {pieceOf(record), memoryExpression(record)}});
  ReversePostOrderTraversal<Function *> order(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : order) {
      State state = at(*block);
      for (Instruction &inst : *block) {
        passRecords(inst, state);
        pass(inst, state);
      }
      auto [place, isNew] = ends.try_emplace(block);
      changed |= isNew || place->second != state;
      place->second = std::move(state);
    }
  }
}

/// Reduces what is known of a variable to what holds in `other`, too. Returns false if that is nothing. A variable
/// stays in its memory if only its value differs. Otherwise the states of a loop's blocks might change for ever.
static bool agree(Known &known, const State &other, const Piece &piece) {
  auto found = other.find(piece);
  if (found == other.end())
    return false;
  if (found->second == known)
    return true;
  known.value = nullptr;
  known.expression = nullptr;
  return known.memory && known.memory == found->second.memory;
}

State VariableValues::at(BasicBlock &block) const {
  std::optional<State> state;
  for (BasicBlock *before : predecessors(&block)) {
    auto end = ends.find(before);
    if (end == ends.end())
      continue;
    if (!state)
      state = end->second;
    else
      for (auto entry = state->begin(); entry != state->end();)
        entry = agree(entry->second, end->second, entry->first) ? std::next(entry) : state->erase(entry);
  }
  return state.value_or(State());
}

void VariableValues::passRecords(Instruction &inst, State &state) const {
  for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange())) {
    if (record.getDebugLoc()->getInlinedAt())
      continue;
    Piece piece = pieceOf(record);
    AllocaInst *memory = memoryOf(record);
    auto old = state.find(piece);
    if (memory && old != state.end() && old->second.memory == memory)
      continue;
    std::erase_if(state, [&](const auto &entry) { return entry.first.overlaps(piece); });
    if (memory)
      state[piece] = {nullptr, nullptr, memory, memoryExpression(record)};
    else if (!record.isDbgDeclare() && record.getNumVariableLocationOps() == 1 && !record.isKillLocation())
      state[piece] = {record.getVariableLocationOp(0), record.getExpression()};
  }
}

void VariableValues::pass(Instruction &inst, State &state) const {
  auto *load = dyn_cast<LoadInst>(&inst);
  auto *store = dyn_cast<StoreInst>(&inst);
  auto *memory = dyn_cast_or_null<AllocaInst>(load    ? load->getPointerOperand()
                                              : store ? store->getPointerOperand()
                                                      : nullptr);
  if (!memory && inst.mayWriteToMemory())
    for (Known &known : make_second_range(state))
      if (known.memory)
        known.value = nullptr;
  auto declared = memory ? inMemory.find(memory) : inMemory.end();
  if (declared == inMemory.end())
    return;
  auto known = state.find(declared->second.first);
  Value *value = load ? load : store->getValueOperand();
  if (known != state.end() && known->second.memory == memory) {
    bool isWhole = value->getType() == memory->getAllocatedType() && declared->second.second->getNumElements() == 0;
    if (isWhole || store)
      known->second.value = isWhole ? value : nullptr;
    known->second.expression = declared->second.second;
  }
}

//===-- The functions that come from MLIR -------------------------------------------------------------------------===//

namespace {

using Anchors = std::map<InstructionKey, SmallVector<Instruction *, 1>>;

/// A line and a column.
using Place = std::pair<unsigned, unsigned>;

/// A function of the unit, in SSA form.
struct Source {
  explicit Source(Function &function) : function(function), values(function) {
    for (Instruction &inst : instructions(function))
      if (std::optional<InstructionKey> key = keyOf(inst)) {
        anchors[*key].push_back(&inst);
        if (auto *call = dyn_cast<CallBase>(&inst); call && call->getCalledFunction() && call->arg_size())
          calls[{std::get<0>(*key), std::get<1>(*key)}].push_back(call);
      }
  }

  Function &function;
  VariableValues values;
  Anchors anchors;
  std::map<Place, SmallVector<CallBase *, 1>> calls;
};

/// Adds records to a function that was made from `source`.
class ValueRecords {
public:
  ValueRecords(Function &function, const Source &source, const std::map<VariableKey, DILocalVariable *> &originals);

  void record();

private:
  /// A record that is to be added.
  struct Entry {
    Piece piece;
    Value *value; ///< null if the variable has no value that is known
    DIExpression *expression;
    DILocalScope *scope;
    BasicBlock::iterator before;
  };

  void match(Instruction &from, Instruction &copy);
  void matchSpawns(BasicBlock &block);
  void noteCopy(Value *value, Value *copy);
  Instruction *firstAt(Place place, Instruction &inst);
  Value *copyOf(Value *value, Instruction &place) const;
  void noteBlock(BasicBlock &block);
  void noteChanges(const State &shown, const State &state, Instruction &anchor, bool behind);
  Entry entryAt(const Piece &piece, const Known &known, Instruction &anchor, BasicBlock::iterator before) const;
  void add(const Entry &entry);
  void describeFrame();

  Function &function;
  const Source &source;
  const std::map<VariableKey, DILocalVariable *> &originals;
  DIBuilder builder;
  DominatorTree dominance;
  DenseMap<Value *, SmallSetVector<Value *, 2>> copies;
  DenseMap<Instruction *, SmallVector<Instruction *, 1>> places; ///< of the anchors
  std::vector<Entry> entries;
};

} // namespace

ValueRecords::ValueRecords(Function &function, const Source &source,
                           const std::map<VariableKey, DILocalVariable *> &originals)
    : function(function), source(source), originals(originals),
      builder(*function.getParent(), /*AllowUnresolved=*/true), dominance(function) {
  if (function.getFunctionType() == source.function.getFunctionType())
    for (auto [from, copy] : zip_equal(source.function.args(), function.args()))
      copies[&from].insert(&copy);
  for (Instruction &inst : instructions(function)) {
    std::optional<InstructionKey> key = keyOf(inst);
    auto found = key ? source.anchors.find(*key) : source.anchors.end();
    if (found != source.anchors.end() && found->second.size() == 1)
      match(*found->second.front(), inst);
  }
  for (BasicBlock &block : function)
    matchSpawns(block);
}

/// Returns the first instruction with the location of `inst` that is on every path to it. A spawn looks for space
/// before it stores arguments.
Instruction *ValueRecords::firstAt(Place place, Instruction &inst) {
  Instruction *first = &inst;
  for (DomTreeNode *node = dominance.getNode(inst.getParent()); node; node = node->getIDom()) {
    auto found = find_if(*node->getBlock(), [&](Instruction &each) {
      const DebugLoc &location = each.getDebugLoc();
      return location && !isa<PHINode>(each) && Place(location.getLine(), location.getCol()) == place;
    });
    if (found == node->getBlock()->end())
      break;
    first = &*found;
  }
  return first;
}

/// Matches spawned calls, which have become stores of their arguments into the columns of a channel, in order:
///   call f(a, b)   ->   store a, column0[i]; store b, column1[i]      at the location of the call
void ValueRecords::matchSpawns(BasicBlock &block) {
  std::map<Place, SmallVector<StoreInst *>> fields;
  for (Instruction &inst : block) {
    auto *store = dyn_cast<StoreInst>(&inst);
    auto *column = store ? dyn_cast<GetElementPtrInst>(store->getPointerOperand()) : nullptr;
    const DebugLoc &location = inst.getDebugLoc();
    if (column && !column->hasAllConstantIndices() && location && !location.getInlinedAt())
      fields[{location.getLine(), location.getCol()}].push_back(store);
  }
  for (const auto &[place, stores] : fields) {
    auto found = source.calls.find(place);
    if (found == source.calls.end() || found->second.size() != 1 || stores.size() < found->second.front()->arg_size())
      continue;
    CallBase &call = *found->second.front();
    places[&call].push_back(firstAt(place, *stores.front()));
    for (auto [argument, store] : zip_first(call.args(), stores))
      if (!isa<Constant>(argument) && argument->getType() == store->getValueOperand()->getType())
        noteCopy(argument, store->getValueOperand());
  }
}

/// Returns the value that a local always has, or null. A kernel that spawns keeps values in locals, because a lane may
/// wait there.
static Value *onlyValueOf(AllocaInst &local) {
  Value *found = nullptr;
  for (User *user : local.users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (isa<LoadInst>(user))
      continue;
    if (!store || found || store->getValueOperand() == &local)
      return nullptr;
    found = store->getValueOperand();
  }
  return found;
}

/// Notes that `copy` has the value of `value`, and with it what the copy was loaded from.
void ValueRecords::noteCopy(Value *value, Value *copy) {
  SmallSetVector<Value *, 2> &known = copies[value->stripPointerCasts()];
  auto *load = dyn_cast<LoadInst>(copy);
  auto *local = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  if (Value *kept = local ? onlyValueOf(*local) : nullptr; kept && kept->getType() == copy->getType())
    known.insert(kept);
  known.insert(copy);
}

void ValueRecords::match(Instruction &from, Instruction &copy) {
  places[&from].push_back(&copy);
  copies[from.stripPointerCasts()].insert(&copy);
  for (auto [operand, own] : zip_equal(from.operands(), copy.operands()))
    if (!isa<Constant, MetadataAsValue, BasicBlock>(operand))
      noteCopy(operand, own);
}

/// Returns the latest copy of a value that has been computed at `place`, or null.
Value *ValueRecords::copyOf(Value *value, Instruction &place) const {
  if (isa<ConstantData>(value))
    return value;
  auto found = copies.find(value->stripPointerCasts());
  Value *latest = nullptr;
  if (found != copies.end())
    for (Value *copy : found->second) {
      auto *inst = dyn_cast<Instruction>(copy);
      if (inst && !dominance.dominates(inst, &place))
        continue;
      auto *other = dyn_cast_or_null<Instruction>(latest);
      if (!latest || (inst && (!other || dominance.dominates(other, inst))))
        latest = copy;
    }
  return latest;
}

/// Returns the scope around `inner`, or `inner` itself, that is a copy of `original`.
static DILocalScope *scopeLike(const DILocalScope &original, DILocalScope *inner) {
  auto *block = dyn_cast<DILexicalBlock>(&original);
  for (DIScope *scope = inner; scope; scope = scope->getScope()) {
    auto *own = dyn_cast<DILexicalBlock>(scope);
    if (auto *program = dyn_cast<DISubprogram>(scope))
      return block ? nullptr : program;
    if (block && own && own->getLine() == block->getLine() && own->getColumn() == block->getColumn())
      return own;
  }
  return nullptr;
}

ValueRecords::Entry ValueRecords::entryAt(const Piece &piece, const Known &known, Instruction &anchor,
                                          BasicBlock::iterator before) const {
  auto *inner = cast<DILocalScope>(anchor.getDebugLoc()->getScope());
  Entry entry{piece, nullptr, nullptr, scopeLike(*piece.variable->getScope(), inner), before};
  if (known.memory)
    if (Value *address = copyOf(known.memory, *before); address && address->getType()->isPointerTy()) {
      entry.value = address;
      entry.expression = DIExpression::append(known.memoryExpression, {dwarf::DW_OP_deref});
      return entry;
    }
  if (known.value)
    entry.value = copyOf(known.value, *before);
  entry.expression = known.expression;
  if (entry.value && entry.value->getType() != known.value->getType())
    entry.value = nullptr;
  return entry;
}

/// Notes the changes from `shown` to `state` in front of or behind all copies of an anchor.
void ValueRecords::noteChanges(const State &shown, const State &state, Instruction &anchor, bool behind) {
  auto found = places.find(&anchor);
  if (found == places.end())
    return;
  for (Instruction *place : found->second) {
    if (behind && place->isTerminator())
      continue;
    BasicBlock::iterator before = behind ? std::next(place->getIterator()) : place->getIterator();
    for (const auto &[piece, known] : shown)
      if (!state.contains(piece))
        entries.push_back(entryAt(piece, Known(), *place, before));
    for (const auto &[piece, known] : state)
      if (auto old = shown.find(piece); old == shown.end() || !(old->second == known))
        entries.push_back(entryAt(piece, known, *place, before));
  }
}

/// Notes the values of the variables at the anchors of one block of the source. The first anchor gets all of them.
void ValueRecords::noteBlock(BasicBlock &block) {
  State state = source.values.at(block), shown;
  Instruction *last = nullptr;
  for (Instruction &inst : block) {
    source.values.passRecords(inst, state);
    if (places.contains(&inst)) {
      noteChanges(shown, state, inst, /*behind=*/false);
      shown = state;
      last = &inst;
    }
    source.values.pass(inst, state);
  }
  if (last)
    noteChanges(shown, state, *last, /*behind=*/true);
}

void ValueRecords::add(const Entry &entry) {
  auto original = originals.find(keyOf(*entry.piece.variable));
  if (!entry.scope || original == originals.end())
    return;
  LLVMContext &context = function.getContext();
  const DILocalVariable &old = *original->second;
  auto *variable =
      DILocalVariable::get(context, entry.scope, old.getName(), old.getFile(), old.getLine(), old.getType(),
                           old.getArg(), old.getFlags(), old.getAlignInBits(), old.getAnnotations());
  DILocation *location = DILocation::get(context, old.getLine(), 0, entry.scope);
  DIExpression *expression = entry.expression ? entry.expression : builder.createExpression();
  Value *value = entry.value;
  if (!value) {
    value = PoisonValue::get(Type::getInt64Ty(context));
    if (entry.piece.size)
      expression = *DIExpression::createFragmentExpression(builder.createExpression(), unsigned(entry.piece.offset),
                                                           unsigned(entry.piece.size));
  }
  builder.insertDbgValueIntrinsic(value, variable, expression, location, entry.before);
}

//===-- Frames ----------------------------------------------------------------------------------------------------===//

/// Returns the frame that a post-sync kernel gets from its channel: the first pointer that it loads from a place which
/// depends on the lane.
static LoadInst *findFrame(Function &lane) {
  for (Instruction &inst : instructions(lane))
    if (auto *load = dyn_cast<LoadInst>(&inst); load && load->getType()->isPointerTy())
      if (auto *place = dyn_cast<GetElementPtrInst>(load->getPointerOperand());
          place && !place->hasAllConstantIndices())
        return load;
  return nullptr;
}

/// Returns the offset of `address` in `frame`, if it is constant.
static std::optional<uint64_t> offsetIn(const Value &frame, const Value *address, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const Value *base = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return base == &frame ? std::optional(offset.getZExtValue()) : std::nullopt;
}

/// Returns the address from which a value was loaded, or null.
static const Value *addressOf(Value &value) {
  auto *load = dyn_cast<LoadInst>(&value);
  auto *local = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  if (local)
    load = dyn_cast_or_null<LoadInst>(onlyValueOf(*local));
  return load ? load->getPointerOperand() : nullptr;
}

/// Says where the frame of a post-sync kernel has variables. Debuggers' scripts show them for tasks that wait, and for
/// lanes in vectors.
void ValueRecords::describeFrame() {
  StringRef kernel = function.getName();
  if (!kernel.consume_back(".lane"))
    return;
  unsigned segment;
  if (kernel.rsplit(".k").second.getAsInteger(10, segment) || segment == 0)
    return;
  LoadInst *frame = findFrame(function);
  if (!frame)
    return;
  const DataLayout &layout = function.getDataLayout();
  FrameMembers members;
  for (const Entry &entry : entries) {
    auto original = originals.find(keyOf(*entry.piece.variable));
    if (!entry.value || entry.piece.size || original == originals.end())
      continue;
    bool isAddress = entry.expression && entry.expression->isDeref();
    const Value *address = isAddress ? entry.value : addressOf(*entry.value);
    if (!address || (!isAddress && entry.expression && entry.expression->getNumElements()))
      continue;
    if (std::optional<uint64_t> offset = offsetIn(*frame, address, layout)) {
      const DILocalVariable &variable = *original->second;
      members.try_emplace(*offset, FrameMember{variable.getName(), variable.getType(), variable.getLine()});
    }
  }
  if (members.empty())
    return;
  DISubprogram *program = function.getSubprogram();
  DIType *type = createFrameType(builder, *program, kernel, members);
  builder.insertDbgValueIntrinsic(frame, createFrameVariable(builder, *program, type), builder.createExpression(),
                                  DILocation::get(function.getContext(), 0, 0, program),
                                  std::next(frame->getIterator()));
}

void ValueRecords::record() {
  for (BasicBlock &block : source.function)
    noteBlock(block);
  SmallPtrSet<DILocalVariable *, 8> found;
  for (const Entry &entry : entries)
    if (entry.value)
      found.insert(entry.piece.variable);
  for (const Entry &entry : entries)
    if (found.contains(entry.piece.variable))
      add(entry);
  describeFrame();
}

/// Returns the function of the unit from which a function was made: "fib" for "fib.k0.resume". Returns null for code
/// that runs the lanes of a wavefront in vectors, where a variable has several values at a time.
static Function *sourceOf(StringRef name, const Module &copy) {
  for (;; name = name.rsplit('.').first) {
    if (name.ends_with(".lanes") || name.ends_with(".simd"))
      return nullptr;
    if (Function *function = copy.getFunction(name); function && !function->isDeclaration())
      return function;
    if (!name.contains('.'))
      return nullptr;
  }
}

void cilk2gpu::recordValues(Module &lowered, const Module &unit) {
  const NamedMDNode *table = unit.getNamedMetadata(kValueTable);
  if (!table)
    return;
  std::map<VariableKey, DILocalVariable *> originals;
  for (const MDNode *entry : table->operands()) {
    auto *variable = cast<DILocalVariable>(entry->getOperand(0));
    originals.try_emplace(keyOf(*variable), variable);
  }
  std::unique_ptr<Module> copy = cloneTasks(const_cast<Module &>(unit));
  makeSSA(*copy);
  std::map<Function *, Source> sources;
  for (Function &function : lowered)
    if (!function.isDeclaration() && function.getSubprogram())
      if (Function *source = sourceOf(function.getName(), *copy); source && source->getSubprogram())
        ValueRecords(function, sources.try_emplace(source, *source).first->second, originals).record();
}
