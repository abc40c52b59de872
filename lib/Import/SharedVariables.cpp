// Refuses kernels of thread blocks whose blocks share more memory than a workgroup of every GPU has. The rule holds on
// each device, so that a program that runs on a CPU also runs on a GPU. Code for GPUs is checked again when it is
// linked, because a kernel may share variables with functions of other units (Target/GPU/BlockKernel.cpp).
//
// Also refuses variables whose constructor or destructor would run. It would run once for each thread of the host, and
// never on a GPU.
#include "Extract.h"
#include "ImportPasses.h"
#include "cilk2gpu/Support/Annotations.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/SharedBytes.h"
#include "cilk2gpu/Support/SourceNames.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cilk2gpu;

using SharedVariables = SmallSetVector<const GlobalVariable *, 8>;

/// Returns the variables of `shared` that a kernel and the functions that it calls refer to.
static SharedVariables variablesOf(const Function &kernel, const SharedVariables &shared) {
  SharedVariables found;
  SmallSetVector<const Function *, 16> functions;
  functions.insert(&kernel);
  for (unsigned i = 0; i < functions.size(); ++i)
    for (const Instruction &inst : instructions(*functions[i]))
      for (const Value *operand : inst.operand_values()) {
        operand = operand->stripPointerCasts();
        if (auto *function = dyn_cast<Function>(operand))
          functions.insert(function);
        else if (auto *variable = dyn_cast<GlobalVariable>(operand); variable && shared.contains(variable))
          found.insert(variable);
      }
  return found;
}

/// Returns the least memory in which the variables have places.
static uint64_t bytesOf(const SharedVariables &variables, const DataLayout &layout) {
  SmallVector<std::pair<Align, uint64_t>> places;
  for (const GlobalVariable *variable : variables)
    places.push_back({std::max(variable->getAlign().valueOrOne(), layout.getABITypeAlign(variable->getValueType())),
                      layout.getTypeAllocSize(variable->getValueType()).getFixedValue()});
  llvm::sort(places, [](const auto &a, const auto &b) { return b.first < a.first; });
  uint64_t end = 0;
  for (auto [align, bytes] : places)
    end = alignTo(end, align) + bytes;
  return end;
}

/// Returns the instruction that tests whether a variable's constructor has run; null for a variable without one.
static Instruction *findConstruction(Module &module, const GlobalVariable &variable) {
  StringRef name = variable.getName();
  GlobalVariable *guard = name.consume_front("_Z") ? module.getNamedGlobal(("_ZGV" + name).str()) : nullptr;
  SmallVector<User *> users;
  if (guard)
    users.assign(guard->user_begin(), guard->user_end());
  for (unsigned i = 0; i < users.size(); ++i) {
    if (isa<LoadInst, CallBase>(users[i]))
      return cast<Instruction>(users[i]);
    users.append(users[i]->user_begin(), users[i]->user_end());
  }
  return nullptr;
}

/// Reports variables whose constructor or destructor would run. Returns false if there are any.
static bool checkTypes(Module &module, const SharedVariables &shared) {
  bool isGood = true;
  for (const GlobalVariable *variable : shared)
    if (Instruction *construction = findConstruction(module, *variable)) {
      reportError(*construction, "a WF_SHARED variable has a trivial type, but the constructor or the destructor of '" +
                                     sourceName(variable->getName()) +
                                     "' would run; use a type without them, and set the variable in the kernel");
      isGood = false;
    }
  return isGood;
}

bool CheckSharedVariablesPass::runOn(Module &module, Module &) {
  SharedVariables shared;
  forEachAnnotation<GlobalVariable>(module, [&](const GlobalVariable &variable, StringRef text) {
    if (text == kBlockSharedAnnotation)
      shared.insert(&variable);
  });
  bool isGood = checkTypes(module, shared);
  for (Function &function : module) {
    bool mayBeLaunched = function.hasAddressTaken() || !function.isDiscardableIfUnused();
    if (shared.empty() || !function.hasFnAttribute(kBlockKernelAttr) || function.isDeclaration() || !mayBeLaunched)
      continue;
    uint64_t bytes = bytesOf(variablesOf(function, shared), module.getDataLayout());
    if (bytes <= kMostSharedVariables)
      continue;
    reportError(*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(),
                sharedBytesMessage(sourceName(function.getName()), bytes));
    isGood = false;
  }
  return isGood;
}
