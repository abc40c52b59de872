// Links lowered Cilk functions back into the module that they came from. Local symbols that both sides know are made
// external for the time of the link, then everything gets its own linkage back. See LinkBack.h.
#include "LinkBack.h"

#include "Extract.h"
#include "cilk2gpu/Conversion/Records.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// What a user function keeps across the link.
struct Kept {
  std::string name;
  GlobalValue::LinkageTypes linkage;
  GlobalValue::VisibilityTypes visibility;
  GlobalValue::DLLStorageClassTypes storage;
  GlobalValue::UnnamedAddr unnamedAddr;
  AttributeList attributes;
  std::string section;
  Comdat *comdat;
  MaybeAlign align;
  bool dsoLocal;
};

} // namespace

void cilk2gpu::nameGlobals(Module &module) {
  unsigned number = 0;
  for (GlobalValue &value : module.global_values())
    if (!value.hasName())
      value.setName("__cilk2gpu_anon" + Twine(number++));
}

static Kept keep(Function &function) {
  return {function.getName().str(), function.getLinkage(), function.getVisibility(), function.getDLLStorageClass(),
          function.getUnnamedAddr(), function.getAttributes(), function.getSection().str(), function.getComdat(),
          function.getAlign(), function.isDSOLocal()};
}

static void restore(Function &function, const Kept &kept) {
  function.setLinkage(kept.linkage);
  function.setVisibility(kept.visibility);
  function.setDLLStorageClass(kept.storage);
  function.setUnnamedAddr(kept.unnamedAddr);
  // The entry runs the graph: whatever the user promised about memory is about the program, not about the runtime.
  AttributeList attributes = kept.attributes.removeFnAttribute(function.getContext(), Attribute::Memory);
  function.setAttributes(attributes);
  function.setSection(kept.section);
  function.setComdat(kept.comdat);
  function.setAlignment(kept.align);
  function.setDSOLocal(kept.dsoLocal);
}

/// Gives functions made by the lowering what code generation wants to know: target, features, sanitizers, frame pointers.
static void inheritAttributes(Module &lowered, Module &module, Function &fallback) {
  for (Function &function : lowered) {
    if (function.isDeclaration())
      continue;
    StringRef name = function.getFnAttribute(kOriginAttr).getValueAsString();
    Function *origin = name.empty() ? nullptr : module.getFunction(name);
    AttrBuilder inherited(function.getContext(), (origin ? origin : &fallback)->getAttributes().getFnAttrs());
    for (Attribute::AttrKind kind : {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline, Attribute::Memory,
                                     Attribute::NoReturn, Attribute::WillReturn, Attribute::Convergent, Attribute::Naked})
      inherited.removeAttribute(kind);
    bool inlineAlways = function.hasFnAttribute(Attribute::AlwaysInline);
    AttributeList attributes = function.getAttributes().removeFnAttributes(function.getContext());
    function.setAttributes(attributes.addFnAttributes(function.getContext(), inherited));
    if (inlineAlways)
      function.addFnAttr(Attribute::AlwaysInline);
  }
}

bool cilk2gpu::linkBack(Module &module, std::unique_ptr<Module> lowered, ArrayRef<Function *> functions) {
  lowered->setDataLayout(module.getDataLayout());
  lowered->setTargetTriple(module.getTargetTriple());
  inheritAttributes(*lowered, module, *functions.front());
  // The module's flags hold for what was taken out of it; the import does not keep all of their types.
  if (NamedMDNode *flags = lowered->getModuleFlagsMetadata())
    lowered->eraseNamedMetadata(flags);

  SmallVector<Kept> kept;
  for (Function *function : functions) {
    kept.push_back(keep(*function));
    if (Function *body = lowered->getFunction(function->getName())) {
      body->setLinkage(GlobalValue::ExternalLinkage);
      body->setVisibility(GlobalValue::DefaultVisibility);
      body->setComdat(nullptr);
    }
    function->deleteBody();
    function->setVisibility(GlobalValue::DefaultVisibility);
    function->setComdat(nullptr);
  }
  SmallVector<std::pair<std::string, GlobalValue::LinkageTypes>> locals;
  for (GlobalValue &declared : lowered->global_values()) {
    GlobalValue *local = declared.isDeclaration() ? module.getNamedValue(declared.getName()) : nullptr;
    if (local && local->hasLocalLinkage()) {
      locals.emplace_back(local->getName().str(), local->getLinkage());
      local->setLinkage(GlobalValue::ExternalLinkage);
    }
  }
  if (Linker::linkModules(module, std::move(lowered)))
    return false;
  for (auto &[name, linkage] : locals)
    module.getNamedValue(name)->setLinkage(linkage);
  for (const Kept &entry : kept) {
    restore(*module.getFunction(entry.name), entry);
    // A hidden function's descriptor is hidden: other images may have another function of that name.
    if (GlobalVariable *record = module.getGlobalVariable(recordName(entry.name)); record && !record->hasLocalLinkage())
      record->setVisibility(entry.visibility);
  }
  return true;
}
