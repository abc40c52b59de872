// See Versions.h.
#include "Versions.h"

#include "cilk2gpu/Support/SourceTarget.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2gpu;

void cilk2gpu::nameLocalVersions(Module &module, StringRef prefix) {
  for (GlobalIFunc &ifunc : module.ifuncs())
    if (ifunc.hasLocalLinkage() && !ifunc.getName().starts_with(prefix))
      ifunc.setName(Twine(prefix) + ifunc.getName());
}

/// Returns the versions that Clang's resolver may return, the versions for better processors first. Returns none for a
/// resolver of the user, which may return any function. Names in a program's source have no dot.
static SmallVector<Function *> versionsOf(const GlobalIFunc &ifunc) {
  SmallVector<Function *> versions;
  const auto *resolver = dyn_cast<Function>(ifunc.getResolver()->stripPointerCasts());
  if (!resolver || !resolver->getName().ends_with(".resolver"))
    return versions;
  for (const Instruction &inst : instructions(*resolver))
    if (auto *exit = dyn_cast<ReturnInst>(&inst)) {
      auto *version = dyn_cast_or_null<Function>(exit->getReturnValue());
      if (!version || version->getFunctionType() != ifunc.getValueType())
        return {};
      versions.push_back(version);
    }
  return versions;
}

/// Returns true if the target may choose how a function rounds `a * b + c`.
static bool leavesRounding(const Function &function) {
  return any_of(instructions(function), [](const Instruction &inst) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    return (isa<FPMathOperator>(inst) && inst.hasAllowContract()) ||
           (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::fmuladd);
  });
}

/// Returns true if all versions have the results of the last version, so that the host's choice does not matter.
static bool agree(ArrayRef<Function *> versions) {
  const Function &last = *versions.back();
  return all_of(versions, [&](const Function *version) {
    return fusesMulAdds(*version) == fusesMulAdds(last) || !(version->isDeclaration() || leavesRounding(*version));
  });
}

void cilk2gpu::forward(Function &from, Function &to) {
  from.copyAttributesFrom(&to);
  IRBuilder<> builder(BasicBlock::Create(from.getContext(), "", &from));
  SmallVector<Value *> arguments(make_pointer_range(from.args()));
  CallInst *call = builder.CreateCall(&to, arguments);
  call->setCallingConv(to.getCallingConv());
  call->setAttributes(to.getAttributes().removeFnAttributes(from.getContext()));
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

static bool isCalled(const Use &use) {
  auto *call = dyn_cast<CallBase>(use.getUser());
  return call && call->isCallee(&use);
}

/// Replaces aliases of a function that becomes a declaration, because an alias needs a definition.
static void resolveAliases(GlobalIFunc &ifunc) {
  for (GlobalAlias &alias : make_early_inc_range(ifunc.getParent()->aliases()))
    if (alias.getAliasee() == &ifunc) {
      alias.replaceAllUsesWith(&ifunc);
      alias.eraseFromParent();
    }
}

static void resolve(GlobalIFunc &ifunc) {
  Module &device = *ifunc.getParent();
  SmallVector<Function *> versions = versionsOf(ifunc);
  if (!versions.empty())
    cast<Function>(ifunc.getResolver()->stripPointerCasts())
        ->setLinkage(GlobalValue::InternalLinkage); // no code calls the resolver
  auto *type = cast<FunctionType>(ifunc.getValueType());
  bool isHosts = versions.empty() || type->isVarArg() || !agree(versions);
  auto *function = Function::Create(type, isHosts ? GlobalValue::ExternalLinkage : ifunc.getLinkage(), "", device);
  function->takeName(&ifunc);
  if (isHosts) {
    resolveAliases(ifunc);
  } else {
    forward(*function, *versions.back());
    function->removeFnAttr(kPointedAtAttr);
    if (!all_of(ifunc.uses(), isCalled))
      function->addFnAttr(kPointedAtAttr);
  }
  ifunc.replaceAllUsesWith(function);
  ifunc.eraseFromParent();
}

void cilk2gpu::resolveVersions(Module &device) {
  for (GlobalIFunc &ifunc : make_early_inc_range(device.ifuncs()))
    resolve(ifunc);
}
