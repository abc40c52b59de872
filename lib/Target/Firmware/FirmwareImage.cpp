// See FirmwareImage.h.
#include "cilk2gpu/Target/Firmware/FirmwareImage.h"

#include "Target/LinkObject.h"
#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/abi/Firmware.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;
using namespace cilk2gpu;

extern "C" {
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTarget();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVAsmPrinter();
}

/// Name that convert-channel-to-llvm gives to a unit's graph.
static constexpr char kGraph[] = "__cilk2gpu_graph";

//===-- Graphs ----------------------------------------------------------------------------------------------------===//

static void dropUnused(Module &module) {
  Analyses analyses;
  GlobalDCEPass().run(module, analyses.modules);
}

/// Replaces each function's address by a number that is not zero.
static void numberFunctions(Module &unit) {
  IntegerType *word = Type::getInt64Ty(unit.getContext());
  for (Function &function : unit)
    function.deleteBody();
  for (GlobalAlias &alias : make_early_inc_range(unit.aliases())) {
    alias.replaceAllUsesWith(ConstantPointerNull::get(alias.getType())); // no graph refers to an alias
    alias.eraseFromParent();
  }
  uint64_t number = 0;
  for (Function &function : unit)
    if (!function.isIntrinsic())
      function.replaceAllUsesWith(ConstantExpr::getIntToPtr(ConstantInt::get(word, ++number), function.getType()));
}

bool cilk2gpu::keepGraph(Module &unit) {
  GlobalVariable *graph = unit.getGlobalVariable(kGraph, /*AllowInternal=*/true);
  if (!graph)
    return false;
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *variable = unit.getNamedGlobal(list))
      variable->eraseFromParent();
  unit.setModuleInlineAsm("");
  for (GlobalIFunc &ifunc : make_early_inc_range(unit.ifuncs())) {
    ifunc.replaceAllUsesWith(ConstantPointerNull::get(ifunc.getType()));
    ifunc.eraseFromParent();
  }
  numberFunctions(unit);
  for (GlobalVariable &variable : unit.globals()) {
    variable.setComdat(nullptr);
    // Other units refer to tasks. Other variables are part of a graph only if a task refers to them.
    if (!variable.isDeclaration() && !variable.getName().starts_with(recordName("")))
      variable.setLinkage(GlobalValue::InternalLinkage);
  }
  graph->setLinkage(GlobalValue::ExternalLinkage);
  dropUnused(unit);
  while (!unit.named_metadata_empty())
    unit.eraseNamedMetadata(&*unit.named_metadata_begin()); // flags and debug information are for another target
  return true;
}

//===-- Images ----------------------------------------------------------------------------------------------------===//

static std::unique_ptr<TargetMachine> createMachine() {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  Triple triple("riscv64-unknown-elf");
  std::string error;
  const Target *backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return nullptr;
  TargetOptions options;
  options.MCOptions.ABIName = "lp64";
  return std::unique_ptr<TargetMachine>(
      backend->createTargetMachine(triple, "generic-rv64", "+m,+a,+c", options, Reloc::PIC_, CodeModel::Medium));
}

/// Links all units, and adds the list of their graphs that the core reads. A unit has a weak descriptor of each task
/// that it spawns and does not define. If no unit has the real descriptor, the name of the task in the weak one appears
/// in a run-time error.
static Expected<std::unique_ptr<Module>> linkUnits(std::vector<std::unique_ptr<Module>> units) {
  std::unique_ptr<Module> program;
  SmallVector<std::string> names;
  for (std::unique_ptr<Module> &unit : units) {
    GlobalVariable *graph = unit->getGlobalVariable(kGraph);
    graph->setName(kGraph + Twine(".") + Twine(names.size()));
    names.push_back(graph->getName().str());
    if (!program)
      program = std::move(unit);
    else if (Linker::linkModules(*program, std::move(unit)))
      return createStringError("the graphs of several files do not fit together; the messages above say why");
  }
  SmallVector<Constant *> graphs;
  for (const std::string &name : names)
    graphs.push_back(program->getNamedGlobal(name));
  auto *type = ArrayType::get(PointerType::get(program->getContext(), 0), graphs.size());
  IntegerType *word = Type::getInt64Ty(program->getContext());
  new GlobalVariable(*program, type, true, GlobalValue::ExternalLinkage, ConstantArray::get(type, graphs),
                     "__cilk2gpu_firmware_graphs");
  new GlobalVariable(*program, word, true, GlobalValue::ExternalLinkage, ConstantInt::get(word, graphs.size()),
                     "__cilk2gpu_firmware_num_graphs");
  return program;
}

static Expected<std::string> generate(Module &program) {
  std::unique_ptr<TargetMachine> machine = createMachine();
  if (!machine)
    return createStringError("firmware needs a riscv64 back end, but this LLVM has none");
  program.setTargetTriple(machine->getTargetTriple());
  program.setDataLayout(machine->createDataLayout());
  std::string problem;
  raw_string_ostream problems(problem);
  if (verifyModule(program, &problems))
    return createStringError("internal error: a firmware's graphs are malformed: %s", problem.c_str());
  SmallString<0> object;
  raw_svector_ostream os(object);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, CodeGenFileType::ObjectFile))
    return createStringError("LLVM cannot write riscv64 object files");
  passes.run(program);
  return object.str().str();
}

/// Links a position-independent program without an interpreter, which relocates itself.
static Expected<std::string> linkImage(StringRef object, StringRef core) {
  // Code and data are on different pages. Otherwise an emulator that caches translated code would have to check each
  // store.
  const std::string arguments[] = {"-pie",
                                   "--no-dynamic-linker",
                                   "--no-undefined",
                                   "--gc-sections",
                                   "-z",
                                   "max-page-size=4096",
                                   "-z",
                                   "separate-loadable-segments",
                                   "--image-base=0x" + utohexstr(abi::kFirmwareBase),
                                   "-e",
                                   "_start",
                                   core.str()};
  ObjectLink link;
  link.object = object;
  link.prefix = "cilk2gpu-firmware";
  link.suffix = "elf";
  link.arguments = arguments;
  link.product = "the firmware";
  return linkObject(link);
}

Expected<std::string> cilk2gpu::buildFirmware(std::vector<std::unique_ptr<Module>> units, StringRef runtimes) {
  SmallString<256> core(runtimes);
  sys::path::append(core, "firmware-riscv64.o");
  if (!sys::fs::exists(core))
    return createStringError("'%s', a part of cilk2gpu, is missing; install cilk2gpu again", core.c_str());
  Expected<std::unique_ptr<Module>> program = linkUnits(std::move(units));
  if (!program)
    return program.takeError();
  Expected<std::string> object = generate(**program);
  return object ? linkImage(*object, core) : object.takeError();
}
