// Links lowered Cilk functions back into the module that they came from. Local symbols that both sides know are made
// external for the time of the link, then everything gets its own linkage back. See LinkBack.h.
#include "LinkBack.h"

#include "Extract.h"
#include "Target/Host/VectoriseKernels.h"
#include "cilk2gpu/Conversion/Records.h"
#include "cilk2gpu/Frontend/Markers.h"
#include "cilk2gpu/Support/Cuts.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/IR/DebugInfo.h"
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
  SmallVector<std::pair<unsigned, TrackingMDNodeRef>> metadata; ///< such as the type that indirect calls check
};

} // namespace

void cilk2gpu::nameGlobals(Module &module) {
  unsigned number = 0;
  for (GlobalValue &value : module.global_values())
    if (!value.hasName())
      value.setName("__cilk2gpu_anon" + Twine(number++));
}

static Kept keep(Function &function) {
  Kept kept{function.getName().str(),
            function.getLinkage(),
            function.getVisibility(),
            function.getDLLStorageClass(),
            function.getUnnamedAddr(),
            function.getAttributes(),
            function.getSection().str(),
            function.getComdat(),
            function.getAlign(),
            function.isDSOLocal(),
            {}};
  SmallVector<std::pair<unsigned, MDNode *>> metadata;
  function.getAllMetadata(metadata);
  for (auto [kind, node] : metadata)
    if (kind != LLVMContext::MD_dbg)
      kept.metadata.emplace_back(kind, node);
  return kept;
}

static void restore(Function &function, const Kept &kept) {
  function.setLinkage(kept.linkage);
  function.setVisibility(kept.visibility);
  function.setDLLStorageClass(kept.storage);
  function.setUnnamedAddr(kept.unnamedAddr);
  // The entry runs the graph: whatever the user promised about memory is about the program, not about the runtime.
  AttributeList attributes = kept.attributes.removeFnAttribute(function.getContext(), Attribute::Memory)
                                 .removeFnAttribute(function.getContext(), kElisionFunctionAttr);
  function.setAttributes(attributes);
  function.setSection(kept.section);
  function.setComdat(kept.comdat);
  function.setAlignment(kept.align);
  function.setDSOLocal(kept.dsoLocal);
  for (unsigned kind : make_first_range(kept.metadata))
    function.eraseMetadata(kind);
  for (auto &[kind, node] : kept.metadata) // some kinds several times
    function.addMetadata(kind, *node);
}

void cilk2gpu::inheritAttributes(Module &lowered, Module &module, Function &fallback) {
  for (Function &function : lowered) {
    if (function.isDeclaration())
      continue;
    StringRef name = function.getFnAttribute(kOriginAttr).getValueAsString();
    Function *origin = name.empty() ? nullptr : module.getFunction(name);
    bool isKnown = origin && !origin->isDeclaration();
    AttrBuilder inherited(function.getContext(), (isKnown ? origin : &fallback)->getAttributes().getFnAttrs());
    if (!isKnown)
      inherited.removeAttribute(kLanesAttr);
    // What pointers lead to is the entry: what else is made of the function would come into every image for nothing.
    if (!isKnown || function.getName() != origin->getName())
      inherited.removeAttribute(kPointedAtAttr);
    for (Attribute::AttrKind kind :
         {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline, Attribute::Memory, Attribute::NoReturn,
          Attribute::WillReturn, Attribute::Convergent, Attribute::Naked, Attribute::NoUnwind})
      inherited.removeAttribute(kind);
    inherited.removeAttribute(kElisionFunctionAttr);
    inherited.removeAttribute(kRareTaskAttr);
    AttributeSet own = function.getAttributes().getFnAttrs();
    AttributeList attributes = function.getAttributes().removeFnAttributes(function.getContext());
    function.setAttributes(attributes.addFnAttributes(function.getContext(), inherited));
    for (Attribute::AttrKind kind : {Attribute::AlwaysInline, Attribute::Cold, Attribute::OptimizeForSize})
      if (own.hasAttribute(kind))
        function.addFnAttr(kind);
    if (own.hasAttribute(kCountedLaneAttr))
      function.addFnAttr(Attribute::NoInline);
    for (StringRef kind :
         {StringRef(kOriginAttr), StringRef(lane::kKernelAttr), StringRef(lane::kOwnTargetAttr),
          StringRef(lane::kFewTasksAttr), StringRef(lane::kLoopTaskAttr), StringRef(lane::kManyColumnsAttr),
          StringRef(lane::kFrameColumnsAttr), StringRef(kDeviceKernelAttr), StringRef(kDeviceResumesAttr),
          StringRef(kDeviceElidesAttr), StringRef(kOwnPassesAttr), StringRef(lane::kCloneAttr)})
      if (own.hasAttribute(kind))
        function.addFnAttr(own.getAttribute(kind));
  }
}

/// Functions that handle exceptions are inlined only where the personality is the same, and C++'s own does what kernels
/// want, too: theirs is a handler for everything.
static void adoptPersonality(Module &module) {
  Function *own = module.getFunction(kPersonality), *language = module.getFunction("__gxx_personality_v0");
  if (!own || !language)
    return;
  for (Function &function : module)
    if (function.hasPersonalityFn() && function.getPersonalityFn() == own)
      function.setPersonalityFn(language);
}

namespace {

/// Makes symbols external for the time of a link.
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

/// Links `part` into `module`, where `locals` are external for that time.
static bool linkModules(Module &module, std::unique_ptr<Module> part, const ExternalForLink &locals) {
  if (Linker::linkModules(module, std::move(part)))
    return false;
  locals.restore(module);
  return true;
}

/// Makes external what one side has and the other declares.
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

/// Puts what `names` name behind everything else, in that order.
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

/// Puts the address of this image's own function into its descriptor: its name may lead to another image's.
static void nameOwnFunction(GlobalVariable &record, Function &function) {
  auto *own = GlobalAlias::create(function.getValueType(), function.getAddressSpace(), GlobalValue::InternalLinkage,
                                  function.getName() + ".own", &function, function.getParent());
  auto *fields = cast<ConstantStruct>(record.getInitializer());
  SmallVector<Constant *> values;
  for (Use &field : fields->operands())
    values.push_back(field == &function ? own : cast<Constant>(field));
  record.setInitializer(ConstantStruct::get(fields->getType(), values));
}

/// The compile unit among `originals` that `unit` is a copy of.
static DICompileUnit *originalOf(const DICompileUnit &unit, NamedMDNode &originals) {
  for (MDNode *operand : originals.operands())
    if (auto *original = cast<DICompileUnit>(operand);
        unit.getFilename() == original->getFilename() && unit.getDirectory() == original->getDirectory())
      return original;
  return nullptr;
}

/// Gives what was made of the program's functions to the compile units that those are of. Cloning and MLIR have made
/// copies of them, for each of which LLVM would write all notes for gcov again, over the others'.
static void joinCompileUnits(Module &lowered, Module &module, const DebugInfoFinder &found) {
  NamedMDNode *copies = lowered.getNamedMetadata("llvm.dbg.cu"), *originals = module.getNamedMetadata("llvm.dbg.cu");
  if (!copies || !originals)
    return;
  for (DISubprogram *program : found.subprograms())
    if (DICompileUnit *unit = program->getUnit())
      if (DICompileUnit *original = originalOf(*unit, *originals))
        program->replaceUnit(original);
  SmallVector<MDNode *> others;
  for (MDNode *unit : copies->operands())
    if (!originalOf(*cast<DICompileUnit>(unit), *originals))
      others.push_back(unit);
  copies->clearOperands();
  for (MDNode *unit : others)
    copies->addOperand(unit);
}

static std::string placeOf(const DISubprogram &program) {
  return (program.getName() + ":" + Twine(program.getLine()) + ":" + program.getFilename()).str();
}

/// Says of what was made of a function what `original` says: its type, and where it is declared. Only the function
/// itself is a class's member, which the class declares.
static void describeLike(DISubprogram &program, const DISubprogram &original) {
  constexpr unsigned kScope = 1;
  bool isItself = program.getLinkageName() == original.getLinkageName();
  program.replaceType(original.getType());
  program.replaceRetainedNodes({}); // variables, of which tasks have none
  if (isItself)
    program.replaceDeclaration(original.getDeclaration());
  program.replaceOperandWith(kScope, isItself || !isa_and_present<DIType>(original.getScope()) ? original.getScope()
                                                                                               : original.getFile());
}

/// MLIR's copies of types have no members, and a debugger that looks for a type by its name could find one of them.
static void joinTypes(Module &module, const DebugInfoFinder &found) {
  DebugInfoFinder own;
  own.processModule(module);
  StringMap<DISubprogram *> originals;
  for (DISubprogram *program : own.subprograms())
    if (program->isDefinition()) {
      originals.try_emplace(program->getLinkageName(), program);
      originals.try_emplace(placeOf(*program), program); // its copies have linkage names of their own
    }
  for (DISubprogram *program : found.subprograms()) {
    StringRef name = program->getLinkageName();
    DISubprogram *original = program->isDefinition() && !name.empty() ? originals.lookup(name) : nullptr;
    if (!original && program->isDefinition())
      original = originals.lookup(placeOf(*program));
    if (original)
      describeLike(*program, *original);
  }
}

static void joinDebugInformation(Module &lowered, Module &module) {
  DebugInfoFinder found;
  found.processModule(lowered);
  joinTypes(module, found);
  joinCompileUnits(lowered, module, found);
}

bool cilk2gpu::linkBack(Module &module, std::unique_ptr<Module> lowered, ArrayRef<Function *> functions) {
  lowered->setDataLayout(module.getDataLayout());
  lowered->setTargetTriple(module.getTargetTriple());
  for (Function &function : *lowered) {
    function.removeFnAttr(kOriginAttr);
    function.removeFnAttr(kBorrowsAttr);
    function.removeFnAttr(kLocalFunctionAttr);
    function.removeFnAttr(kForeignFunctionAttr);
  }
  // What it says of the whole module, it has from there; not every flag survives MLIR as it was.
  if (NamedMDNode *flags = lowered->getModuleFlagsMetadata())
    flags->eraseFromParent();
  joinDebugInformation(*lowered, module);

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
  if (!linkByName(module, std::move(lowered)))
    return false;
  adoptPersonality(module);
  for (const Kept &entry : kept) {
    Function &function = *module.getFunction(entry.name);
    restore(function, entry);
    if (GlobalVariable *record = module.getGlobalVariable(recordName(entry.name));
        record && function.hasExternalLinkage())
      nameOwnFunction(*record, function);
  }
  return true;
}
