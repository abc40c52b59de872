// Replaces what a cilk_for's iterations capture by its value, where each start of the loop passes the same constant.
// Iterations are functions with parameters of their own, and their elements hold the arguments. So LLVM does not see
// where the arguments come from, and would compute remainders by a divisor of any value, for example.
//
//   int n = 1000; const int steps[] = {-1, 1}; cilk_for (...) ... % n ... steps[k] ...
//   -> f.for0.body(i, n, steps) { ... % 1000 ... @__const.f.steps[k] ... }
//
// A local array is replaced if it gets its values from constant memory, and is only read afterwards.
#include "ImportPasses.h"
#include "LoopCalls.h"

#include "cilk2gpu/Support/SerialLoops.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Folds what depends on constants: the number of iterations of an inner loop, for example.
void simplify(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (Value *simple = simplifyInstruction(&inst, layout); simple && simple != &inst && !inst.use_empty()) {
        inst.replaceAllUsesWith(simple);
        if (isInstructionTriviallyDead(&inst))
          inst.eraseFromParent();
        changed = true;
      }
    for (BasicBlock &block : function)
      changed |= ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    changed |= removeUnreachableBlocks(function);
  }
}

class LoopConstants {
public:
  LoopConstants(Module &module, Module &unit) : module(module), unit(unit) {}
  void run();

private:
  bool foldRound();
  GlobalVariable *constantMemory(Value *pointer) const;
  GlobalVariable *copiedFrom(AllocaInst &local) const;
  static bool isOnlyRead(const Value &pointer, SmallPtrSetImpl<const Value *> &visited);
  static bool isRead(const Use &use, SmallPtrSetImpl<const Value *> &visited);
  Constant *valueOf(Value *passed) const;
  Constant *constantOf(const Argument &argument, ArrayRef<CallBase *> calls) const;

  Module &module, &unit;
  DenseMap<const Argument *, Constant *> constants;
};

/// Returns the variable at `pointer` if its values are known and never change. The module has only a declaration.
GlobalVariable *LoopConstants::constantMemory(Value *pointer) const {
  auto *variable = dyn_cast<GlobalVariable>(pointer);
  GlobalVariable *defined = variable ? unit.getGlobalVariable(variable->getName(), /*AllowInternal=*/true) : nullptr;
  return defined && defined->isConstant() && defined->hasDefinitiveInitializer() ? variable : nullptr;
}

bool LoopConstants::isRead(const Use &use, SmallPtrSetImpl<const Value *> &visited) {
  auto *inst = cast<Instruction>(use.getUser());
  if (auto *load = dyn_cast<LoadInst>(inst))
    return load->isSimple();
  if (isa<GetElementPtrInst>(inst))
    return isOnlyRead(*inst, visited);
  if (auto *copy = dyn_cast<MemTransferInst>(inst))
    return use.getOperandNo() == 1 && !copy->isVolatile();
  auto *call = dyn_cast<CallBase>(inst);
  Function *callee = call && call->isArgOperand(&use) ? call->getCalledFunction() : nullptr;
  bool isOfLoop = callee && any_of(ArrayRef<StringRef>{lane::kLoopTaskAttr, lane::kLoopBodyAttr, kSerialLoopAttr},
                                   [&](StringRef attribute) { return callee->hasFnAttribute(attribute); });
  return isOfLoop && isOnlyRead(*callee->getArg(call->getArgOperandNo(&use)), visited);
}

/// Returns whether the memory at `pointer` is only read, also in the functions of loops that get the pointer.
bool LoopConstants::isOnlyRead(const Value &pointer, SmallPtrSetImpl<const Value *> &visited) {
  if (!visited.insert(&pointer).second)
    return true;
  return all_of(pointer.uses(), [&](const Use &use) { return isRead(use, visited); });
}

/// Returns the constant memory from which a local variable gets all its values, or null.
GlobalVariable *LoopConstants::copiedFrom(AllocaInst &local) const {
  GlobalVariable *source = nullptr;
  uint64_t bytes = 0;
  SmallPtrSet<const Value *, 16> visited;
  for (Use &use : local.uses()) {
    auto *inst = cast<Instruction>(use.getUser());
    auto *copy = dyn_cast<MemCpyInst>(inst);
    if (copy && use.getOperandNo() == 0 && !source && !copy->isVolatile() && isa<ConstantInt>(copy->getLength())) {
      source = constantMemory(copy->getSource());
      bytes = cast<ConstantInt>(copy->getLength())->getZExtValue();
      if (!source)
        return nullptr;
    } else if (!inst->isLifetimeStartOrEnd() && !isRead(use, visited))
      return nullptr;
  }
  const DataLayout &layout = local.getDataLayout();
  auto whole = [&](Type *type) { return layout.getTypeAllocSize(type) == TypeSize::getFixed(bytes); };
  bool fits = source && !local.isArrayAllocation() && whole(local.getAllocatedType()) &&
              whole(source->getValueType()) && source->getAlign().valueOrOne() >= local.getAlign();
  return fits ? source : nullptr;
}

/// Returns the constant that stands for an argument, or null. Addresses of variables are left out, because a device may
/// have its own copy of a variable.
Constant *LoopConstants::valueOf(Value *passed) const {
  if (auto *local = dyn_cast<AllocaInst>(passed))
    return copiedFrom(*local);
  if (isa<ConstantData>(passed) && !isa<UndefValue>(passed))
    return cast<Constant>(passed);
  return constantMemory(passed);
}

/// Returns the constant that all calls pass, except those that pass on the function's own argument. Returns null if
/// there is none.
Constant *LoopConstants::constantOf(const Argument &argument, ArrayRef<CallBase *> calls) const {
  Constant *all = nullptr;
  for (CallBase *call : calls) {
    Value *passed = call->getArgOperand(argument.getArgNo());
    if (passed == &argument)
      continue;
    Constant *value = valueOf(passed);
    if (!value || (all && all != value))
      return nullptr;
    all = value;
  }
  return all;
}

/// Replaces arguments by constants where all calls pass the same. Returns whether there were any.
bool LoopConstants::foldRound() {
  SmallSetVector<Function *, 8> changed;
  LoopCalls calls(module);
  for (auto &[function, sites] : calls)
    for (Argument &argument : function->args())
      if (Constant *constant = argument.use_empty() ? nullptr : constantOf(argument, sites)) {
        argument.replaceAllUsesWith(constant);
        constants[&argument] = constant;
        changed.insert(function);
      }
  for_each(changed, [](Function *function) { simplify(*function); });
  return !changed.empty();
}

void LoopConstants::run() {
  // Bodies are called by range tasks, and may contain loops, so constants move inwards round by round.
  while (foldRound())
    ;
  visitSerialLoops(module, LoopCalls(module), [&](Function &loop, Function &task) {
    for (auto [own, argument] : zip_equal(loop.args(), task.args()))
      if (Constant *constant = constants.lookup(&argument))
        own.replaceAllUsesWith(constant);
    simplify(loop);
  });
}

} // namespace

bool FoldLoopConstantsPass::runOn(Module &module, Module &unit) {
  LoopConstants(module, unit).run();
  return true;
}
