// Lets functions spawn that the linker may replace: weak functions, and functions of libraries under
// -fsemantic-interposition. Kernels and elisions are made from a body, and would stay if another body were taken. So
// the body moves to a function that nothing replaces:
//
//   weak int fib(int n) { spawns }   ->   int fib.here(int n) { spawns }
//                                         weak int fib(int n) { return fib.here(n); }
//
// Spawns of `fib` stay as they are. As in a unit that only declares `fib`, a spawn goes to a task that calls whatever
// function is linked. The runtime puts the task of `fib.here` in its place if the address of `fib` is the one of this
// unit's function. Plain calls in Cilk functions of this unit, and all calls in elisions, compare the addresses
// themselves:
//
//   y = fib(n)   ->   y = fib.choice[0] == fib.choice[1] ? fib.here(n) : fib(n)
//
// Code for GPUs does not compare, because a unit's own function is not there if another one is linked. Plain calls are
// then calls of an ordinary function, which runs its elision.
#include "ReplaceableFunctions.h"

#include "Extract.h"
#include "ImportPasses.h"
#include "SerialLoop.h"
#include "SpawnCode.h"

#include "cilk2gpu/Support/Markers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;
using namespace cilk2gpu;

/// Call attribute: the callee is known to be another unit's function.
static constexpr const char kElsewhereAttr[] = "cilk2gpu-elsewhere";

/// End of the name of a body.
static constexpr const char kBodySuffix[] = ".here";

Function *cilk2gpu::replaceableOf(const Function &body) {
  StringRef name = body.getFnAttribute(kReplaceableAttr).getValueAsString(), own = body.getName();
  return own.consume_back(kBodySuffix) && own == name ? body.getParent()->getFunction(name) : nullptr;
}

static std::string choiceName(const Function &function) { return (function.getName() + ".choice").str(); }

/// Makes a constant with two addresses: of the function that is linked, and of this unit's. They are compared in
/// modules that have only declarations, whose addresses LLVM takes for different.
static void makeChoice(Function &function) {
  Module &module = *function.getParent();
  auto *own = GlobalAlias::create(function.getValueType(), function.getAddressSpace(), GlobalValue::InternalLinkage,
                                  function.getName() + ".unit", &function, &module);
  auto *type = ArrayType::get(function.getType(), 2);
  new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                     ConstantArray::get(type, {&function, own}), choiceName(function));
}

void cilk2gpu::callLinkedBody(Function &caller, Function &body, Function &target,
                              function_ref<bool(const CallBase &)> isWanted) {
  Function &function = *replaceableOf(body);
  GlobalVariable *choice = body.getParent()->getGlobalVariable(choiceName(function), /*AllowInternal=*/true);
  if (!choice)
    return;
  SmallVector<CallBase *> calls;
  for (Instruction &inst : instructions(caller))
    if (auto *call = dyn_cast<CallBase>(&inst); call && call->getCalledOperand() == &function && isWanted(*call) &&
                                                call->getFunctionType() == function.getFunctionType() &&
                                                !call->hasFnAttr(kElsewhereAttr) && !call->isMustTailCall())
      calls.push_back(call);
  for (CallBase *call : calls) {
    IRBuilder<> builder(call);
    Value *linked = builder.CreateLoad(function.getType(), choice);
    Value *second = builder.CreateConstInBoundsGEP2_64(choice->getValueType(), choice, 0, 1);
    Value *own = builder.CreateLoad(function.getType(), second);
    call->setCalledOperand(linked);
    versionCallSite(*call, own, /*BranchWeights=*/nullptr).setCalledFunction(&target);
    call->setCalledOperand(&function);
    call->addFnAttr(Attribute::get(call->getContext(), kElsewhereAttr));
  }
}

/// Returns the calls that a Cilk function spawns.
static SmallPtrSet<const Instruction *, 16> spawnedCalls(Function &function) {
  SmallPtrSet<const Instruction *, 16> found;
  for (CallInst *begin : markersIn(function, kSpawnBeginMarker))
    visitSpawn(begin, [&](Instruction &inst) { found.insert(&inst); });
  return found;
}

/// Moves the body of a function, with all that describes it, to a new function.
static Function &moveBody(Function &function) {
  Function &body = *Function::Create(function.getFunctionType(), GlobalValue::ExternalLinkage,
                                     function.getAddressSpace(), function.getName() + kBodySuffix);
  function.getParent()->getFunctionList().insert(function.getIterator(), &body);
  body.copyAttributesFrom(&function);
  body.setVisibility(GlobalValue::HiddenVisibility); // also makes it local to its image
  body.setSubprogram(function.getSubprogram());
  function.setSubprogram(nullptr);
  function.setPersonalityFn(nullptr);
  body.splice(body.begin(), &function);
  for (auto [from, to] : zip_equal(function.args(), body.args())) {
    from.replaceAllUsesWith(&to);
    to.takeName(&from);
  }
  return body;
}

/// Makes a function whose body has moved to `body` call it.
static void callBody(Function &function, Function &body) {
  // The body runs the graph. The user's promises about memory hold for the program, but not for the runtime.
  function.removeFnAttr(Attribute::Memory);
  function.removeFnAttr(kTaskFunctionAttr);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  SmallVector<Value *> arguments(make_pointer_range(function.args()));
  CallInst *call = builder.CreateCall(&body, arguments);
  call->setCallingConv(body.getCallingConv());
  call->setAttributes(function.getAttributes().removeFnAttributes(function.getContext()));
  function.getReturnType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(call);
}

bool SplitReplaceablePass::runOn(Module &module, Module &) {
  SmallVector<Function *> bodies;
  for (Function *function : findCilkFunctions(module)) {
    if (!function->isInterposable())
      continue;
    Function &body = moveBody(*function);
    callBody(*function, body);
    body.addFnAttr(kReplaceableAttr, function->getName());
    // The body's record has the address of this function, so the linker must not drop it for another unit's.
    function->setComdat(nullptr);
    if (function->hasLinkOnceLinkage())
      function->setLinkage(GlobalValue::WeakAnyLinkage);
    bodies.push_back(&body);
    if (use == Use::Elision)
      body.setLinkage(GlobalValue::InternalLinkage);
    if (use == Use::Host)
      makeChoice(*function);
  }
  if (bodies.empty())
    return true;
  for (Function *caller : findCilkFunctions(module)) {
    const auto spawned = spawnedCalls(*caller);
    for (Function *body : bodies)
      callLinkedBody(*caller, *body, *body, [&](const CallBase &call) { return !spawned.contains(&call); });
  }
  return true;
}
