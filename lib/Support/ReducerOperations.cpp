// See ReducerOperations.h. The functions of a reducer are copied, and simplified until their effects can be seen.
#include "cilk2gpu/Support/ReducerOperations.h"

#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace cilk2gpu;

bool cilk2gpu::isLookup(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == kHyperLookup;
}

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

/// Inlines calls for which isWanted(call, callee) holds, until there are none. Gives up after `most` calls. Variables
/// of the inlined code become values, so that pointers to views are found.
static void inlineCalls(Function &function, unsigned most, function_ref<bool(CallInst &, Function &)> isWanted) {
  for (unsigned i = 0; i < most; ++i) {
    CallInst *call = nullptr;
    for (Instruction &inst : instructions(function))
      if (auto *candidate = dyn_cast<CallInst>(&inst); candidate && !call)
        if (auto *callee = dyn_cast<Function>(candidate->getCalledOperand());
            callee && callee != &function && isWanted(*candidate, *callee))
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
                                   return isLookup(inst) || (isSmall(callee) && leadsToLookup(*callee, depth + 1));
                                 });
}

void cilk2gpu::inlineMembers(Function &function, const SmallPtrSetImpl<const Instruction *> &kept) {
  constexpr unsigned kMostCalls = 200;
  inlineCalls(function, kMostCalls, [&kept](CallInst &call, Function &callee) {
    auto isView = [](Value *value) {
      auto *lookup = dyn_cast<Instruction>(value);
      return lookup && isLookup(*lookup);
    };
    return isSmall(&callee) && !kept.contains(&call) && (leadsToLookup(callee) || any_of(call.args(), isView));
  });
}

//===-- Simplified copies -----------------------------------------------------------------------------------------===//

constexpr unsigned kMostCallsOfCopy = 50;

/// Returns true if a function can be inlined into a simplified copy.
static bool isInlined(const Function &callee) {
  constexpr size_t kMostInstructions = 400;
  return !callee.isDeclaration() && !callee.isInterposable() && callee.getInstructionCount() < kMostInstructions;
}

/// Simplifies a function, so that each value that it computes has its usual form.
static void simplify(Function &function) {
  Analyses analyses;
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  for (unsigned round = 0; round < 2; ++round) {
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
  }
  passes.addPass(InstCombinePass());
  passes.run(function, analyses.functions);
}

/// Returns the value that a simplified function returns, if it does nothing else; null otherwise.
static Value *soleResult(Function &function) {
  auto *result = function.size() == 1 ? dyn_cast<ReturnInst>(function.getEntryBlock().getTerminator()) : nullptr;
  bool doesMore = any_of(function.getEntryBlock(),
                         [](Instruction &inst) { return inst.mayHaveSideEffects() || inst.mayReadFromMemory(); });
  return result && !doesMore ? result->getReturnValue() : nullptr;
}

//===-- Operations ------------------------------------------------------------------------------------------------===//

Constant *Monoid::neutral() const {
  const unsigned width = type->getBitWidth();
  switch (operation) {
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return ConstantInt::getAllOnesValue(type);
  case AtomicRMWInst::Max:
    return ConstantInt::get(type, APInt::getSignedMinValue(width));
  case AtomicRMWInst::Min:
    return ConstantInt::get(type, APInt::getSignedMaxValue(width));
  default:
    return ConstantInt::get(type, 0);
  }
}

Value *Monoid::combine(IRBuilderBase &builder, Value *left, Value *right) const {
  return buildAtomicRMWValue(operation, builder, left, right);
}

/// Returns the operation of an instruction.
static std::optional<AtomicRMWInst::BinOp> operationOf(const Instruction &inst) {
  if (auto *extreme = dyn_cast<MinMaxIntrinsic>(&inst))
    switch (extreme->getIntrinsicID()) {
    case Intrinsic::smax:
      return AtomicRMWInst::Max;
    case Intrinsic::smin:
      return AtomicRMWInst::Min;
    case Intrinsic::umax:
      return AtomicRMWInst::UMax;
    default:
      return AtomicRMWInst::UMin;
    }
  switch (inst.getOpcode()) {
  case Instruction::Add:
    return AtomicRMWInst::Add;
  case Instruction::And:
    return AtomicRMWInst::And;
  case Instruction::Or:
    return AtomicRMWInst::Or;
  case Instruction::Xor:
    return AtomicRMWInst::Xor;
  default:
    return {};
  }
}

/// Makes a simplified function `T f(T...)` that calls a function of a reducer with the addresses of variables, and
/// returns the first variable.
static Function *valueForm(Function &function, IntegerType *type) {
  const SmallVector<Type *> parameters(function.arg_size(), type);
  Function *form = Function::Create(FunctionType::get(type, parameters, false), GlobalValue::InternalLinkage,
                                    "cilk2gpu.reducer.form", function.getParent());
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", form));
  SmallVector<Value *> variables;
  for (Argument &argument : form->args()) {
    variables.push_back(builder.CreateAlloca(type));
    builder.CreateStore(&argument, variables.back());
  }
  builder.CreateCall(&function, variables)->setCallingConv(function.getCallingConv());
  builder.CreateRet(builder.CreateLoad(type, variables.front()));
  inlineCalls(*form, kMostCallsOfCopy, [](CallInst &, Function &callee) { return isInlined(callee); });
  simplify(*form);
  return form;
}

/// Returns the operation of a reducer, from the value forms of its two functions.
static std::optional<Monoid> monoidOf(Function &identity, Function &reduce) {
  auto *type = cast<IntegerType>(reduce.getReturnType());
  auto *operation = dyn_cast_or_null<Instruction>(soleResult(reduce));
  const auto kind = operation ? operationOf(*operation) : std::nullopt;
  if (!kind)
    return std::nullopt;
  const Monoid monoid = {type, *kind};
  Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  bool isOperation = isa<Argument>(left) && isa<Argument>(right) && left != right;
  return isOperation && soleResult(identity) == monoid.neutral() ? std::optional(monoid) : std::nullopt;
}

/// Returns true if a function of a reducer has code that the linker cannot replace.
static bool canCopy(const Function &function, unsigned parameters) {
  return !function.isDeclaration() && !function.isInterposable() && function.arg_size() == parameters &&
         all_of(function.args(), [](const Argument &argument) { return argument.getType()->isPointerTy(); });
}

std::optional<Monoid> Monoids::of(const CallBase &lookup) {
  auto *identity = dyn_cast<Function>(lookup.getArgOperand(2)->stripPointerCasts());
  auto *reduce = dyn_cast<Function>(lookup.getArgOperand(3)->stripPointerCasts());
  auto *size = dyn_cast<ConstantInt>(lookup.getArgOperand(1));
  if (!identity || !reduce || !size || !canCopy(*identity, 1) || !canCopy(*reduce, 2) ||
      !is_contained({1u, 2u, 4u, 8u}, size->getZExtValue()))
    return std::nullopt;
  const unsigned bits = 8 * size->getZExtValue();
  auto [entry, isNew] = known.insert({{identity, reduce, bits}, std::nullopt});
  if (isNew) {
    auto *type = IntegerType::get(lookup.getContext(), bits);
    Function *first = valueForm(*identity, type), *second = valueForm(*reduce, type);
    entry->second = monoidOf(*first, *second);
    first->eraseFromParent();
    second->eraseFromParent();
  }
  return entry->second;
}

//===-- Updates ---------------------------------------------------------------------------------------------------===//

/// Inlines the calls of ordinary functions that get the address of a variable, and those that these contain.
static void inlineUsersOf(AllocaInst &variable) {
  inlineCalls(*variable.getFunction(), kMostCallsOfCopy, [&](CallInst &call, Function &callee) {
    return isInlined(callee) &&
           any_of(call.args(), [&](Value *argument) { return getUnderlyingObject(argument) == &variable; });
  });
}

/// Orders that the source does not have may overflow where it does not. Drops the flags of operations whose values may
/// depend on a variable.
static void dropOverflowFlags(AllocaInst &variable) {
  SetVector<Value *> reached;
  reached.insert(&variable);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (User *user : reached[i]->users()) {
      auto *inst = cast<Instruction>(user);
      if (auto *store = dyn_cast<StoreInst>(inst))
        reached.insert(getUnderlyingObject(store->getPointerOperand()));
      else if (isa<LoadInst, BinaryOperator, CastInst, PHINode, SelectInst, GetElementPtrInst, IntrinsicInst>(inst))
        reached.insert(inst);
      if (isa<BinaryOperator>(inst))
        inst->dropPoisonGeneratingFlags();
    }
}

void cilk2gpu::inlineUpdatesOf(AllocaInst &variable, const Monoid &monoid) {
  inlineUsersOf(variable);
  if (monoid.operation == AtomicRMWInst::Add)
    dropOverflowFlags(variable);
}

namespace {

/// The values of a view in a simplified function, from its value at the start to those that the function leaves.
class AccumulatedValues {
public:
  AccumulatedValues(Value &start, const Function &end, const Monoid &monoid) : end(end), monoid(monoid) {
    values.insert(&start);
  }

  /// Returns true if each value is a combination of an earlier one with a value that depends on none of them.
  bool areClosed() {
    for (unsigned i = 0; i < values.size(); ++i)
      for (User *user : values[i]->users())
        if (!take(*cast<Instruction>(user)))
          return false;
    return all_of(drop_begin(values), [this](Value *value) { return isClosed(*cast<Instruction>(value)); }) &&
           all_of(end.users(), [this](const User *user) { return values.contains(user->getOperand(0)); });
  }

private:
  bool take(Instruction &user);
  bool isClosed(Instruction &value) const;

  const Function &end;
  const Monoid monoid;
  SetVector<Value *> values;
};

} // namespace

/// Adds a user of a value to the values. Returns false if it may not use them.
bool AccumulatedValues::take(Instruction &user) {
  if (auto *call = dyn_cast<CallBase>(&user); call && call->getCalledFunction() == &end)
    return true;
  const bool isSubtraction = user.getOpcode() == Instruction::Sub && monoid.operation == AtomicRMWInst::Add;
  if (!isSubtraction && operationOf(user) != monoid.operation && !isa<PHINode, SelectInst>(user))
    return false;
  values.insert(&user);
  return true;
}

bool AccumulatedValues::isClosed(Instruction &value) const {
  auto isValue = [this](Value *operand) { return values.contains(operand); };
  if (auto *phi = dyn_cast<PHINode>(&value))
    return all_of(phi->incoming_values(), isValue);
  if (auto *select = dyn_cast<SelectInst>(&value))
    return isValue(select->getTrueValue()) && isValue(select->getFalseValue()) && !isValue(select->getCondition());
  if (value.getOpcode() == Instruction::Sub)
    return isValue(value.getOperand(0)) && !isValue(value.getOperand(1));
  return isValue(value.getOperand(0)) != isValue(value.getOperand(1));
}

bool cilk2gpu::onlyAccumulates(Function &function, const Monoid &monoid, function_ref<bool(CallBase &)> isLookup) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  IRBuilder<> builder(&copy->getEntryBlock(), copy->getEntryBlock().begin());
  AllocaInst *view = builder.CreateAlloca(monoid.type);
  WeakVH variable(view); // null if the view becomes a value
  // Functions that nobody knows give the first value of the view, and take the last.
  auto create = [&](FunctionType *type, const char *name) {
    return Function::Create(type, GlobalValue::ExternalLinkage, name, function.getParent());
  };
  Function *start = create(FunctionType::get(monoid.type, false), "cilk2gpu.view.start");
  Function *end = create(FunctionType::get(builder.getVoidTy(), monoid.type, false), "cilk2gpu.view.end");
  builder.CreateStore(builder.CreateCall(start), view);
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallBase>(&inst); call && isLookup(*call)) {
      auto *lookup = cast<CallBase>(map[call]);
      lookup->replaceAllUsesWith(view);
      lookup->eraseFromParent();
    }
  for (BasicBlock &block : *copy)
    if (isa<ReturnInst>(block.getTerminator())) {
      builder.SetInsertPoint(block.getTerminator());
      builder.CreateCall(end, builder.CreateLoad(monoid.type, view));
    }
  inlineUsersOf(*view);
  simplify(*copy);
  const bool result =
      !variable && start->hasOneUse() && AccumulatedValues(**start->user_begin(), *end, monoid).areClosed();
  copy->eraseFromParent();
  start->eraseFromParent();
  end->eraseFromParent();
  return result;
}
