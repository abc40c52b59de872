// See ReducerOperations.h. The functions of a reducer are copied, and simplified until their effects can be seen.
#include "ReducerOperations.h"
#include "OrdinaryCode.h"

#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace cilk2gpu;

Value *cilk2gpu::writtenValue(Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  auto *variable = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  if (!variable)
    return value;
  Value *written = nullptr;
  for (User *user : variable->users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (store && store->getPointerOperand() == variable && store->getValueOperand() != variable && !written)
      written = store->getValueOperand();
    else if (!isa<LoadInst>(user) && !isa<LifetimeIntrinsic>(user))
      return value;
  }
  return isa_and_nonnull<Argument>(written) ? written : value;
}

/// Returns true if a function can take the place of its calls: it has few instructions, and no branches.
static bool isSmall(const Function *function) {
  constexpr size_t kMostInstructions = 40;
  return function && !function->isDeclaration() && !function->isInterposable() && function->size() == 1 &&
         function->getEntryBlock().size() <= kMostInstructions && !function->isVarArg() &&
         !function->hasFnAttribute(Attribute::NoInline);
}

/// Turns variables into values, if only loads and stores use them.
static void promote(Function &function, ArrayRef<AllocaInst *> variables) {
  SmallVector<AllocaInst *> promotable;
  copy_if(variables, std::back_inserter(promotable), isAllocaPromotable);
  DominatorTree dominators(function);
  PromoteMemToReg(promotable, dominators);
}

/// Puts the code of small functions in the place of those calls for which isWanted(call, callee) holds. Variables of
/// the inlined code become values, so that pointers to views are found.
template <class IsWanted> static void inlineSmall(Function &function, IsWanted isWanted) {
  constexpr unsigned kMostCalls = 200;
  for (unsigned i = 0; i < kMostCalls; ++i) {
    CallInst *call = nullptr;
    for (Instruction &inst : instructions(function))
      if (auto *candidate = dyn_cast<CallInst>(&inst); candidate && !call)
        if (auto *callee = dyn_cast<Function>(candidate->getCalledOperand());
            callee != &function && isSmall(callee) && isWanted(*candidate, *callee))
          call = candidate;
    InlineFunctionInfo inlined;
    if (!call || !InlineFunction(*call, inlined).isSuccess())
      return;
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *field = dyn_cast<GetElementPtrInst>(&inst); field && field->hasAllZeroIndices()) {
        field->replaceAllUsesWith(field->getPointerOperand());
        field->eraseFromParent();
      }
    promote(function, inlined.StaticAllocas);
  }
}

/// Returns true if a small function looks up a view, itself or by small functions that it calls.
static bool leadsToLookup(const Function &function, unsigned depth = 0) {
  constexpr unsigned kDeepest = 5;
  return depth < kDeepest && any_of(
                                 function.getEntryBlock(),
                                 [&](const Instruction &inst) {
                                   auto *call = dyn_cast<CallInst>(&inst);
                                   auto *callee = call ? dyn_cast<Function>(call->getCalledOperand()) : nullptr;
                                   return calleeName(inst) == kHyperLookup ||
                                          (isSmall(callee) && leadsToLookup(*callee, depth + 1));
                                 });
}

void cilk2gpu::inlineMembers(Function &function) {
  inlineSmall(function, [](CallInst &call, Function &callee) {
    auto isView = [](Value *value) {
      auto *lookup = dyn_cast<Instruction>(value);
      return lookup && calleeName(*lookup) == kHyperLookup;
    };
    return leadsToLookup(callee) || any_of(call.args(), isView);
  });
}

/// Returns the only store of a function without branches and calls, apart from those to its parameters' variables; null
/// if there is another number of them.
static StoreInst *onlyEffect(Function &function) {
  if (function.isDeclaration() || function.isInterposable() || function.size() != 1)
    return nullptr;
  StoreInst *only = nullptr;
  for (Instruction &inst : function.getEntryBlock()) {
    if (isa<CallBase>(inst) && !isa<DbgInfoIntrinsic>(inst) && !isa<LifetimeIntrinsic>(inst))
      return nullptr;
    auto *store = dyn_cast<StoreInst>(&inst);
    if (!store || isa<AllocaInst>(store->getPointerOperand()))
      continue;
    if (only || !store->isSimple())
      return nullptr;
    only = store;
  }
  return only;
}

/// Returns true if a value is read through the argument of a number.
static bool isReadFrom(Value *value, Function &function, unsigned argument) {
  auto *load = dyn_cast<LoadInst>(value);
  return load && writtenValue(load->getPointerOperand()) == function.getArg(argument);
}

/// Returns the operation of a reducer, from simplified copies of its two functions.
static std::optional<Monoid> monoidOf(Function &identity, Function &reduce, uint64_t size) {
  StoreInst *initial = onlyEffect(identity), *reduced = onlyEffect(reduce);
  if (!initial || !reduced || writtenValue(initial->getPointerOperand()) != identity.getArg(0) ||
      writtenValue(reduced->getPointerOperand()) != reduce.getArg(0))
    return std::nullopt;
  auto *operation = dyn_cast<BinaryOperator>(reduced->getValueOperand());
  auto *type = operation ? dyn_cast<IntegerType>(operation->getType()) : nullptr;
  if (!type || type->getBitWidth() != 8 * size || type->getBitWidth() > 64 ||
      !is_contained({Instruction::Add, Instruction::And, Instruction::Or, Instruction::Xor}, operation->getOpcode()))
    return std::nullopt;
  Monoid monoid = {type, operation->getOpcode()};
  Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  if (isReadFrom(left, reduce, 1))
    std::swap(left, right);
  bool isOperation = isReadFrom(left, reduce, 0) && isReadFrom(right, reduce, 1);
  if (!isOperation || initial->getValueOperand() != monoid.neutral())
    return std::nullopt;
  return monoid;
}

/// Returns a copy of a function of a reducer, with the code of small functions that it calls.
static Function *simplifiedCopy(Function &function) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  inlineSmall(*copy, [](CallInst &, Function &) { return true; });
  SmallVector<AllocaInst *> variables;
  for (Instruction &inst : instructions(*copy))
    if (auto *variable = dyn_cast<AllocaInst>(&inst))
      variables.push_back(variable);
  promote(*copy, variables);
  return copy;
}

/// Returns true if a function of a reducer has code that the linker cannot replace.
static bool canCopy(const Function &function, unsigned parameters) {
  return !function.isDeclaration() && !function.isInterposable() && function.arg_size() == parameters;
}

std::optional<Monoid> Monoids::of(const CallBase &lookup) {
  auto *identity = dyn_cast<Function>(lookup.getArgOperand(2)->stripPointerCasts());
  auto *reduce = dyn_cast<Function>(lookup.getArgOperand(3)->stripPointerCasts());
  auto *size = dyn_cast<ConstantInt>(lookup.getArgOperand(1));
  if (!identity || !reduce || !size || !canCopy(*identity, 1) || !canCopy(*reduce, 2))
    return std::nullopt;
  auto [entry, isNew] = known.insert({{identity, reduce}, std::nullopt});
  if (isNew) {
    Function *first = simplifiedCopy(*identity), *second = simplifiedCopy(*reduce);
    entry->second = monoidOf(*first, *second, size->getZExtValue());
    first->eraseFromParent();
    second->eraseFromParent();
  }
  const std::optional<Monoid> monoid = entry->second;
  return monoid && monoid->type->getBitWidth() == 8 * size->getZExtValue() ? monoid : std::nullopt;
}

std::optional<ReducerUpdate> cilk2gpu::findUpdate(CallBase &lookup, const Monoid &monoid) {
  ReducerUpdate update = {&lookup, nullptr, nullptr, nullptr};
  for (User *user : lookup.users()) {
    if (auto *load = dyn_cast<LoadInst>(user); load && !update.load)
      update.load = load;
    else if (auto *store = dyn_cast<StoreInst>(user);
             store && !update.store && store->getPointerOperand() == &lookup && store->getValueOperand() != &lookup)
      update.store = store;
    else
      return std::nullopt;
  }
  if (!update.load || !update.store || !update.load->isSimple() || !update.store->isSimple() ||
      update.load->getType() != monoid.type || !update.load->hasOneUse())
    return std::nullopt;
  auto *operation = update.operation = dyn_cast<BinaryOperator>(update.load->user_back());
  if (!operation || !operation->hasOneUse() || update.store->getValueOperand() != operation ||
      update.store->getParent() != update.load->getParent())
    return std::nullopt;
  const bool isSubtraction = operation->getOpcode() == Instruction::Sub && monoid.operation == Instruction::Add &&
                             operation->getOperand(0) == update.load;
  if (operation->getOpcode() != monoid.operation && !isSubtraction)
    return std::nullopt;
  // A call between the load and the store may update the view, too.
  for (Instruction &inst : make_range(update.load->getIterator(), update.store->getIterator()))
    if (isa<CallBase>(inst) && !isa<IntrinsicInst>(inst))
      return std::nullopt;
  return update;
}
