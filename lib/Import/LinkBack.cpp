// Links lowered Cilk functions back into the module that they came from. Local symbols that both modules have become
// external during the link. Then every symbol gets its own linkage back.
#include "Extract.h"
#include "ImportPasses.h"
#include "ReplaceableFunctions.h"
#include "Variables.h"

#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/ModuleParts.h"
#include "cilk2gpu/Support/ReducerMarks.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace cilk2gpu;

namespace {

/// Properties that a user function keeps across the link.
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
  SmallVector<std::pair<unsigned, TrackingMDNodeRef>> metadata; ///< for example, the type that indirect calls check
};

} // namespace

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
  // The entry runs the graph. The user's promises about memory hold for the program, but not for the runtime.
  AttributeList attributes = kept.attributes.removeFnAttribute(function.getContext(), Attribute::Memory);
  bool isEntry = function.hasFnAttribute(kEntryAttr);
  if (!isEntry)
    attributes = attributes.removeFnAttribute(function.getContext(), kElisionFunctionAttr);
  // Each copy of an entry would start the graph.
  if (isEntry && !attributes.hasFnAttr(Attribute::AlwaysInline))
    attributes = attributes.addFnAttribute(function.getContext(), Attribute::NoInline);
  function.setAttributes(attributes);
  function.setSection(kept.section);
  function.setComdat(kept.comdat);
  function.setAlignment(kept.align);
  function.setDSOLocal(kept.dsoLocal);
  for (unsigned kind : make_first_range(kept.metadata))
    function.eraseMetadata(kind);
  for (auto &[kind, node] : kept.metadata) // a kind may occur several times
    function.addMetadata(kind, *node);
}

/// Makes kernels use C++'s personality in C++ modules, because functions that handle exceptions are inlined only if
/// their personality is the same. It serves kernels, too, because they have a handler for all exceptions.
static void adoptPersonality(Module &module) {
  Function *own = module.getFunction(kPersonality), *language = module.getFunction("__gxx_personality_v0");
  if (!own || !language)
    return;
  for (Function &function : module)
    if (function.hasPersonalityFn() && function.getPersonalityFn() == own)
      function.setPersonalityFn(language);
}

/// Puts the address of this image's own function into its descriptor, because the function's name may lead to another
/// image. `body` is the function, or the body of a replaceable one.
static void nameOwnFunction(GlobalVariable &record, Function &body) {
  Function *replaceable = replaceableOf(body), &function = replaceable ? *replaceable : body;
  auto *own = GlobalAlias::create(function.getValueType(), function.getAddressSpace(), GlobalValue::InternalLinkage,
                                  function.getName() + ".own", &function, function.getParent());
  auto *fields = cast<ConstantStruct>(record.getInitializer());
  SmallVector<Constant *> values;
  for (Use &field : fields->operands())
    values.push_back(field == &body ? own : cast<Constant>(field));
  record.setInitializer(ConstantStruct::get(fields->getType(), values));
}

/// Makes bodies of replaceable functions, and their records, local to the unit, because other units may have a body of
/// the same name. Before, passes must not change the form of its elements, which other units know.
static void makeBodiesLocal(Module &module) {
  for (Function &function : module) {
    if (replaceableOf(function)) {
      std::string record = recordName(function.getName());
      for (GlobalValue &value : module.global_values())
        if (&value == &function || StringRef(value.getName()).starts_with(record)) {
          value.setVisibility(GlobalValue::DefaultVisibility);
          value.setLinkage(GlobalValue::InternalLinkage);
          value.setDSOLocal(true);
        }
    }
    function.removeFnAttr(kReplaceableAttr);
  }
}

/// Returns the compile unit among `originals` of which `unit` is a copy.
static DICompileUnit *originalOf(const DICompileUnit &unit, NamedMDNode &originals) {
  for (MDNode *operand : originals.operands())
    if (auto *original = cast<DICompileUnit>(operand);
        unit.getFilename() == original->getFilename() && unit.getDirectory() == original->getDirectory())
      return original;
  return nullptr;
}

/// Moves lowered functions to the compile units of the functions from which they were made. Cloning and MLIR have
/// copied the compile units. For each copy, LLVM would write all notes for gcov again, and overwrite the others.
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

/// Gives a function's debug information the type and declaration of `original`, from which the function was made. Only
/// the function itself is a member of the class that declares it.
static void describeLike(DISubprogram &program, const DISubprogram &original) {
  constexpr unsigned kScope = 1;
  bool isItself = program.getLinkageName() == original.getLinkageName();
  program.replaceType(original.getType());
  program.replaceRetainedNodes({}); // drops variables, because tasks have none
  if (isItself)
    program.replaceDeclaration(original.getDeclaration());
  program.replaceOperandWith(kScope, isItself || !isa_and_present<DIType>(original.getScope()) ? original.getScope()
                                                                                               : original.getFile());
}

/// Replaces MLIR's copies of types, which have no members. A debugger that looks for a type by its name could find a
/// copy.
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

bool JoinDebugInfoPass::runOn(Module &module, Module &unit) {
  DebugInfoFinder found;
  found.processModule(module);
  joinTypes(unit, found);
  joinCompileUnits(module, unit, found);
  recordValues(module, unit);
  return true;
}

/// Gives the lowered module the flags of the unit and its facts about itself, because not every flag survives MLIR.
static void dropImportMarks(Module &lowered, const Module &unit) {
  lowered.setDataLayout(unit.getDataLayout());
  lowered.setTargetTriple(unit.getTargetTriple());
  for (Function &function : lowered)
    for (StringRef mark : {StringRef(kOriginAttr), StringRef(kBorrowsAttr), StringRef(kLocalFunctionAttr),
                           StringRef(kForeignFunctionAttr), StringRef(kLooksUpAttr), StringRef(kTracksAttr),
                           StringRef(kTracksIfUsedAttr)})
      function.removeFnAttr(mark);
  if (NamedMDNode *flags = lowered.getModuleFlagsMetadata())
    flags->eraseFromParent();
}

/// Removes the body of a function, so that the body in `lowered` can take its place. Returns the properties that the
/// function keeps.
static Kept vacate(Function &function, Module &lowered) {
  Kept kept = keep(function);
  if (Function *body = lowered.getFunction(function.getName())) {
    body->setLinkage(GlobalValue::ExternalLinkage);
    body->setVisibility(GlobalValue::DefaultVisibility);
    body->setComdat(nullptr);
  }
  function.deleteBody();
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setComdat(nullptr);
  return kept;
}

static std::unique_ptr<Module> readModule(StringRef file, LLVMContext &context) {
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseIRFile(file, error, context);
  if (!module)
    context.emitError("cannot read the lowered module '" + file + "': " + error.getMessage());
  return module;
}

bool LinkBackPass::runOn(Module &module, Module &) {
  if (!lowered) {
    lowered = readModule(file, module.getContext());
    functions = findCilkFunctions(module);
  }
  if (!lowered)
    return false;
  dropImportMarks(*lowered, module);
  SmallVector<Kept> kept;
  for (Function *function : functions)
    kept.push_back(vacate(*function, *lowered));
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
  makeBodiesLocal(module);
  return true;
}
