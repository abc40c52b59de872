// Carries the user's variables through MLIR for debuggers, in code without optimisation. MLIR's passes would drop
// LLVM's records of variables, or lose the variable behind them. So the records become calls of an ordinary function:
//
//   #dbg_declare(ptr %x, !x, ...)  ->  call @__cilk2gpu_variable(ptr %x, i32 7)
//
// The call keeps the variable in memory: on the stack, or in the task's frame, where it has one address in all
// segments. A kernel begins behind a sync, so the calls are repeated there for all variables in scope, and also behind
// each spawn, where a restarted lane goes on. When the code has come back from MLIR, the calls become records again.
//
// The unit has a table of the variables (kVariableTable), because their types have no members after MLIR.
#include "Variables.h"

#include "Extract.h"
#include "ImportPasses.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/VariableMarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

using namespace llvm;
using namespace cilk2gpu;

/// Named metadata of a unit: a tuple (variable, expression) for each number of a marker.
static constexpr const char kVariableTable[] = "cilk2gpu.variables";

bool cilk2gpu::isVariableMark(const Instruction &inst) { return calleeName(inst) == kVariableMarker; }

//===-- Before MLIR -----------------------------------------------------------------------------------------------===//

namespace {

/// A variable of a Cilk function.
struct Variable {
  Value *address;
  DebugLoc location; ///< of the declaration, in the variable's scope
  unsigned number;   ///< in the unit's table
  Instruction *declaredAt;
};

/// Replaces the records of one Cilk function by marker calls.
class VariableMarking {
public:
  VariableMarking(Function &function, const SmallPtrSetImpl<Function *> &tasks)
      : function(function), tasks(tasks), dominance(function),
        table(*function.getParent()->getOrInsertNamedMetadata(kVariableTable)) {
    Type *parameters[] = {PointerType::get(function.getContext(), 0), Type::getInt32Ty(function.getContext())};
    marker = function.getParent()->getOrInsertFunction(
        kVariableMarker, FunctionType::get(Type::getVoidTy(function.getContext()), parameters, /*isVarArg=*/false));
    cast<Function>(marker.getCallee())->setDoesNotThrow();
  }

  void run() {
    collect();
    for (const Variable &variable : variables)
      if (!inSpawn.contains(variable.declaredAt))
        mark(variable, variable.declaredAt);
    for (Instruction *inst : ends)
      if (Instruction *next = behind(*inst))
        markInScope(*inst, next);
  }

private:
  void collect();
  void add(DbgVariableRecord &record, Instruction &declaredAt);
  bool endsStrand(const Instruction &inst) const;
  static Instruction *behind(Instruction &inst);
  static DebugLoc locationAt(const Variable &variable, const Instruction &place);
  void markInScope(const Instruction &place, Instruction *before);
  void mark(const Variable &variable, Instruction *before) {
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(locationAt(variable, *before));
    builder.CreateCall(marker, {variable.address, builder.getInt32(variable.number)});
  }

  Function &function;
  const SmallPtrSetImpl<Function *> &tasks;
  DominatorTree dominance;
  NamedMDNode &table;
  FunctionCallee marker;
  SmallVector<Variable> variables;
  SmallVector<Instruction *> ends;              ///< instructions behind which variables are marked again
  SmallPtrSet<const Instruction *, 16> inSpawn; ///< instructions between the markers of a spawn
};

} // namespace

void VariableMarking::add(DbgVariableRecord &record, Instruction &declaredAt) {
  Value *address = record.isDbgDeclare() ? record.getAddress() : nullptr;
  if (!address || isa<UndefValue>(address) || record.getExpression()->getFragmentInfo() ||
      !address->getType()->isPointerTy() || address->getType()->getPointerAddressSpace() != 0)
    return;
  variables.push_back({address, record.getDebugLoc(), table.getNumOperands(), &declaredAt});
  table.addOperand(MDTuple::get(function.getContext(), {record.getVariable(), record.getExpression()}));
}

/// Returns true if a kernel may begin behind `inst`, or the body of a loop or of a spawned block does.
bool VariableMarking::endsStrand(const Instruction &inst) const {
  auto *call = dyn_cast<CallBase>(&inst);
  if (!call || !call->getCalledFunction())
    return false;
  StringRef name = calleeName(inst);
  for (StringRef marker : {kSyncMarker, kReturnSyncMarker, kSpawnEndMarker, kForBeginMarker, kForEndMarker,
                           kSpawnedBlockBeginMarker, kSpawnedBlockEndMarker})
    if (name == marker)
      return true;
  return tasks.contains(call->getCalledFunction()) && !inSpawn.contains(&inst);
}

void VariableMarking::collect() {
  for (Instruction &inst : instructions(function))
    if (calleeName(inst) == kSpawnBeginMarker)
      markRegion(cast<CallInst>(inst), kSpawnEndMarker, [&](const Instruction &inside) { inSpawn.insert(&inside); });
  for (Instruction &inst : instructions(function)) {
    for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
      add(record, inst);
    if (endsStrand(inst))
      ends.push_back(&inst);
  }
}

/// Returns the instruction that runs next and only after `inst`, or null.
Instruction *VariableMarking::behind(Instruction &inst) {
  auto *invoke = dyn_cast<InvokeInst>(&inst);
  if (!invoke)
    return inst.isTerminator() ? nullptr : inst.getNextNode();
  BasicBlock *next = invoke->getNormalDest();
  return next->getSinglePredecessor() ? &*next->getFirstInsertionPt() : nullptr;
}

/// Returns true if `outer` is `inner` or a scope around it.
static bool isInScope(const DILocalScope *inner, const DILocalScope *outer) {
  for (const DIScope *scope = inner; scope; scope = scope->getScope()) {
    if (scope == outer)
      return true;
    if (isa<DISubprogram>(scope))
      break;
  }
  return false;
}

/// Returns the location of a mark at `place`, in the scope of the variable. Behind the declaration, marks have no line,
/// because a debugger that steps would go back to the declaration. With the line of `place`, a breakpoint there would
/// stop before the variable has its place.
DebugLoc VariableMarking::locationAt(const Variable &variable, const Instruction &place) {
  const DebugLoc &declared = variable.location;
  if (&place == variable.declaredAt)
    return declared;
  return DILocation::get(place.getContext(), 0, 0, declared->getScope(), declared->getInlinedAt());
}

void VariableMarking::markInScope(const Instruction &place, Instruction *before) {
  const DebugLoc &location = place.getDebugLoc();
  if (!location)
    return;
  for (const Variable &variable : variables) {
    auto *scope = cast<DILocalScope>(variable.location->getScope());
    if (location->getInlinedAt() == variable.location->getInlinedAt() &&
        isInScope(cast<DILocalScope>(location->getScope()), scope) && dominance.dominates(variable.declaredAt, &place))
      mark(variable, before);
  }
}

bool MarkVariablesPass::runOn(Module &module, Module &) {
  SmallVector<Function *> functions = findCilkFunctions(module);
  SmallPtrSet<Function *, 16> tasks(functions.begin(), functions.end());
  for (Function *function : functions)
    if (function->hasOptNone())
      VariableMarking(*function, tasks).run();
  return true;
}

//===-- Around the extraction of loops ----------------------------------------------------------------------------===//

void cilk2gpu::dropCrossingMarks(ArrayRef<BasicBlock *> part) {
  SmallPtrSet<const BasicBlock *, 16> inside(part.begin(), part.end());
  for (Instruction &inst : part.front()->getParent()->getEntryBlock()) {
    if (!isa<AllocaInst>(inst))
      continue;
    bool isUsed[2] = {false, false};
    for (User *user : inst.users())
      if (!isVariableMark(*cast<Instruction>(user)))
        isUsed[inside.contains(cast<Instruction>(user)->getParent())] = true;
    for (User *user : make_early_inc_range(inst.users()))
      if (auto *mark = cast<Instruction>(user);
          isVariableMark(*mark) && isUsed[0] + isUsed[1] == 1 && !isUsed[inside.contains(mark->getParent())])
        mark->eraseFromParent();
  }
}

//===-- After MLIR ------------------------------------------------------------------------------------------------===//

namespace {

/// The base of an address, and the constant distance from it. A base that is loaded is known by the place of the load.
struct Place {
  const Value *base = nullptr;
  uint64_t offset = 0;
};

/// The variables that are known of each task's frames, by the task's name.
using MembersOfTasks = StringMap<FrameMembers>;

/// Turns the marker calls of one function into records.
class VariableRecords {
public:
  VariableRecords(Function &function, const NamedMDNode &table);

  void addMembers(MembersOfTasks &members) const;
  void record(const MembersOfTasks &members);

private:
  using Key = std::pair<unsigned, const DILocation *>; ///< a variable, and the call that was inlined

  static unsigned numberOf(const CallInst &mark) {
    return unsigned(cast<ConstantInt>(mark.getArgOperand(1))->getZExtValue());
  }
  static DILocalScope *scopeOf(const CallInst &mark) {
    return cast<DILocalScope>(mark.getDebugLoc()->getScope())->getNonLexicalBlockFileScope();
  }
  DILocalVariable *original(unsigned number) const {
    return cast<DILocalVariable>(table.getOperand(number)->getOperand(0));
  }
  DIExpression *expression(unsigned number) const {
    return cast<DIExpression>(table.getOperand(number)->getOperand(1));
  }
  Place placeOf(const CallInst &mark) const;
  StringRef task() const;
  AllocaInst *storeIn(AllocaInst *slot, CallInst &mark);
  void recordFrame(CallInst &mark, const MembersOfTasks &members);
  void recordDestination(CallInst &mark);
  void recordVariable(CallInst &mark);
  void recordAt(CallInst &mark, DILocalVariable *variable, DIExpression *expression);
  void declare(Value *where, DILocalVariable *variable, DIExpression *expression, CallInst &mark) {
    if (declared.insert({numberOf(mark), mark.getDebugLoc()->getInlinedAt()}).second)
      builder.insertDeclare(where, variable, expression, mark.getDebugLoc().get(), mark.getIterator());
  }

  Function &function;
  const NamedMDNode &table;
  DIBuilder builder;
  SmallVector<CallInst *> marks;
  SmallPtrSet<const Value *, 2> frames; ///< bases of the frame's variables
  AllocaInst *frameSlot = nullptr;      ///< holds the frame's address
  DenseMap<Key, AllocaInst *> slots;    ///< hold the addresses of variables elsewhere
  DenseSet<Key> declared;
};

} // namespace

VariableRecords::VariableRecords(Function &function, const NamedMDNode &table)
    : function(function), table(table), builder(*function.getParent(), /*AllowUnresolved=*/true) {
  for (Instruction &inst : instructions(function))
    if (isVariableMark(inst) && inst.getDebugLoc() && function.getSubprogram())
      marks.push_back(cast<CallInst>(&inst));
  for (CallInst *mark : marks)
    if (numberOf(*mark) == kFrameMark)
      frames.insert(placeOf(*mark).base);
}

Place VariableRecords::placeOf(const CallInst &mark) const {
  const DataLayout &layout = function.getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(mark.getArgOperand(0)->getType()), 0);
  const Value *base =
      mark.getArgOperand(0)->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  if (auto *load = dyn_cast<LoadInst>(base))
    base = load->getPointerOperand();
  return {base, offset.getZExtValue()};
}

/// Returns the name of the task of a kernel: "fib" for "fib.k0" and "fib.k0.resume".
StringRef VariableRecords::task() const { return function.getName().rsplit(".k").first; }

void VariableRecords::addMembers(MembersOfTasks &members) const {
  for (const CallInst *mark : marks) {
    unsigned number = numberOf(*mark);
    Place place = placeOf(*mark);
    if (!frames.contains(place.base) || number == kFrameMark)
      continue;
    if (number == kDestinationMark)
      members[task()].try_emplace(place.offset, FrameMember{kDestinationVariable, nullptr, 0});
    else if (expression(number)->getNumElements() == 0 && !mark->getDebugLoc()->getInlinedAt())
      members[task()].try_emplace(place.offset, FrameMember{original(number)->getName(), original(number)->getType(),
                                                            original(number)->getLine()});
  }
}

/// Returns the size of a type in bits. A typedef has none of its own.
static uint64_t sizeInBits(const DIType *type) {
  while (type && !type->getSizeInBits()) {
    auto *derived = dyn_cast<DIDerivedType>(type);
    type = derived ? derived->getBaseType() : nullptr;
  }
  return type ? type->getSizeInBits() : 0;
}

DIType *cilk2gpu::createFrameType(DIBuilder &builder, DISubprogram &program, StringRef owner,
                                  const FrameMembers &members) {
  DIFile *file = program.getFile();
  SmallVector<Metadata *> elements;
  StringSet<> names;
  uint64_t end = 0;
  for (const auto &[offset, member] : members) {
    DIType *type = member.type ? member.type : builder.createPointerType(nullptr, 64);
    std::string name = member.name.str();
    if (!names.insert(name).second)
      name += "." + std::to_string(member.line);
    elements.push_back(builder.createMemberType(file, name, file, member.line, sizeInBits(type), 0, offset * 8,
                                                DINode::FlagZero, type));
    end = std::max(end, offset * 8 + sizeInBits(type));
  }
  return builder.createStructType(file, (owner + kFrameTypeSuffix).str(), file, program.getLine(), end, 0,
                                  DINode::FlagZero, nullptr, builder.getOrCreateArray(elements));
}

DILocalVariable *cilk2gpu::createFrameVariable(DIBuilder &builder, DISubprogram &program, DIType *type) {
  return builder.createAutoVariable(&program, kFrameVariable, program.getFile(), 0, builder.createPointerType(type, 64),
                                    /*AlwaysPreserve=*/false, DINode::FlagArtificial);
}

/// Stores a mark's address in a slot, so that a debugger finds it in the whole function.
AllocaInst *VariableRecords::storeIn(AllocaInst *slot, CallInst &mark) {
  BasicBlock &entry = function.getEntryBlock();
  if (!slot)
    slot = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(PointerType::get(function.getContext(), 0));
  IRBuilder<>(&mark).CreateStore(mark.getArgOperand(0), slot);
  return slot;
}

void VariableRecords::recordFrame(CallInst &mark, const MembersOfTasks &members) {
  frameSlot = storeIn(frameSlot, mark);
  auto found = members.find(task());
  DISubprogram *program = function.getSubprogram();
  DIType *type = found == members.end() ? nullptr : createFrameType(builder, *program, task(), found->second);
  declare(frameSlot, createFrameVariable(builder, *program, type), builder.createExpression(), mark);
}

void VariableRecords::recordDestination(CallInst &mark) {
  DISubprogram *program = function.getSubprogram();
  DILocalVariable *variable =
      builder.createAutoVariable(program, kDestinationVariable, program->getFile(), 0,
                                 builder.createPointerType(nullptr, 64), false, DINode::FlagArtificial);
  recordAt(mark, variable, builder.createExpression());
}

/// Declares a variable on the stack where it is, and others through the slot that holds the address of their frame, or
/// their own.
void VariableRecords::recordAt(CallInst &mark, DILocalVariable *variable, DIExpression *expression) {
  Value *address = mark.getArgOperand(0)->stripPointerCasts();
  if (isa<AllocaInst>(address))
    return declare(address, variable, expression, mark);
  Place place = placeOf(mark);
  AllocaInst *slot = frames.contains(place.base) ? frameSlot : nullptr;
  if (!slot) {
    AllocaInst *&own = slots[{numberOf(mark), mark.getDebugLoc()->getInlinedAt()}];
    own = slot = storeIn(own, mark);
    place.offset = 0;
  }
  declare(slot, variable, DIExpression::prepend(expression, DIExpression::DerefBefore, int64_t(place.offset)), mark);
}

/// Rebuilds a variable of the user in the scope of the function that was made from the user's.
void VariableRecords::recordVariable(CallInst &mark) {
  unsigned number = numberOf(mark);
  if (number >= table.getNumOperands())
    return;
  DILocalVariable *old = original(number);
  auto *variable = DILocalVariable::get(function.getContext(), scopeOf(mark), old->getName(), old->getFile(),
                                        old->getLine(), old->getType(), old->getArg(), old->getFlags(),
                                        old->getAlignInBits(), old->getAnnotations());
  recordAt(mark, variable, expression(number));
}

void VariableRecords::record(const MembersOfTasks &members) {
  for (CallInst *mark : marks) {
    if (numberOf(*mark) == kFrameMark)
      recordFrame(*mark, members);
    else if (numberOf(*mark) == kDestinationMark)
      recordDestination(*mark);
    else
      recordVariable(*mark);
  }
}

void cilk2gpu::recordVariables(Module &lowered, const Module &unit) {
  Function *marker = lowered.getFunction(kVariableMarker);
  if (!marker)
    return;
  if (const NamedMDNode *table = unit.getNamedMetadata(kVariableTable)) {
    MembersOfTasks members;
    for (Function &function : lowered)
      VariableRecords(function, *table).addMembers(members);
    for (Function &function : lowered)
      VariableRecords(function, *table).record(members);
  }
  for (User *user : make_early_inc_range(marker->users()))
    cast<Instruction>(user)->eraseFromParent();
  marker->eraseFromParent();
}

void cilk2gpu::dropVariableTable(Module &unit) {
  if (NamedMDNode *table = unit.getNamedMetadata(kVariableTable))
    table->eraseFromParent();
}
