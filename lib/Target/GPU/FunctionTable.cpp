// See FunctionTable.h.
#include "FunctionTable.h"
#include "BlockKernel.h"
#include "GraphKernel.h"
#include "PersistentKernel.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2gpu;

// Function of the device runtime that gets an address, the table, and its size. It ends the program if the function is
// not in the table.
static constexpr char kLookUp[] = "__cilk2gpu_device_function";

static CallBase *indirectCall(Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && !call->isInlineAsm() && !calleeOf(*call) && !isOwnCall(*call) ? call : nullptr;
}

using FunctionTypes = SmallPtrSet<FunctionType *, 16>;

/// Returns the types of calls through pointers in the functions of `work`, and in all functions that these refer to.
static FunctionTypes typesCalled(SmallVector<Function *> work) {
  FunctionTypes types;
  SmallPtrSet<Function *, 32> seen(work.begin(), work.end());
  while (!work.empty())
    for (Instruction &inst : instructions(*work.pop_back_val())) {
      if (CallBase *call = indirectCall(inst))
        types.insert(call->getFunctionType());
      for (Value *operand : inst.operands())
        if (auto *function = dyn_cast<Function>(operand->stripPointerCasts()); function && seen.insert(function).second)
          work.push_back(function);
    }
  return types;
}

/// Drops the stand-ins for which `isCalled` returns false.
void FunctionTable::drop(function_ref<bool(const Function &)> isCalled) {
  SmallPtrSet<Constant *, 16> dropped;
  for (Function &function : program)
    if (!standsFor(function).empty() && !isCalled(function))
      dropped.insert(&function);
  removeFromUsedLists(program, [&](Constant *value) { return dropped.contains(value->stripPointerCasts()); });
  for (Constant *function : dropped)
    if (function->use_empty())
      cast<Function>(function)->eraseFromParent();
}

FunctionTable::FunctionTable(Module &program) : program(program) {
  SmallVector<GlobalVariable *> lists;
  for (GlobalVariable &variable : program.globals())
    if (variable.getName().starts_with(kFunctionList))
      lists.push_back(&variable);
  SmallVector<GlobalValue *> functions;
  for (GlobalVariable *list : lists) {
    for (Value *entry : list->getInitializer()->operand_values())
      if (auto *function = dyn_cast<Function>(entry); function && !is_contained(functions, function))
        functions.push_back(function);
    list->eraseFromParent();
  }
  SmallVector<Function *> kernels;
  for (Function &function : program)
    if (function.hasFnAttribute(kDeviceKernelAttr))
      kernels.push_back(&function);
  // Nothing but the list leads from the kernels of graphs and of blocks to the functions that they call.
  SmallVector<StringRef> callers(std::begin(kBlockCalls), std::end(kBlockCalls));
  callers.push_back(kGraphCall);
  bool callsAny = false;
  for (StringRef caller : callers)
    if (Function *call = program.getFunction(caller)) {
      kernels.push_back(call);
      callsAny = true;
    }
  if (callsAny)
    for (GlobalValue *function : functions)
      kernels.push_back(cast<Function>(function));
  FunctionTypes types = typesCalled(kernels);
  erase_if(functions, [&](GlobalValue *function) {
    return !standsFor(*cast<Function>(function)).empty() &&
           !types.contains(cast<Function>(function)->getFunctionType());
  });
  if (types.empty())
    functions.clear();
  drop([&](const Function &function) { return is_contained(functions, &function); });
  if (!functions.empty())
    keep(functions);
}

/// Keeps functions, and those that look them up, until calls are lowered.
void FunctionTable::keep(SmallVectorImpl<GlobalValue *> &functions) {
  LLVMContext &context = program.getContext();
  Type *pointer = PointerType::get(context, 0);
  auto *type = FunctionType::get(pointer, {pointer, pointer, Type::getInt32Ty(context)}, false);
  functions.push_back(cast<Function>(program.getOrInsertFunction(kLookUp, type).getCallee()));
  if (Function *find = program.getFunction(kFindFunction))
    functions.push_back(find);
  appendToCompilerUsed(program, functions);
}

void FunctionTable::dropUncalled() {
  FunctionTypes types;
  for (Function &function : program)
    for (Instruction &inst : instructions(function))
      if (CallBase *call = indirectCall(inst))
        types.insert(call->getFunctionType());
  drop([&](const Function &function) { return types.contains(function.getFunctionType()); });
}

void FunctionTable::nameKnown() {
  for (Function &function : program) {
    Function *other = standsFor(function).empty() ? nullptr : program.getFunction(standsFor(function));
    if (!other || !other->isDeclaration() || other->getFunctionType() != function.getFunctionType())
      continue;
    other->replaceUsesWithIf(&function, [&](Use &use) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      return call && call->isCallee(&use) && call->getFunction() != &function;
    });
  }
}

/// Returns the slot that holds the host's address of a function, which is the value of pointers to the function.
static GlobalVariable *slotOf(Function &function) {
  StringRef other = standsFor(function);
  bool isOptional = !other.empty() && function.hasFnAttribute(kWeakAttr);
  return addressSlotOf(*function.getParent(), other.empty() ? function.getName() : other, isOptional);
}

/// Returns whether an instruction asks for a function in a table that is not there yet.
static bool isQuestion(Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && calleeOf(*call) && calleeOf(*call)->getName() == kFindFunction &&
         isa<ConstantPointerNull>(call->getArgOperand(1));
}

/// Creates the table. Each entry is { slot of the host's address, the device's version }.
GlobalVariable *FunctionTable::create(function_ref<bool(Function &)> isFit, uint32_t &count) {
  LLVMContext &context = program.getContext();
  auto *entryType = StructType::get(context, {PointerType::get(context, kGlobalSpace), PointerType::get(context, 0)});
  SmallVector<Constant *> entries;
  for (Function &function : program)
    if (function.hasFnAttribute(kPointedAtAttr) && !function.isDeclaration() && isFit(function))
      entries.push_back(ConstantStruct::get(entryType, {slotOf(function), &function}));
  count = entries.size();
  auto *type = ArrayType::get(entryType, count);
  return new GlobalVariable(program, type, true, GlobalValue::InternalLinkage, ConstantArray::get(type, entries),
                            "__cilk2gpu_function_table", nullptr, GlobalValue::NotThreadLocal, kGlobalSpace);
}

void FunctionTable::lowerCalls(function_ref<bool(Function &)> isFit) {
  if (GlobalVariable *used = program.getNamedGlobal("llvm.compiler.used"))
    used->eraseFromParent();
  Function *lookUp = program.getFunction(kLookUp);
  if (!lookUp)
    return;
  uint32_t count = 0;
  GlobalVariable *table = nullptr;
  for (Function &function : program)
    for (Instruction &inst : instructions(function)) {
      CallBase *call = indirectCall(inst);
      if (!call && !isQuestion(inst))
        continue;
      if (!table)
        table = create(isFit, count);
      IRBuilder<> builder(&inst);
      Value *entries = builder.CreateAddrSpaceCast(table, PointerType::get(program.getContext(), 0));
      if (!call) {
        inst.setOperand(1, entries);
        inst.setOperand(2, builder.getInt32(count));
        continue;
      }
      call->setCalledOperand(builder.CreateCall(lookUp, {call->getCalledOperand(), entries, builder.getInt32(count)}));
    }
}
