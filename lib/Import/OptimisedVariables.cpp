// Describes variables of Cilk functions in optimised code for debuggers. LLVM's records of variables do not go through
// MLIR there, because a use by a record could change the code. Instead, the variables that have one value are found in
// a copy of the unit's functions in SSA form, with the instruction that computes the value:
//
//   long sum = x + y;     ->  variable sum: `add` of 64 bits at line 11, column 16
//
// Instructions keep their locations on the way through MLIR. So an instruction that comes back with this location, this
// opcode and this type computes the variable, if there is only one in its function. Parameters are found in elisions
// and entries, which have the user's signature. Records do not change the code.
//
// A variable with several values is left out: if one of its values were not found, a debugger would show another one.
#include "Variables.h"

#include "Extract.h"
#include "ExtractTasks.h"

#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/Markers.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <map>
#include <tuple>

using namespace llvm;
using namespace cilk2gpu;

/// Named metadata of a unit: tuples (variable, line, column, opcode, type).
/// For a parameter, the line is 0 and the column is its number.
static constexpr const char kValueTable[] = "cilk2gpu.values";

namespace {

/// The identity of a variable, the same in all copies of a function.
using VariableKey = std::tuple<StringRef, StringRef, unsigned, unsigned>;

/// Place, opcode and type of an instruction.
using InstructionKey = std::tuple<unsigned, unsigned, unsigned, std::string>;

} // namespace

static VariableKey keyOf(const DILocalVariable &variable) {
  return {variable.getScope()->getSubprogram()->getName(), variable.getName(), variable.getLine(), variable.getArg()};
}

static std::string nameOf(const Type &type) {
  std::string name;
  raw_string_ostream(name) << type;
  return name;
}

static std::optional<InstructionKey> keyOf(const Instruction &inst) {
  const DebugLoc &location = inst.getDebugLoc();
  if (!location || !location.getLine() || location.getInlinedAt() || inst.getType()->isVoidTy() ||
      inst.isTerminator() || isa<PHINode, AllocaInst>(inst))
    return std::nullopt;
  return InstructionKey{location.getLine(), location.getCol(), inst.getOpcode(), nameOf(*inst.getType())};
}

//===-- Before MLIR -----------------------------------------------------------------------------------------------===//

namespace {

/// Finds the variables of one function that have a single value.
class SingleValues {
public:
  explicit SingleValues(Function &function) {
    for (Instruction &inst : instructions(function))
      for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
        add(record);
  }

  /// Calls `found` with each such variable and its value.
  void visit(function_ref<void(DILocalVariable *, Value *)> found) const {
    for (auto &[variable, values] : values)
      if (values.size() == 1 && values.front())
        found(variable, values.front());
  }

private:
  void add(DbgVariableRecord &record) {
    if (record.getDebugLoc()->getInlinedAt())
      return;
    bool isWhole = record.getNumVariableLocationOps() == 1 && record.getExpression()->getNumElements() == 0;
    Value *value = isWhole ? record.getVariableLocationOp(0) : nullptr;
    values[record.getVariable()].push_back(record.isDbgDeclare() ? storedOnce(value) : value);
  }

  /// Returns the value that is stored in a variable in memory, if it is always the same.
  static Value *storedOnce(Value *address) {
    if (!address || !isa<AllocaInst>(address))
      return nullptr;
    Value *stored = nullptr;
    for (User *user : address->users()) {
      auto *store = dyn_cast<StoreInst>(user);
      auto *call = dyn_cast<CallBase>(user);
      bool isMark = call && call->getCalledFunction() && call->getCalledFunction()->getName() == kSpawnBeginMarker;
      if (store && store->getPointerOperand() == address && store->getValueOperand() != address && !stored)
        stored = store->getValueOperand();
      else if (!isa<LoadInst>(user) && !isMark)
        return nullptr;
    }
    return stored;
  }

  MapVector<DILocalVariable *, SmallVector<Value *, 1>> values;
};

} // namespace

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

void cilk2gpu::noteValues(Module &unit) {
  std::map<VariableKey, DILocalVariable *> originals;
  for (Function *function : findCilkFunctions(unit))
    for (Instruction &inst : instructions(*function))
      if (!function->hasOptNone())
        for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
          originals.try_emplace(keyOf(*record.getVariable()), record.getVariable());
  if (originals.empty())
    return;
  LLVMContext &context = unit.getContext();
  auto number = [&](uint64_t value) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), value));
  };
  NamedMDNode *table = unit.getOrInsertNamedMetadata(kValueTable);
  std::unique_ptr<Module> copy = cloneTasks(unit);
  makeSSA(*copy);
  for (Function &function : *copy)
    SingleValues(function).visit([&](DILocalVariable *variable, Value *value) {
      auto original = originals.find(keyOf(*variable));
      if (original == originals.end())
        return;
      auto *inst = dyn_cast<Instruction>(value);
      auto *argument = dyn_cast<Argument>(value);
      std::optional<InstructionKey> key = inst ? keyOf(*inst) : std::nullopt;
      if (argument)
        key = InstructionKey{0, argument->getArgNo(), 0, nameOf(*argument->getType())};
      if (key)
        table->addOperand(
            MDTuple::get(context, {original->second, number(std::get<0>(*key)), number(std::get<1>(*key)),
                                   number(std::get<2>(*key)), MDString::get(context, std::get<3>(*key))}));
    });
}

//===-- After MLIR ------------------------------------------------------------------------------------------------===//

namespace {

/// Adds records to the functions of a module that comes back from MLIR.
class ValueRecords {
public:
  ValueRecords(Module &lowered, const Module &unit, const NamedMDNode &table)
      : unit(unit), builder(lowered, /*AllowUnresolved=*/true) {
    auto number = [](const MDNode &entry, unsigned index) {
      return unsigned(mdconst::extract<ConstantInt>(entry.getOperand(index))->getZExtValue());
    };
    for (const MDNode *entry : table.operands())
      variables[{number(*entry, 1), number(*entry, 2), number(*entry, 3),
                 cast<MDString>(entry->getOperand(4))->getString().str()}]
          .push_back(cast<DILocalVariable>(entry->getOperand(0)));
  }

  void describe(Function &function);

private:
  void describeParameters(Function &function);
  void record(Value &value, const DILocalVariable &original, DILocalScope *inner, BasicBlock::iterator before);

  const Module &unit;
  DIBuilder builder;
  std::map<InstructionKey, SmallVector<DILocalVariable *, 1>> variables;
};

} // namespace

/// Returns the scope around `inner`, or `inner` itself, that is a copy of `original`.
static DILocalScope *copyOf(const DILocalScope &original, DILocalScope *inner) {
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

void ValueRecords::record(Value &value, const DILocalVariable &original, DILocalScope *inner,
                          BasicBlock::iterator before) {
  DILocalScope *scope = copyOf(*original.getScope(), inner);
  if (!scope)
    return;
  LLVMContext &context = value.getContext();
  auto *variable = DILocalVariable::get(context, scope, original.getName(), original.getFile(), original.getLine(),
                                        original.getType(), original.getArg(), original.getFlags(),
                                        original.getAlignInBits(), original.getAnnotations());
  builder.insertDbgValueIntrinsic(&value, variable, builder.createExpression(),
                                  DILocation::get(context, original.getLine(), 0, scope), before);
}

/// Elisions and entries have the parameters of the user's function.
void ValueRecords::describeParameters(Function &function) {
  StringRef name = function.getName();
  name.consume_back(".serial");
  const Function *user = unit.getFunction(name);
  DISubprogram *program = function.getSubprogram();
  if (!user || !user->getSubprogram() || user->getFunctionType() != function.getFunctionType())
    return;
  BasicBlock &entry = function.getEntryBlock();
  for (Argument &argument : function.args()) {
    auto found = variables.find({0, argument.getArgNo(), 0, nameOf(*argument.getType())});
    for (DILocalVariable *variable : found == variables.end() ? ArrayRef<DILocalVariable *>() : found->second)
      if (variable->getScope()->getSubprogram() == user->getSubprogram())
        record(argument, *variable, program, entry.getFirstInsertionPt());
  }
}

void ValueRecords::describe(Function &function) {
  if (function.isDeclaration() || !function.getSubprogram())
    return;
  describeParameters(function);
  std::map<InstructionKey, SmallVector<Instruction *, 1>> found;
  for (Instruction &inst : instructions(function))
    if (std::optional<InstructionKey> key = keyOf(inst); key && variables.count(*key))
      found[*key].push_back(&inst);
  for (auto &[key, places] : found)
    if (places.size() == 1 && variables[key].size() == 1)
      record(*places.front(), *variables[key].front(), cast<DILocalScope>(places.front()->getDebugLoc()->getScope()),
             std::next(places.front()->getIterator()));
}

void cilk2gpu::recordValues(Module &lowered, const Module &unit) {
  const NamedMDNode *table = unit.getNamedMetadata(kValueTable);
  if (!table)
    return;
  ValueRecords records(lowered, unit, *table);
  for (Function &function : lowered)
    records.describe(function);
}

void cilk2gpu::dropValueTable(Module &unit) {
  if (NamedMDNode *table = unit.getNamedMetadata(kValueTable))
    table->eraseFromParent();
}
