// See StackChecks.h.
//
// AMD: a stack grows up from 0, so a pointer into it is the number of bytes in use. NVIDIA: it grows down from an
// address that each kernel finds and stores. This address is the same in all lanes and launches of an image, except for
// the frames of its kernels.
#include "StackChecks.h"
#include "PersistentKernel.h"

#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/abi/Image.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2gpu;

// Function of the device runtime.
static constexpr char kStackFull[] = "__cilk2gpu_device_stack_full";

void cilk2gpu::declareStackChecks(Module &program) {
  program.getOrInsertFunction(kStackFull, FunctionType::get(Type::getVoidTy(program.getContext()), false));
}

bool cilk2gpu::isForStackChecks(StringRef name) { return name == kStackFull; }

static bool callsAny(Function &function) {
  return any_of(instructions(function), [](Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && !call->isInlineAsm() && !(calleeOf(*call) && calleeOf(*call)->isIntrinsic());
  });
}

/// Returns the functions that may be called again before they return: by name, or through a pointer to a function whose
/// address is taken.
static SmallSetVector<Function *, 16> functionsThatMayRecurse(Module &program) {
  SmallSetVector<Function *, 16> result;
  CallGraph calls(program);
  for (auto scc = scc_begin(&calls); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      for (CallGraphNode *node : *scc)
        if (node->getFunction())
          result.insert(node->getFunction());
  for (Function &function : program)
    if (!function.isDeclaration() && function.hasAddressTaken() && callsAny(function))
      result.insert(&function);
  result.remove_if([](Function *function) { return function->isDeclaration() || isOfRuntime(*function); });
  return result;
}

namespace {

class StackChecks {
public:
  StackChecks(Module &program, const DeviceTarget &target)
      : program(program), word(Type::getInt64Ty(program.getContext())),
        stack(PointerType::get(program.getContext(), program.getDataLayout().getAllocaAddrSpace())),
        isAMD(target.isAMD()), waveSize(target.waveSize) {}

  void add();

private:
  GlobalVariable *createVariable(StringRef name, bool isHosts);
  Value *number(IRBuilder<> &builder, Value *pointer);
  Value *stackPointer(IRBuilder<> &builder);
  Value *endOf(IRBuilder<> &builder, AllocaInst &local);
  void checkBefore(Instruction *place, function_ref<Value *(IRBuilder<> &)> used);
  void noteBase(Function &kernel);

  Module &program;
  IntegerType *word;
  PointerType *stack;
  bool isAMD;
  unsigned waveSize;
  GlobalVariable *bytes = nullptr; ///< bytes that may be used
  GlobalVariable *end = nullptr;   ///< NVIDIA: the lowest address that may be used
};

} // namespace

/// Creates a variable. A variable of the host is all ones until the host sets it; until then, no stack is full.
GlobalVariable *StackChecks::createVariable(StringRef name, bool isHosts) {
  auto *variable = new GlobalVariable(
      program, word, /*isConstant=*/false, isHosts ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage,
      ConstantInt::get(word, isHosts ? ~uint64_t(0) : 0), name, nullptr, GlobalValue::NotThreadLocal, kGlobalSpace);
  variable->setAlignment(Align(8));
  if (isHosts) {
    variable->setExternallyInitialized(true);
    variable->setVisibility(GlobalValue::ProtectedVisibility);
  }
  return variable;
}

Value *StackChecks::number(IRBuilder<> &builder, Value *pointer) {
  return builder.CreateZExt(
      builder.CreatePtrToInt(pointer, builder.getIntPtrTy(program.getDataLayout(), stack->getAddressSpace())), word);
}

Value *StackChecks::stackPointer(IRBuilder<> &builder) {
  return number(builder, builder.CreateIntrinsic(Intrinsic::stacksave, {stack}, {}));
}

/// Returns the end of a local of variable size. The stack pointer cannot be used instead, because passes before AMD's
/// code generator move the local to its use, which is behind the check.
Value *StackChecks::endOf(IRBuilder<> &builder, AllocaInst &local) {
  if (!isAMD)
    return number(builder, &local);
  uint64_t each = program.getDataLayout().getTypeAllocSize(local.getAllocatedType());
  Value *count = builder.CreateZExtOrTrunc(local.getArraySize(), word);
  Value *size = builder.CreateMul(count, builder.getInt64(each));
  uint64_t unit = uint64_t(16) * waveSize; // the stack pointer moves by multiples of this (VariableLocals.h)
  Value *rounded = builder.CreateAnd(builder.CreateAdd(size, builder.getInt64(unit - 1)), builder.getInt64(-unit));
  return builder.CreateAdd(number(builder, &local), rounded);
}

// AMD:    if (used > bytes) stack_full()
// NVIDIA: if (used < end) stack_full()
void StackChecks::checkBefore(Instruction *place, function_ref<Value *(IRBuilder<> &)> used) {
  for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoSync, Attribute::WillReturn})
    place->getFunction()->removeFnAttr(kind);
  IRBuilder<> builder(place);
  Value *here = used(builder);
  LoadInst *limit = builder.CreateLoad(word, isAMD ? bytes : end);
  Value *isFull = isAMD ? builder.CreateICmpUGT(here, limit) : builder.CreateICmpULT(here, limit);
  MDNode *never = MDBuilder(program.getContext()).createUnlikelyBranchWeights();
  Instruction *last = SplitBlockAndInsertIfThen(isFull, place, /*Unreachable=*/true, never);
  builder.SetInsertPoint(last);
  builder.CreateCall(program.getFunction(kStackFull));
}

// Stores the limit: end = stack pointer > bytes ? stack pointer - bytes : 0.
void StackChecks::noteBase(Function &kernel) {
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *base = stackPointer(builder);
  Value *lowest = builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, base, builder.CreateLoad(word, bytes));
  StoreInst *store = builder.CreateStore(lowest, end);
  store->setAtomic(AtomicOrdering::Monotonic,
                   program.getContext().getOrInsertSyncScopeID("device")); // many lanes store the same value
}

/// Moves locals of a constant size to the head of the entry block, because a check ends this block. Behind the check,
/// LLVM would treat them as locals of variable size, which take more of the stack in each iteration of a loop.
static void gatherLocals(BasicBlock &entry) {
  Instruction &first = *entry.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &inst : make_early_inc_range(make_range(first.getIterator(), entry.end())))
    if (auto *local = dyn_cast<AllocaInst>(&inst); local && local->isStaticAlloca())
      local->moveBefore(first.getIterator());
}

void StackChecks::add() {
  for (Function &function : program)
    if (!function.isDeclaration())
      gatherLocals(function.getEntryBlock());
  SmallVector<Instruction *> places;
  for (Function *function : functionsThatMayRecurse(program))
    places.push_back(&*function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  SmallVector<AllocaInst *> locals;
  for (Function &function : program)
    for (Instruction &inst : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&inst); local && !local->isStaticAlloca())
        locals.push_back(local);
  if (places.empty() && locals.empty())
    return;
  bytes = createVariable(abi::kStackBytes, /*isHosts=*/true);
  if (!isAMD) {
    end = createVariable("__cilk2gpu_stack_end", /*isHosts=*/false);
    for (Function &function : program)
      if (isMarkedKernel(function))
        noteBase(function);
  }
  for (Instruction *place : places)
    checkBefore(place, [&](IRBuilder<> &builder) { return stackPointer(builder); });
  for (AllocaInst *local : locals)
    checkBefore(local->getNextNode(), [&](IRBuilder<> &builder) { return endOf(builder, *local); });
}

void cilk2gpu::addStackChecks(Module &program, const DeviceTarget &target) {
  if (!program.getFunction(kStackFull))
    return;
  StackChecks(program, target).add();
  program.getFunction(kStackFull)->setLinkage(GlobalValue::InternalLinkage);
}
