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

namespace {

/// Makes symbols external during a link.
class ExternalForLink {
public:
  void add(GlobalValue &value) {
    linkages.emplace_back(value.getName().str(), value.getLinkage());
    value.setLinkage(GlobalValue::ExternalLinkage);
  }

  void restore(Module &module) const {
    for (auto &[name, linkage] : linkages)
      module.getNamedValue(name)->setLinkage(linkage);
  }

private:
  SmallVector<std::pair<std::string, GlobalValue::LinkageTypes>> linkages;
};

} // namespace

/// Links `part` into `module`. `locals` are external during the link.
static bool linkModules(Module &module, std::unique_ptr<Module> part, const ExternalForLink &locals) {
  if (Linker::linkModules(module, std::move(part)))
    return false;
  locals.restore(module);
  return true;
}

/// Makes symbols external that one module defines and the other declares.
static void joinNames(Module &module, Module &part, ExternalForLink &locals) {
  for (GlobalValue &other : part.global_values()) {
    GlobalValue *own = module.getNamedValue(other.getName());
    if (own && other.isDeclaration() && own->hasLocalLinkage())
      locals.add(*own);
    else if (own && own->isDeclaration() && other.hasLocalLinkage())
      locals.add(other);
  }
}

bool cilk2gpu::linkByName(Module &module, std::unique_ptr<Module> part) {
  ExternalForLink locals;
  joinNames(module, *part, locals);
  return linkModules(module, std::move(part), locals);
}

/// Moves the symbols that `names` lists to the end of the module, in that order.
static void putInOrder(Module &module, ArrayRef<std::string> names) {
  auto &functions = module.getFunctionList();
  for (StringRef name : names) {
    GlobalValue *value = module.getNamedValue(name);
    if (auto *function = dyn_cast_or_null<Function>(value)) {
      functions.splice(functions.end(), functions, function->getIterator());
    } else if (auto *variable = dyn_cast_or_null<GlobalVariable>(value)) {
      module.removeGlobalVariable(variable);
      module.insertGlobalVariable(variable);
    }
  }
}

bool cilk2gpu::linkWhole(Module &module, std::unique_ptr<Module> part) {
  ExternalForLink locals;
  joinNames(module, *part, locals);
  for (GlobalValue &value : part->global_values())
    if (!value.isDeclaration() && value.isDiscardableIfUnused())
      locals.add(value);
  SmallVector<std::string> names;
  for (const GlobalValue &value : module.global_values())
    names.push_back(value.getName().str());
  for (const GlobalValue &value : part->global_values())
    if (!module.getNamedValue(value.getName()))
      names.push_back(value.getName().str());
  if (!linkModules(module, std::move(part), locals))
    return false;
  putInOrder(module, names);
  return true;
}
