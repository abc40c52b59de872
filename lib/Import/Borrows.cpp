// Finds functions that tasks call and that keep none of the addresses passed to them. A local variable whose address is
// only passed to such functions need not stay at one address while its task waits. Only the split uses these facts.
// LLVM's own attribute for them would let passes move accesses across syncs, so it is not set.
#include "Extract.h"
#include "ImportPasses.h"

#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ModuleParts.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/IPO/InferFunctionAttrs.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2gpu;

/// Returns the functions with bodies in `user` that the functions of `extracted` call, directly or indirectly.
static SmallPtrSet<const GlobalValue *, 16> findCallees(Module &extracted, Module &user) {
  SmallPtrSet<const GlobalValue *, 16> callees;
  SmallVector<Function *> work;
  auto visit = [&](Function &function) {
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      Function *named = call ? call->getCalledFunction() : nullptr;
      Function *callee = named ? user.getFunction(named->getName()) : nullptr;
      if (callee && !callee->isDeclaration() && !callee->isInterposable() && callees.insert(callee).second)
        work.push_back(callee);
    }
  };
  for (Function &function : extracted)
    visit(function);
  while (!work.empty())
    visit(*work.pop_back_val());
  return callees;
}

/// Lets LLVM infer the attributes of the functions of `module`, which is a temporary copy.
static void inferAttributes(Module &module) {
  Analyses analyses;
  ModulePassManager passes;
  passes.addPass(InferFunctionAttrsPass());
  passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
  passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  passes.run(module, analyses.modules);
}

/// Makes a copy of the functions that tasks call, with the attributes that LLVM infers for them.
static std::unique_ptr<Module> inferCallees(Module &extracted, Module &user) {
  SmallPtrSet<const GlobalValue *, 16> callees = findCallees(extracted, user);
  ValueToValueMapTy mapping;
  std::unique_ptr<Module> copy =
      CloneModule(user, mapping, [&](const GlobalValue *value) { return callees.contains(value); });
  for (Function &function : *copy)
    if (!function.isDeclaration()) {
      // If this body does not keep an address, neither does any other version of the same inline function.
      function.setLinkage(GlobalValue::ExternalLinkage);
      function.setVisibility(GlobalValue::DefaultVisibility);
      function.setComdat(nullptr);
      function.removeFnAttr(Attribute::OptimizeNone);
    }
  declareIndirectFunctions(*copy);
  dropUnused(*copy);
  inferAttributes(*copy);
  return copy;
}

bool MarkBorrowsPass::runOn(Module &extracted, Module &unit) {
  std::unique_ptr<Module> callees = inferCallees(extracted, unit);
  for (Function &declared : extracted) {
    Function *known = declared.isDeclaration() ? callees->getFunction(declared.getName()) : nullptr;
    if (!known || declared.isIntrinsic() || known->arg_size() != declared.arg_size())
      continue;
    std::string borrowed;
    for (Argument &argument : known->args())
      if (argument.getType()->isPointerTy() && capturesNothing(argument.getAttributes().getCaptureInfo()))
        borrowed += (borrowed.empty() ? "" : " ") + std::to_string(argument.getArgNo());
    if (!borrowed.empty())
      declared.addFnAttr(kBorrowsAttr, borrowed);
  }
  return true;
}
