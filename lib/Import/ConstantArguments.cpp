// Replaces parameters of functions that always get the same constant. In Clang's elision, LLVM does so (its pass
// IPSCCP):
//
//   static int tour(int at, unsigned left, int n) {
//     for (int i = 1; i < n; i++)
//       best[i] = cilk_spawn tour(i, left ^ 1 << i, n);
//     ...
//   }
//   int main() { return tour(0, 0xffe, 12); }
//
// A task gets its arguments from a channel, where LLVM does not see the constants. So they have to be found before, in
// Clang's code, where a spawn is a call. The loop above then has a known count in kernels and elisions alike.
//
// The parameter stays, so that calls and channels have the same form on all devices. It is only not read any more.
#include "Extract.h"
#include "ImportPasses.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most steps from an argument of a call back to the value that it has.
static constexpr unsigned kMostSteps = 8;

namespace {

/// What is known of a parameter's values. The analysis is optimistic: it begins with None everywhere.
struct Known {
  enum Kind : uint8_t { None, One, Many } kind = None;
  Constant *constant = nullptr; ///< of One

  static Known one(Constant *constant) { return {One, constant}; }
  static Known many() { return {Many, nullptr}; }
  /// Adds another value. Returns whether that changes what is known.
  bool add(const Known &other);
};

class ArgumentConstants {
public:
  ArgumentConstants(Module &module, bool withAddresses);
  void find();
  void replace();

private:
  bool isUsable(const Constant &constant) const;
  Known valueOf(Value *value, const Instruction &at, unsigned steps);
  StoreInst *onlyStore(AllocaInst &variable, const Instruction &at);
  bool addCallsOf(Function &function);
  DominatorTree &dominatorsOf(Function &function);

  const DataLayout &layout;
  bool withAddresses;                      ///< addresses of variables are constants, too
  SmallVector<Function *> functions;       ///< whose calls are all known
  DenseMap<const Argument *, Known> known; ///< of the parameters of these functions
  DenseMap<const Function *, std::unique_ptr<DominatorTree>> dominators;
};

} // namespace

bool Known::add(const Known &other) {
  if (other.kind == None || kind == Many || (kind == One && other.kind == One && constant == other.constant))
    return false;
  *this = kind == None ? other : many();
  return true;
}

/// Returns true if each use of a function is an ordinary call in this module, so that all its arguments are known.
static bool hasKnownCalls(const Function &function) {
  if (function.isDeclaration() || !function.hasLocalLinkage() || function.isVarArg() || function.hasOptNone() ||
      function.hasFnAttribute(Attribute::Naked) || function.arg_empty() || function.use_empty())
    return false;
  return all_of(function.uses(), [&](const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use) && call->getFunctionType() == function.getFunctionType() &&
           !call->isMustTailCall();
  });
}

/// Returns true if a parameter is a plain value, and not a place where the caller has put one.
static bool isValue(const Argument &parameter) {
  return parameter.getType()->isSingleValueType() && !parameter.hasPointeeInMemoryValueAttr() &&
         !parameter.hasSwiftErrorAttr();
}

ArgumentConstants::ArgumentConstants(Module &module, bool withAddresses)
    : layout(module.getDataLayout()), withAddresses(withAddresses) {
  for (Function &function : module)
    if (hasKnownCalls(function)) {
      functions.push_back(&function);
      for (Argument &parameter : function.args())
        if (isValue(parameter))
          known[&parameter] = Known();
    }
}

DominatorTree &ArgumentConstants::dominatorsOf(Function &function) {
  std::unique_ptr<DominatorTree> &tree = dominators[&function];
  if (!tree)
    tree = std::make_unique<DominatorTree>(function);
  return *tree;
}

/// Returns the store that a variable has always seen before `at`, if no other code writes the variable; else null.
StoreInst *ArgumentConstants::onlyStore(AllocaInst &variable, const Instruction &at) {
  StoreInst *only = nullptr;
  for (User *user : variable.users()) {
    if (auto *load = dyn_cast<LoadInst>(user); load && load->isSimple())
      continue;
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(user); intrinsic && intrinsic->isLifetimeStartOrEnd())
      continue;
    auto *store = dyn_cast<StoreInst>(user);
    if (!store || only || !store->isSimple() || store->getPointerOperand() != &variable)
      return nullptr;
    only = store;
  }
  return only && dominatorsOf(*only->getFunction()).dominates(only, &at) ? only : nullptr;
}

/// Returns true if a constant may stand in the code of a task. The address of a function may not, because the call of a
/// parameter would become the call of a function that this task is not known to call.
bool ArgumentConstants::isUsable(const Constant &constant) const {
  if (isa<ConstantInt, ConstantFP, ConstantPointerNull, ConstantDataVector>(constant))
    return true;
  auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(&constant));
  return withAddresses && variable && !variable->isThreadLocal() && constant.getType()->isPointerTy();
}

/// Returns what is known of a value that the instruction `at` uses.
Known ArgumentConstants::valueOf(Value *value, const Instruction &at, unsigned steps) {
  if (auto *constant = dyn_cast<Constant>(value))
    return isUsable(*constant) ? Known::one(constant) : Known::many();
  if (auto *parameter = dyn_cast<Argument>(value)) {
    auto found = known.find(parameter);
    return found == known.end() ? Known::many() : found->second;
  }
  if (!steps)
    return Known::many();
  if (auto *load = dyn_cast<LoadInst>(value)) {
    auto *variable = dyn_cast<AllocaInst>(load->getPointerOperand());
    StoreInst *store = variable && load->isSimple() ? onlyStore(*variable, *load) : nullptr;
    return store && store->getValueOperand()->getType() == load->getType()
               ? valueOf(store->getValueOperand(), *store, steps - 1)
               : Known::many();
  }
  auto *cast = dyn_cast<CastInst>(value);
  if (!cast)
    return Known::many();
  Known operand = valueOf(cast->getOperand(0), *cast, steps - 1);
  if (operand.kind != Known::One)
    return operand;
  Constant *folded = ConstantFoldCastOperand(cast->getOpcode(), operand.constant, cast->getType(), layout);
  return folded && isUsable(*folded) ? Known::one(folded) : Known::many();
}

/// Adds the arguments of all calls of a function. Returns whether that changes what is known of its parameters.
bool ArgumentConstants::addCallsOf(Function &function) {
  bool changed = false;
  for (User *user : function.users()) {
    auto &call = cast<CallBase>(*user);
    for (Argument &parameter : function.args())
      if (auto found = known.find(&parameter); found != known.end() && found->second.kind != Known::Many) {
        Known argument = valueOf(call.getArgOperand(parameter.getArgNo()), call, kMostSteps);
        changed |= found->second.add(argument);
      }
  }
  return changed;
}

/// Each parameter changes at most twice, so this ends.
void ArgumentConstants::find() {
  DenseMap<const Function *, SmallSetVector<Function *, 4>> callees;
  for (Function *function : functions)
    for (User *user : function->users())
      callees[cast<CallBase>(user)->getFunction()].insert(function);
  SetVector<Function *> work(functions.begin(), functions.end());
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    if (addCallsOf(*function))
      work.insert_range(callees[function]);
  }
}

void ArgumentConstants::replace() {
  for (Function *function : functions)
    for (Argument &parameter : function->args())
      if (auto found = known.find(&parameter); found != known.end() && found->second.kind == Known::One)
        parameter.replaceAllUsesWith(found->second.constant);
}

bool ReplaceConstantArgumentsPass::runOn(Module &module, Module &) {
  if (findCilkFunctions(module).empty())
    return true;
  ArgumentConstants arguments(module, withAddresses);
  arguments.find();
  arguments.replace();
  return true;
}
