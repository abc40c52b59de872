// See DeviceImage.h.
#include "cilk2gpu/Target/GPU/DeviceImage.h"

#include "BlockKernel.h"
#include "DeviceCheck.h"
#include "DeviceReducers.h"
#include "FunctionTable.h"
#include "GraphKernel.h"
#include "HostCalls.h"
#include "NarrowStores.h"
#include "OutlineTraps.h"
#include "PersistentKernel.h"
#include "RecursiveCalls.h"
#include "Retarget.h"
#include "ReturnAddresses.h"
#include "StackChecks.h"
#include "Target/ByValueCalls.h"
#include "Target/LinkObject.h"
#include "VariableLocals.h"
#include "cilk2gpu/Support/Analyses.h"
#include "cilk2gpu/Support/Callee.h"
#include "cilk2gpu/Support/LoweredNames.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/abi/Requests.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;
using namespace cilk2gpu;

//===-- Targets ---------------------------------------------------------------------------------------------------===//

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

static void initialiseTargets() {
  static bool done = false;
  if (std::exchange(done, true))
    return;
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUAsmParser();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

static std::unique_ptr<TargetMachine> createMachine(const DeviceTarget &target) {
  std::string error;
  const Target *backend = TargetRegistry::lookupTarget(target.triple, error);
  if (!backend)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // settleMulAdds has put the elision's contractions into the IR
  StringRef features = target.nvidia ? target.nvidia->features : "";
  return std::unique_ptr<TargetMachine>(backend->createTargetMachine(
      target.triple, target.arch, features, options, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Aggressive));
}

/// Returns the row of sm_N, sm_Na or sm_Nf, or null if there is none.
static const target_info::NvidiaTraits *findNvidia(StringRef arch) {
  unsigned capability;
  if (!arch.consume_front("sm_") || arch.consumeInteger(10, capability))
    return nullptr;
  return arch.empty() || arch == "a" || arch == "f" ? target_info::findNvidia(capability) : nullptr;
}

Expected<DeviceTarget> cilk2gpu::findDeviceTarget(StringRef arch) {
  initialiseTargets();
  DeviceTarget target;
  target.arch = arch.str();
  target.amd = target_info::findAmd(target.arch.c_str());
  target.nvidia = findNvidia(arch);
  if (!target.amd && !target.nvidia)
    return createStringError("--offload-arch=%s names no GPU that tasks can run on", target.arch.c_str());
  target.triple = Triple(target.amd ? "amdgcn-amd-amdhsa" : "nvptx64-nvidia-cuda");
  target.kind = target.amd ? abi::ImageKind::Amdgcn : abi::ImageKind::Nvptx;
  target.waveSize = target.amd ? target.amd->wave : target_info::kNvidiaWave;
  target.runtime = target.amd ? "device-amdgcn.bc" : "device-nvptx64.bc";
  return target;
}

char UnfitTasks::ID;

//===-- Building --------------------------------------------------------------------------------------------------===//

Expected<std::unique_ptr<Module>> DeviceBuilder::link(std::vector<std::unique_ptr<Module>> units) {
  std::unique_ptr<Module> program = std::move(units.front());
  for (size_t i = 1; i < units.size(); ++i)
    if (Linker::linkModules(*program, std::move(units[i])))
      return createStringError("the device code of several files does not fit together; the messages above say why");
  return program;
}

Expected<std::unique_ptr<Module>> DeviceBuilder::readRuntime(LLVMContext &context) {
  SmallString<256> file(runtimes);
  sys::path::append(file, target.runtime);
  SMDiagnostic problem;
  std::unique_ptr<Module> runtime = parseIRFile(file, problem, context);
  if (!runtime)
    return createStringError("'%s', a part of cilk2gpu, cannot be read: %s; install cilk2gpu again", file.c_str(),
                             problem.getMessage().str().c_str());
  return runtime;
}

Error DeviceBuilder::linkRuntime(Module &program, std::unique_ptr<Module> runtime) {
  markOwn(*runtime);
  for (Function &function : *runtime) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  if (NamedMDNode *flags = runtime->getModuleFlagsMetadata())
    flags->eraseFromParent();
  runtime->setDataLayout(program.getDataLayout());
  runtime->setTargetTriple(program.getTargetTriple());
  if (Linker::linkModules(program, std::move(runtime), Linker::LinkOnlyNeeded))
    return createStringError("the device runtime cannot be linked");
  return Error::success();
}

/// Inlines functions and turns locals into values. Steps that depend on the target are left to later passes.
static void simplify(Module &program) {
  Analyses analyses;
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  passes.addPass(KeepByValueCallsPass());
  passes.addPass(analyses.builder.buildModuleSimplificationPipeline(OptimizationLevel::O3, ThinOrFullLTOPhase::None));
  passes.run(program, analyses.modules);
}

/// Turns calls that only the host can make into requests.
void DeviceBuilder::callHost(HostCalls &calls, FunctionTable &functions, Module &program) {
  if (!calls.mayBe())
    return;
  simplify(program);
  functions.dropUncalled();
  calls.lower([&](const CallBase &call) {
    if (remarks)
      remarks->push_back(describe(call, "remark",
                                  "a task on a GPU calls '" + writtenName(calleeOf(call)->getName()) + "' on the host",
                                  target));
  });
}

namespace {

/// Runs placeAddresses as a pass.
struct PlaceAddressesPass : PassInfoMixin<PlaceAddressesPass> {
  PreservedAnalyses run(Module &program, ModuleAnalysisManager &) {
    placeAddresses(program);
    return PreservedAnalyses::none();
  }
};

} // namespace

void DeviceBuilder::optimise(Module &program) {
  Analyses analyses(machine.get());
  analyses.builder.registerOptimizerEarlyEPCallback([](ModulePassManager &passes, auto...) {
    passes.addPass(PlaceAddressesPass());
    // later passes use this analysis only if it is there already
    passes.addPass(RequireAnalysisPass<GlobalsAA, Module>());
  });
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass()); // code that no kernel reaches may be unfit for a GPU
  passes.addPass(KeepByValueCallsPass());
  passes.addPass(analyses.builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  passes.run(program, analyses.modules);
}

Expected<std::string> DeviceBuilder::generate(Module &program, CodeGenFileType type) {
  SmallString<0> text;
  raw_svector_ostream os(text);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, type))
    return createStringError("LLVM cannot write this kind of file for '%s'", target.arch.c_str());
  passes.run(program);
  return target.isAMD() ? text.str().str() : mendNarrowStores(text);
}

/// Links a relocatable object to a code object, which is a shared library.
Expected<std::string> DeviceBuilder::linkObject(StringRef object) {
  const std::string arguments[] = {"-shared", "--no-undefined"};
  ObjectLink link;
  link.object = object;
  link.prefix = "cilk2gpu-device";
  link.suffix = "co";
  link.arguments = arguments;
  link.product = "the code object for '" + target.arch + "'";
  return cilk2gpu::linkObject(link);
}

/// Drops functions that are not needed or cannot run on a GPU. Drops the queue of requests if no code makes requests.
static void dropUnreached(Module &program) {
  Analyses analyses;
  GlobalDCEPass().run(program, analyses.modules);
  if (GlobalVariable *queue = program.getNamedGlobal(CILK2GPU_REQUESTS_SYMBOL); queue && queue->use_empty())
    queue->eraseFromParent();
}

/// Returns true if the code of a function does not bound its stack: a callee recurses or is called through a pointer,
/// or a function has variables of variable size. `isOpen` has each function that was examined, with true while its
/// calls are not all known.
static bool isDeep(Function &function, DenseMap<Function *, bool> &isOpen) {
  auto [known, isNew] = isOpen.insert({&function, true});
  if (!isNew)
    return known->second;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    Function *callee = call ? calleeOf(*call) : nullptr;
    if (call && !callee && !call->isInlineAsm())
      return true;
    if (auto *local = dyn_cast<AllocaInst>(&inst); local && !local->isStaticAlloca())
      return true;
    if (callee && !callee->isDeclaration() && isDeep(*callee, isOpen))
      return true;
  }
  isOpen[&function] = false;
  return false;
}

/// Marks an image whose lanes need a stack of the size that the user chooses. The image does not run if the size cannot
/// be set.
static void markDeepStacks(Module &program) {
  DenseMap<Function *, bool> isOpen;
  bool any = any_of(program, [&](Function &function) {
    bool isChosen =
        // the host chooses the stack of these functions
        function.getName() == abi::kPersistentKernel || function.hasFnAttribute(kDeviceElidesAttr);
    return isMarkedKernel(function) && !isChosen && isDeep(function, isOpen);
  });
  if (!any)
    return;
  addConstant(program, ConstantInt::get(Type::getInt32Ty(program.getContext()), 1), abi::kDeepStack);
}

static constexpr char kListBody[] = "__cilk2gpu_device_list_frames";

static Error verify(Module &program) {
  std::string problem;
  raw_string_ostream os(problem);
  if (verifyModule(program, &os))
    return createStringError("internal error: device code is malformed: %s", problem.c_str());
  return Error::success();
}

/// Renames symbols that only the image refers to. PTX's assembler has names of its own (_, WARP_SZ, A7), some
/// undocumented, and the program's symbols may have the same names.
static void separateFromPtx(Module &program) {
  for (GlobalValue &value : program.global_values())
    if (value.hasLocalLinkage() && value.hasName() && !value.getName().starts_with("__cilk2gpu_"))
      value.setName("_$" + value.getName().str());
}

/// Works around the faults of LLVM's back ends, and of assemblers, that only code shows.
static void prepareCode(Module &program, const DeviceTarget &target) {
  if (!target.isAMD()) {
    hideRecursion(program);
    separateFromPtx(program);
    return;
  }
  mendVariableLocals(program, *target.amd);
  keepReturnAddresses(program);
  if (StringRef(target.arch).starts_with("gfx110") || target.arch == "gfx11-generic")
    outlineTraps(program);
}

/// Retargets a program, and adds the kernels of graphs and of thread blocks.
static Error retargetProgram(Module &program, const DeviceTarget &target, const DataLayout &layout) {
  retarget(program, target, layout);
  if (Error error = placeBlockVariables(program, target))
    return error;
  moveVariables(program, target);
  addGraphKernel(program);
  addBlockKernel(program);
  return Error::success();
}

Expected<std::string> DeviceBuilder::build(std::vector<std::unique_ptr<Module>> units, DeviceStage stage) {
  machine = createMachine(target);
  Expected<std::unique_ptr<Module>> linked = link(std::move(units));
  if (!linked)
    return linked.takeError();
  Module &program = **linked;
  updateReducersInPlace(program);
  if (Error error = retargetProgram(program, target, machine->createDataLayout()))
    return error;
  FunctionTable functions(program);
  declareStackChecks(program);
  if (isPersistent)
    addPersistentKernel(program);
  addRuntimeKernel(program, abi::kListKernel, kListBody);
  Expected<std::unique_ptr<Module>> runtime = readRuntime(program.getContext());
  if (!runtime)
    return runtime.takeError();
  HostCalls hostCalls(program, **runtime);
  if (Error error = linkRuntime(program, std::move(*runtime)))
    return error;
  keepSharedMarks(program);
  markKernels(program, target);
  if (isPersistent)
    limitRegisters(program, target);
  for (Function &function : program)
    if (!function.isIntrinsic())
      function.addFnAttr("target-cpu", target.arch);
  if (Error error = verify(program))
    return error;
  callHost(hostCalls, functions, program);
  markErrno(program);
  keepPrintf(program);
  optimise(program);
  functions.nameKnown();
  lowerSharedMarks(program);
  DeviceCheck check(program, target);
  if (std::vector<std::string> problems = check.checkKernels(); !problems.empty())
    return make_error<UnfitTasks>(llvm::join(problems, "\n"));
  functions.lowerCalls([&](Function &function) { return check.isFit(function); });
  addStackChecks(program, target);
  dropUnreached(program);
  used = listAddresses(program);
  StripDebugInfo(program); // NVIDIA's assembler does not optimise code with debug information
  mendAtomics(program, target);
  markDeepStacks(program);
  if (Error error = verify(program))
    return error;
  if (stage == DeviceStage::LLVM) {
    std::string text;
    raw_string_ostream(text) << program;
    return text;
  }
  prepareCode(program, target);
  if (!target.isAMD() || stage == DeviceStage::Isa)
    return generate(program, CodeGenFileType::AssemblyFile);
  Expected<std::string> object = generate(program, CodeGenFileType::ObjectFile);
  return object ? linkObject(*object) : object.takeError();
}
