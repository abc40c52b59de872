// Passes variables by value to Cilk functions that only read them. A template for loops gets a lambda, whose object
// contains references to its caller's variables:
//
//   template <class F> void parallel_for(int n, F f) { cilk_for (int i = 0; i < n; i++) f(i); }
//   parallel_for(n, [&](int i) { v[i] += k; });
//
//   parallel_for(n, object{&v, &k})   ->   parallel_for(n, v.begin, v.end, v.capacity, k)
//
// Inside, each parameter becomes a variable again, and references lead to it (References.cpp), so the values reach the
// loop's body (Captures.cpp). By reference, every iteration would load them again after each store.
//
// A function qualifies if only one call leads to it, and no other file can call it. A lambda has a type of its own, so
// templates that get it often qualify. The pass also follows ordinary functions between the lambda and the loop.
#include "Extract.h"
#include "ImportPasses.h"
#include "ObjectParts.h"
#include "OrdinaryCode.h"
#include "PointerUse.h"
#include "References.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cilk2gpu;

/// Most values that replace the parameters of a function.
static constexpr unsigned kMostValues = 32;

namespace {

/// What a parameter leads to.
struct Passed {
  std::optional<Object> object; ///< none: the parameter stays as it is
  SmallVector<Part> parts;      ///< of the object
};

/// A function with the only call that leads to it.
class OnlyCall {
public:
  /// Returns the call of a function whose parameters may change, or nothing.
  static std::optional<OnlyCall> of(Function &function);

  Function &caller() const { return *call->getFunction(); }
  /// Replaces parameters by the values to which they lead. Returns false if nothing changed.
  bool passValues(const Module &unit);

private:
  explicit OnlyCall(CallBase &call) : call(&call), function(call.getCalledFunction()) {}

  std::optional<Object> objectOf(const Argument &parameter, const Module &unit) const;
  void replaceFunction(ArrayRef<Passed> passed);
  Function *makeFunction(ArrayRef<Passed> passed);
  void useParameters(Function &made, ArrayRef<Passed> passed);
  void replaceCall(Function &made, ArrayRef<Passed> passed);

  CallBase *call;
  Function *function;
};

} // namespace

static bool isSpawned(CallBase &call) {
  bool found = false;
  for (Instruction &inst : instructions(*call.getFunction()))
    if (calleeName(inst) == kSpawnBeginMarker)
      markRegion(cast<CallInst>(inst), kSpawnEndMarker, [&](const Instruction &inside) { found |= &inside == &call; });
  return found;
}

std::optional<OnlyCall> OnlyCall::of(Function &function) {
  if (!function.isDiscardableIfUnused() || function.isInterposable() || function.isDeclaration() ||
      function.isVarArg() || function.hasOptNone() || !function.hasOneUse())
    return std::nullopt;
  auto *call = dyn_cast<CallBase>(*function.user_begin());
  if (!call || call->getCalledFunction() != &function || call->getFunctionType() != function.getFunctionType() ||
      call->getFunction() == &function || call->getFunction()->hasOptNone() || call->isMustTailCall() ||
      call->hasOperandBundles() || isSpawned(*call))
    return std::nullopt;
  return OnlyCall(*call);
}

/// Returns the object to which a parameter leads, if its values can be passed.
std::optional<Object> OnlyCall::objectOf(const Argument &parameter, const Module &unit) const {
  Value *argument = call->getArgOperand(parameter.getArgNo());
  if (parameter.hasByValAttr())
    return Object{argument, parameter.getParamByValType(), parameter.getParamAlign().valueOrOne()};
  auto *variable = dyn_cast<AllocaInst>(argument);
  auto isNowhere = [](const Instruction &) { return false; };
  if (!variable || !variable->isStaticAlloca() || variable->isArrayAllocation() || parameter.hasStructRetAttr() ||
      PointerUse(unit, isNowhere).effectOfUses(parameter) != Reads)
    return std::nullopt;
  PointerUse found(unit, isNowhere);
  for (const Use &use : variable->uses())
    if (found.effectOf(use) & (use.getUser() == call ? Writes | Keeps | Returns : Keeps | Returns))
      return std::nullopt;
  return Object::of(*variable);
}

bool OnlyCall::passValues(const Module &unit) {
  bool changed = resolveReferences(caller());
  changed |= resolveReferences(*function);
  SmallVector<Passed> passed;
  size_t values = 0;
  for (Argument &parameter : function->args()) {
    std::optional<Object> object = parameter.getType()->isPointerTy() ? objectOf(parameter, unit) : std::nullopt;
    SmallVector<Part> parts;
    if (object)
      parts = partsOf(*object, unit.getDataLayout(), /*withLarge=*/false);
    values += parts.size();
    passed.push_back({parts.empty() ? std::nullopt : object, parts});
  }
  if (!values || values > kMostValues)
    return changed;
  replaceFunction(passed);
  return true;
}

/// Makes the function that gets the values, and gives it the code. Returns it.
Function *OnlyCall::makeFunction(ArrayRef<Passed> passed) {
  SmallVector<Type *> types;
  SmallVector<AttributeSet> attributes;
  for (auto [parameter, each] : zip_equal(function->args(), passed)) {
    for (const Part &part : each.parts)
      types.push_back(part.type);
    attributes.append(each.parts.size(), AttributeSet());
    if (each.object)
      continue;
    types.push_back(parameter.getType());
    attributes.push_back(function->getAttributes().getParamAttrs(parameter.getArgNo()));
  }
  auto *type = FunctionType::get(function->getReturnType(), types, false);
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, function->getAddressSpace());
  function->getParent()->getFunctionList().insert(function->getIterator(), made);
  made->copyAttributesFrom(function);
  made->setComdat(nullptr);
  made->setLinkage(GlobalValue::InternalLinkage);
  AttributeList known = function->getAttributes();
  made->setAttributes(AttributeList::get(made->getContext(), known.getFnAttrs(), known.getRetAttrs(), attributes));
  made->copyMetadata(function, 0);
  function->setSubprogram(nullptr);
  made->takeName(function);
  made->splice(made->begin(), function);
  return made;
}

/// Lets the code of `made` use its own parameters, and objects made of the values.
void OnlyCall::useParameters(Function &made, ArrayRef<Passed> passed) {
  IRBuilder<> builder(&made.getEntryBlock(), made.getEntryBlock().begin());
  Argument *next = made.arg_begin();
  for (auto [parameter, each] : zip_equal(function->args(), passed)) {
    Value *value = next;
    if (each.object) {
      AllocaInst *copy = builder.CreateAlloca(each.object->type);
      copy->setAlignment(each.object->align);
      for (const Part &part : each.parts)
        storePart(builder, Object::of(*copy), part, next++);
      value = copy;
    } else {
      ++next;
    }
    value->takeName(&parameter);
    parameter.replaceAllUsesWith(value);
  }
}

void OnlyCall::replaceCall(Function &made, ArrayRef<Passed> passed) {
  IRBuilder<> builder(call);
  AttributeList known = call->getAttributes();
  SmallVector<Value *> values;
  SmallVector<AttributeSet> attributes;
  for (auto [index, each] : enumerate(passed)) {
    for (const Part &part : each.parts)
      values.push_back(loadPart(builder, *each.object, part));
    attributes.append(each.parts.size(), AttributeSet());
    if (each.object)
      continue;
    values.push_back(call->getArgOperand(index));
    attributes.push_back(known.getParamAttrs(index));
  }
  CallBase *other;
  if (auto *invoke = dyn_cast<InvokeInst>(call))
    other = builder.CreateInvoke(&made, invoke->getNormalDest(), invoke->getUnwindDest(), values);
  else
    other = builder.CreateCall(&made, values);
  other->setAttributes(AttributeList::get(made.getContext(), known.getFnAttrs(), known.getRetAttrs(), attributes));
  other->setCallingConv(call->getCallingConv());
  other->copyMetadata(*call);
  other->takeName(call);
  call->replaceAllUsesWith(other);
  call->eraseFromParent();
  call = other;
}

/// Replaces the function by one that gets the values of the objects in `passed`.
void OnlyCall::replaceFunction(ArrayRef<Passed> passed) {
  Function *made = makeFunction(passed);
  useParameters(*made, passed);
  replaceCall(*made, passed);
  function->eraseFromParent();
  function = made;
}

/// Adds functions to which the values of their callers may be passed, callers first.
static void addWithCallers(Function &function, SetVector<Function *> &functions, SmallPtrSetImpl<Function *> &seen) {
  std::optional<OnlyCall> call = OnlyCall::of(function);
  if (!call || !seen.insert(&function).second)
    return;
  addWithCallers(call->caller(), functions, seen);
  functions.insert(&function);
}

bool PassValuesPass::runOn(Module &module, Module &) {
  SetVector<Function *> functions;
  SmallPtrSet<Function *, 16> seen;
  for (Function *task : findCilkFunctions(module))
    addWithCallers(*task, functions, seen);
  SmallVector<OnlyCall> calls;
  for (Function *function : functions)
    calls.push_back(*OnlyCall::of(*function));
  // A round passes the object of a lambda to the next function, and later rounds pass what its references lead to.
  constexpr unsigned kMostRounds = 8;
  bool changed = true;
  for (unsigned round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (OnlyCall &call : calls)
      changed |= call.passValues(module);
  }
  return true;
}
