// See ModuleParts.h.
#include "cilk2gpu/Support/ModuleParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;
using namespace cilk2gpu;

void cilk2gpu::dropUnused(Module &module) {
  auto drop = [](GlobalValue &value) {
    if (!value.isDeclaration() || !(value.use_empty() || value.getName().starts_with("llvm.global_")))
      return false;
    value.eraseFromParent();
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (GlobalVariable &value : make_early_inc_range(module.globals()))
      changed |= drop(value);
    for (Function &value : make_early_inc_range(module.functions()))
      changed |= drop(value);
    for (GlobalAlias &value : make_early_inc_range(module.aliases()))
      changed |= drop(value);
  }
}

void cilk2gpu::declareIndirectFunctions(Module &module) {
  for (GlobalIFunc &indirect : make_early_inc_range(module.ifuncs())) {
    auto *type = cast<FunctionType>(indirect.getValueType());
    auto *declaration = Function::Create(type, GlobalValue::ExternalLinkage, indirect.getAddressSpace(), "", &module);
    declaration->takeName(&indirect);
    indirect.replaceAllUsesWith(declaration);
    indirect.eraseFromParent();
  }
}

bool cilk2gpu::linkByName(Module &module, std::unique_ptr<Module> part) {
  SmallVector<std::pair<std::string, GlobalValue::LinkageTypes>> locals;
  for (GlobalValue &declared : part->global_values()) {
    GlobalValue *local = declared.isDeclaration() ? module.getNamedValue(declared.getName()) : nullptr;
    if (local && local->hasLocalLinkage()) {
      locals.emplace_back(local->getName().str(), local->getLinkage());
      local->setLinkage(GlobalValue::ExternalLinkage);
    }
  }
  if (Linker::linkModules(module, std::move(part)))
    return false;
  for (auto &[name, linkage] : locals)
    module.getNamedValue(name)->setLinkage(linkage);
  return true;
}
