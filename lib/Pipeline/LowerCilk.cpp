// LowerCilkPass: extracts the Cilk functions, runs the pipelines, and links the result back. See LowerCilk.h.
#include "cilk2gpu/Pipeline/LowerCilk.h"

#include "HostPart.h"
#include "Import/Extract.h"
#include "Import/ExtractTasks.h"
#include "Import/ImportPasses.h"
#include "Import/Trip.h"
#include "Import/Variables.h"
#include "Instrument/CountWork.h"
#include "Instrument/InstrumentPasses.h"
#include "Program.h"
#include "Target/ByValueCalls.h"
#include "Target/Host/Clamps.h"
#include "Target/Host/CountInstructions.h"
#include "Target/Host/EntryEffects.h"
#include "Target/Host/KeptLookups.h"
#include "Target/Host/KernelPasses.h"
#include "Target/Host/LoopFacts.h"
#include "Target/Host/OwnReducers.h"
#include "Target/Host/ReducerLookups.h"
#include "Target/Host/ShareKernels.h"
#include "Target/Host/VectorTarget.h"
#include "Target/Host/VectoriseKernels.h"
#include "UnitPipeline.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Dialect/Lane/Transforms/Passes.h"
#include "cilk2gpu/Pipeline/LLVMPasses.h"
#include "cilk2gpu/Pipeline/Pipelines.h"
#include "cilk2gpu/Support/FunctionAttributes.h"
#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Markers.h"
#include "cilk2gpu/Support/PedigreeMarks.h"
#include "cilk2gpu/Support/Remarks.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/Target/GPU/UnitPasses.h"
#include "cilk2gpu/Target/Graph/EmitGraph.h"
#include "cilk2gpu/Target/Host/Placement.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"

using namespace cilk2gpu;

/// Runs passes on `module`, a part of `unit` or `unit` itself. Returns false after an error.
static bool runPasses(llvm::Module &module, llvm::Module &unit, const LoweringOptions &options,
                      llvm::function_ref<void(llvm::ModulePassManager &)> build) {
  llvm::ModulePassManager passes;
  build(passes);
  return runUnitPasses(passes, module, unit, options.callbacks);
}

template <typename Pass> static void runPass(llvm::Module &unit, const LoweringOptions &options, Pass pass) {
  runPasses(unit, unit, options, [&](llvm::ModulePassManager &passes) { passes.addPass(std::move(pass)); });
}

/// Returns true if variables are described for debuggers. Counted code must execute the same instructions as code for
/// all devices.
static bool describesVariables(const LoweringOptions &options) {
  return options.keepVariables && !options.dropLocations && !options.device && !options.count;
}

static UnitPipelineOptions unitOptions(const LoweringOptions &options) {
  UnitPipelineOptions result;
  result.executable = options.executable;
  result.device = options.device;
  result.count = options.count;
  result.variables = describesVariables(options);
  result.throws = options.throws && throwsFromTasks(options);
  result.pedigrees = options.pedigrees;
  return result;
}

/// Returns true if source locations go into the object file, or into notes for gcov.
static bool keepsLocations(const llvm::Module &module, const LoweringOptions &options) {
  return module.getNamedMetadata("llvm.dbg.cu") && (!options.dropLocations || module.getNamedMetadata("llvm.gcov"));
}

namespace {

/// Writes a description of the graph in words.
struct OutlinePass : mlir::PassWrapper<OutlinePass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlinePass)
  explicit OutlinePass(std::string &text) : text(text) {}
  void runOnOperation() override {
    llvm::raw_string_ostream os(text);
    emitOutline(getOperation(), os);
    markAllAnalysesPreserved();
  }
  std::string &text;
};

/// Remarks that each kernel runs lane by lane, if no other forms are made.
struct ExplainScalarPass : mlir::PassWrapper<ExplainScalarPass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExplainScalarPass)
  explicit ExplainScalarPass(llvm::StringRef reason) : reason(reason) {}
  void runOnOperation() override {
    getOperation().walk([&](channel::KernelOp kernel) {
      auto body =
          mlir::SymbolTable::lookupNearestSymbolFrom<mlir::LLVM::LLVMFuncOp>(getOperation(), kernel.getBodyAttr());
      speedRemark(body, "LaneByLane", /*missed=*/true)
          << "kernel '" << sourceName(kernel.getSymName()) << "' runs lane by lane: " << reason;
    });
    markAllAnalysesPreserved();
  }
  llvm::StringRef reason;
};

} // namespace

/// Tells the pipeline that the structs of these functions' elements stay whole.
static void keepFieldsWhole(mlir::ModuleOp graph, const llvm::StringSet<> &origins) {
  for (auto function : graph.getOps<mlir::LLVM::LLVMFuncOp>())
    if (!function.isExternal() && origins.contains(functionAttribute(function, kOriginAttr)))
      addFunctionAttribute(function, lane::kWholeFieldsAttr);
}

namespace {

/// Lowers a graph in the `channel` dialect, and links its code into a module.
class GraphLowering {
public:
  /// `functions` are the functions of `module` whose code comes from the graph. Code that was made from no function of
  /// `module` gets the attributes of `owner`.
  GraphLowering(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions, const llvm::Function &owner,
                Trip &trip, const LoweringOptions &options)
      : module(module), functions(functions), owner(owner), trip(trip), options(options),
        deviceSymbols(options.device ? deviceSymbolPrefix(module) : ""), vectors(vectorTargetNames(module, options)) {}

  /// Starts with a graph whose kernels, but not their lane forms, have been lowered.
  void startAtLaneForms() { startsAtLaneForms = true; }

  /// Lowers the graph. `device` receives the unit's device module if it is wanted and there is one. Returns false after
  /// an error.
  bool run(mlir::OwningOpRef<mlir::ModuleOp> graph, std::unique_ptr<llvm::Module> &device) {
    std::unique_ptr<llvm::Module> lowered = choose(std::move(graph));
    for (llvm::Function &function : module)
      function.removeFnAttr(kRareTaskAttr);
    if (!lowered || !link(std::move(lowered)))
      return false;
    if (options.device)
      device = extractDeviceModule(module, deviceSymbols);
    if (device && options.outline)
      addOutline(*device, outline);
    return true;
  }

private:
  bool link(std::unique_ptr<llvm::Module> lowered) {
    runPasses(*lowered, module, options, [](auto &passes) { passes.addPass(JoinDebugInfoPass()); });
    return runPasses(module, module, options,
                     [&](auto &passes) { addLinkPasses(passes, std::move(lowered), functions); });
  }

  /// Lowers the graph, and lowers it again without unneeded columns. Columns are made before it is known whether
  /// kernels run in vectors, and only vectors and devices gain from many of them.
  std::unique_ptr<llvm::Module> choose(mlir::OwningOpRef<mlir::ModuleOp> graph) {
    bool mayTurnBack = !vectors.empty() && !options.device && !startsAtLaneForms;
    mlir::OwningOpRef<mlir::ModuleOp> again = mayTurnBack ? graph->clone() : nullptr;
    llvm::StringSet<> wasted;
    std::unique_ptr<llvm::Module> lowered = lower(*graph, mayTurnBack ? &wasted : nullptr);
    if (!lowered || wasted.empty())
      return lowered;
    keepFieldsWhole(*again, wasted);
    trip.mute();
    return lower(*again, nullptr);
  }

  std::unique_ptr<llvm::Module> lower(mlir::ModuleOp graph, llvm::StringSet<> *wasted) {
    outline.clear();
    bool ok = trip.transform(graph, [&](mlir::OpPassManager &pm) {
      if (startsAtLaneForms)
        return pm.addPass(lane::createLaneEncodeCallsPass());
      if (vectors.empty())
        pm.addPass(std::make_unique<ExplainScalarPass>(whyNoVectors(module, options)));
      if (options.outline)
        pm.addPass(std::make_unique<OutlinePass>(outline));
      addNativePipeline(pm, vectors, deviceSymbols, options.count);
    });
    std::unique_ptr<llvm::Module> lowered = ok ? trip.translate(graph) : nullptr;
    if (!lowered)
      return nullptr;
    ok = runPasses(*lowered, module, options, [&](auto &passes) { addKernelPasses(passes, wasted); });
    return ok ? std::move(lowered) : nullptr;
  }

  void addKernelPasses(llvm::ModulePassManager &passes, llvm::StringSet<> *wasted) {
    // Vectors are for the target of the user's functions, which kernels get here.
    passes.addPass(InheritAttributesPass(&owner));
    // With debug information, each kernel has its own. Devices look for functions by name.
    bool shares = !keepsLocations(module, options) && !options.device && !options.count;
    if (shares)
      passes.addPass(ShareKernelsPass());
    if (vectors.empty())
      return;
    VectoriseKernelsPass::Lowering lowering;
    lowering.cilkFunctions = functions;
    lowering.owner = &owner;
    lowering.trip = &trip;
    lowering.wasted = wasted;
    lowering.shares = shares;
    passes.addPass(VectoriseKernelsPass(options, lowering));
  }

  llvm::Module &module;
  llvm::ArrayRef<llvm::Function *> functions;
  const llvm::Function &owner;
  Trip &trip;
  const LoweringOptions &options;
  std::string deviceSymbols;
  std::string vectors; ///< names of instruction sets
  std::string outline; ///< the graph in words
  bool startsAtLaneForms = false;
};

} // namespace

/// Returns options for a result in which no table says what the marks of variables stand for.
static LoweringOptions withoutVariables(LoweringOptions options) {
  options.keepVariables = false;
  return options;
}

/// Returns the Cilk functions of a module that Clang made, in the form that MLIR imports. Null after an error.
static std::unique_ptr<llvm::Module> takeOutTasks(llvm::Module &module, const LoweringOptions &options) {
  UnitPipelineOptions unit = unitOptions(options);
  unit.variables &= vectorTargetNames(module, options).empty(); // vectors have no room for marks
  if (!runPasses(module, module, options, [&](auto &passes) { addUnitPasses(passes, unit); }))
    return nullptr;
  if (describesVariables(options))
    noteValues(module);
  std::unique_ptr<llvm::Module> extracted = cloneTasks(module);
  for (llvm::Function *body : findBlockBodies(module)) // no code of the unit calls them
    body->eraseFromParent();
  return runPasses(*extracted, module, options, addTaskPasses) ? std::move(extracted) : nullptr;
}

/// Brings the Cilk functions of a module that Clang made into the `channel` dialect, or only into the `cilk` dialect.
/// Returns null after an error. Afterwards, the functions' own code is no longer needed.
static mlir::OwningOpRef<mlir::ModuleOp> importFunctions(llvm::Module &module, Trip &trip,
                                                         const LoweringOptions &options, bool onlyCilk = false) {
  std::unique_ptr<llvm::Module> extracted = takeOutTasks(module, options);
  if (!extracted)
    return nullptr;
  // The pass runs only on the unit, because its mark does not go through MLIR.
  runPass(module, options, MarkRareTasksPass());
  return trip.run(std::move(extracted), [&](mlir::OpPassManager &pm) {
    addImportPipeline(pm);
    if (!onlyCilk)
      addChannelPipeline(pm, options);
  });
}

/// Lowers a module that Clang made. Code without an origin gets the attributes of the first Cilk function, or of the
/// first kernel of thread blocks.
static bool lowerFunctions(llvm::Module &module, bool hasTasks, const LoweringOptions &options,
                           std::unique_ptr<llvm::Module> &device) {
  Trip trip(module, options.callbacks);
  llvm::StringRef kernel;
  if (!hasTasks)
    kernel = findBlockBodies(module).front()->getFnAttribute(kBlockBodyAttr).getValueAsString();
  mlir::OwningOpRef<mlir::ModuleOp> graph = importFunctions(module, trip, options);
  if (!graph)
    return false;
  // The import has made other functions from some Cilk functions.
  llvm::SmallVector<llvm::Function *> functions;
  if (hasTasks)
    functions = findCilkFunctions(module);
  const llvm::Function &owner = hasTasks ? *functions.front() : *module.getFunction(kernel);
  return GraphLowering(module, functions, owner, trip, options).run(std::move(graph), device);
}

/// Returns true if `program`, which is in MLIR, can be compiled for the requested targets.
static bool isInChannelDialect(mlir::ModuleOp program, Trip &trip, const LoweringOptions &options) {
  if (graphDialect(program) != GraphDialect::Cilk)
    return true;
  return trip.transform(program, [&](mlir::OpPassManager &pm) { addChannelPipeline(pm, options); });
}

/// Extracts the device module of a unit without tasks, because tasks of other units may call its functions.
static std::unique_ptr<llvm::Module> extractOrdinaryCode(llvm::Module &module, const LoweringOptions &options) {
  runPass(module, options, NameGlobalsPass());
  std::string symbols = deviceSymbolPrefix(module);
  runPass(module, options, MarkPointedAtPass());
  return extractDeviceModule(module, symbols);
}

/// Returns true if there are nodes to which operations of the `channel` dialect can refer. Else reports an error.
static bool hasNodes(mlir::ModuleOp program) {
  if (graphDialect(program) != GraphDialect::Channel || !program.getOps<channel::GraphOp>().empty())
    return true;
  mlir::Operation *first = nullptr;
  program.walk([&](mlir::Operation *op) {
    if (!first && op->getName().getDialectNamespace() == "channel")
      first = op;
  });
  first->emitError() << "operations of the channel dialect work on the nodes of a channel.graph, and this program has "
                        "none; write one";
  return false;
}

/// Returns true unless code for GPUs is requested and the program was made without. A program made from a source file
/// has another layout of elements for GPUs.
static bool isMadeForDevices(mlir::ModuleOp program, const LoweringOptions &options) {
  if (!options.device || !program.lookupSymbol(kHostName) || program->hasAttr(kForDevicesAttr))
    return true;
  program.emitError()
      << "this program was made for this machine's processor alone, and --offload-arch asks for code for "
         "GPUs; emit it again with --offload-arch";
  return false;
}

/// With -g, adds the lines of the text to code that a person wrote, for debuggers.
static bool addDebugLocations(mlir::ModuleOp program, Trip &trip, const LoweringOptions &options) {
  if (options.dropLocations || program.lookupSymbol(kHostName))
    return true;
  return trip.transform(program,
                        [](mlir::OpPassManager &pm) { pm.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass()); });
}

/// Returns true if lane forms can be used with the requested options.
static bool canUseLaneForms(mlir::ModuleOp program, const llvm::Module &module, const LoweringOptions &options) {
  bool isScalar = vectorTargetNames(module, options).empty();
  if (!isScalar && !options.device)
    return true;
  program.emitError() << "a program in the lane dialect is for kernels in vectors on this machine's processor; "
                      << (isScalar ? "compile it with -O2" : "compile it without --offload-arch")
                      << ", or start from the channel dialect";
  return false;
}

/// Lowers a program in MLIR. Clang has made `module` only from the template `frame`, whose code may be removed.
static bool lowerProgram(llvm::Module &module, llvm::Function &frame, const LoweringOptions &options,
                         std::unique_ptr<llvm::Module> &device) {
  Trip trip(module, options.callbacks);
  mlir::OwningOpRef<mlir::ModuleOp> program = parseProgram(*options.source, trip);
  if (!program || !hasNodes(*program) || !isMadeForDevices(*program, options) ||
      !addDebugLocations(*program, trip, options) || !takeHost(*program, module, frame, trip))
    return false;
  llvm::SmallVector<llvm::Function *> functions = takeGraphFunctions(module);
  if (!hasCodeOf(*program, functions))
    return false;
  bool hasGraph = graphDialect(*program) != GraphDialect::None;
  if (hasGraph) {
    runPass(module, options, NameGlobalsPass());
    if (options.device)
      runPass(module, options, MarkPointedAtPass());
    if (functions.empty()) // the graph was written by hand
      functions.push_back(&frame);
    GraphLowering lowering(module, functions, *functions.front(), trip, options);
    if (graphDialect(*program) == GraphDialect::Lane) {
      if (!canUseLaneForms(*program, module, options))
        return false;
      lowering.startAtLaneForms();
    }
    if (!isInChannelDialect(*program, trip, options) || !lowering.run(std::move(program), device))
      return false;
    requestPlacement(module);
  }
  if (!hasGraph && options.device)
    device = extractOrdinaryCode(module, options);
  return true;
}

/// Reports a failure if no other error has been reported.
static void concludeLowering(llvm::Module &module, const LoweringOptions &options, bool lowered) {
  if (!lowered && !module.getContext().getDiagHandlerPtr()->HasErrors)
    module.getContext().emitError("cilk2gpu could not lower this module; the messages above say why");
  runPass(module, options, DropMarkersPass());
}

/// Lowers all Cilk functions and kernels of thread blocks. A failure is reported.
static std::unique_ptr<llvm::Module> lowerModule(llvm::Module &module, bool hasTasks, const LoweringOptions &options) {
  std::unique_ptr<llvm::Module> device;
  concludeLowering(module, options, lowerFunctions(module, hasTasks, options, device));
  return device;
}

static llvm::PreservedAnalyses embedOrdinaryCode(llvm::Module &module, const LoweringOptions &options) {
  if (std::unique_ptr<llvm::Module> device = extractOrdinaryCode(module, options))
    embedDeviceModule(module, *device);
  return llvm::PreservedAnalyses::none();
}

/// Finds the Cilk functions, and makes Cilk functions from some ordinary ones. Also makes the bodies of kernels of
/// thread blocks.
static llvm::SmallVector<llvm::Function *> findTasks(llvm::Module &module, const LoweringOptions &options) {
  runPasses(module, module, options, [&](auto &passes) { addFindingPasses(passes, unitOptions(options)); });
  return findCilkFunctions(module);
}

/// Returns the template if the module stands for a program in MLIR that has not been read yet.
static llvm::Function *findTemplate(llvm::Module &module, const LoweringOptions &options) {
  return options.source ? module.getFunction(kProgramTemplate) : nullptr;
}

static std::unique_ptr<llvm::Module> lowerTemplate(llvm::Module &module, llvm::Function &frame,
                                                   const LoweringOptions &options) {
  std::unique_ptr<llvm::Module> device;
  concludeLowering(module, options, lowerProgram(module, frame, options, device));
  frame.eraseFromParent(); // also after an error: the pass may run twice
  return device;
}

/// Drops locations, because keeping them to the end takes a twentieth of the compile time of a small program.
static void dropLocations(llvm::Module &module, const LoweringOptions &options) {
  if (!keepsLocations(module, options))
    llvm::StripDebugInfo(module);
}

namespace {

/// Drops locations that only served messages and hooks.
struct DropLocationsPass : llvm::PassInfoMixin<DropLocationsPass> {
  explicit DropLocationsPass(const LoweringOptions &options) : options(options) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    dropLocations(module, options);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  LoweringOptions options;
};

} // namespace

/// Registers the graph of a unit with pedigrees as such. The constructor becomes the first function of the unit.
/// Linkers name the undefined symbols of an object file in the order of its code, so their first message has the
/// remedy.
static void finishRegistration(llvm::Module &module) {
  if (llvm::Function *constructor = module.getFunction("__cilk2gpu_register_graph")) {
    constructor->removeFromParent();
    module.getFunctionList().push_front(constructor);
  }
  llvm::Function *function = module.getFunction("__cilk2gpu_register");
  if (function && module.getFunction(kAnnouncePedigrees))
    function->replaceAllUsesWith(
        module.getOrInsertFunction(kRegisterWithPedigrees, function->getFunctionType()).getCallee());
}

llvm::PreservedAnalyses LowerCilkPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  // The pass may run twice. What the first run has refused, the second run would refuse again.
  if (module.getContext().getDiagHandlerPtr()->HasErrors)
    return llvm::PreservedAnalyses::none();
  if (llvm::Function *frame = findTemplate(module, options)) {
    showRemarksOnce(module.getContext());
    if (std::unique_ptr<llvm::Module> device = lowerTemplate(module, *frame, options))
      embedDeviceModule(module, *device);
    finishRegistration(module);
    dropLocations(module, options);
    return llvm::PreservedAnalyses::none();
  }
  llvm::SmallVector<llvm::Function *> functions = findTasks(module, options);
  bool isOrdinary = functions.empty() && findBlockBodies(module).empty();
  if (isOrdinary && options.device && !hasDeviceModule(module)) // the pass may run twice
    return embedOrdinaryCode(module, options);
  if (isOrdinary)
    return llvm::PreservedAnalyses::none(); // there may be records of mapping functions
  showRemarksOnce(module.getContext());
  if (std::unique_ptr<llvm::Module> device = lowerModule(module, !functions.empty(), options))
    embedDeviceModule(module, *device);
  finishRegistration(module);
  requestPlacement(module);
  dropLocations(module, options);
  return llvm::PreservedAnalyses::none();
}

std::unique_ptr<llvm::Module> cilk2gpu::lowerForDevice(llvm::Module &module, LoweringOptions options) {
  options.device = true;
  if (llvm::Function *frame = findTemplate(module, options))
    return lowerTemplate(module, *frame, options);
  llvm::SmallVector<llvm::Function *> functions = findTasks(module, options);
  bool isOrdinary = functions.empty() && findBlockBodies(module).empty();
  return isOrdinary ? extractOrdinaryCode(module, options) : lowerModule(module, !functions.empty(), options);
}

LoweringOptions cilk2gpu::atLevel(LoweringOptions options, bool forSpeed) {
  options.combine &= forSpeed;
  options.inlineEarlyReturns &= forSpeed;
  if (!forSpeed && options.lanes == Lanes::Auto) {
    options.lanes = Lanes::Scalar;
    options.byLevel = true;
  }
  return options;
}

namespace {

/// Keeps pedigrees in an elision. Replaces the program by its elision if there are no hooks.
struct PedigreesInElisionPass : llvm::PassInfoMixin<PedigreesInElisionPass> {
  explicit PedigreesInElisionPass(const LoweringOptions &options) : options(options) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    bool ok = runPasses(module, module, options, [&](llvm::ModulePassManager &passes) {
      passes.addPass(KeepOwnSymbolsPass(options.executable));
      passes.addPass(ResolveAliasesPass());
      passes.addPass(SplitReplaceablePass(SplitReplaceablePass::Use::Elision));
      passes.addPass(KeepPedigreesPass(/*announces=*/false));
      if (!options.strandHooks)
        passes.addPass(ElideKeywordsPass());
    });
    if (!options.strandHooks) {
      concludeLowering(module, options, ok);
      dropLocations(module, options);
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  LoweringOptions options;
};

} // namespace

/// Registers the passes that make an instrumented elision. They take the place of the lowering.
static void registerInstrumentation(llvm::PassBuilder &builder, const LoweringOptions &options) {
  builder.registerPipelineStartEPCallback([options](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
    if (options.pedigrees)
      passes.addPass(PedigreesInElisionPass(options));
    passes.addPass(NameFilesPass());
    if (options.races) {
      passes.addPass(NameAccessesPass());
      passes.addPass(MarkViewsPass());
      passes.addPass(CopyCapturesPass());
      passes.addPass(MarkLocalsPass()); // before the markers are gone
    }
    passes.addPass(StrandHooksPass(/*isInOrder=*/!options.countWork));
    passes.addPass(KeepByValueCallsPass());
    if (options.countWork)
      passes.addPass(NameSyncsPass());
  });
  builder.registerOptimizerLastEPCallback(
      [options](llvm::ModulePassManager &passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        if (options.races)
          passes.addPass(RaceAccessesPass());
        passes.addPass(DropLocationsPass(options));
        if (options.countWork) // last, on the code that code generation gets
          passes.addPass(CountWorkPass());
      });
  if (options.races) // The first pass joins stores of different lines, the second one reads where the program does not.
    options.callbacks->registerShouldRunOptionalPassCallback([](llvm::StringRef pass, llvm::Any) {
      return pass != "MergedLoadStoreMotionPass" && pass != "ArgumentPromotionPass";
    });
  if (options.countWork)
    registerWorkFilling();
}

void cilk2gpu::registerLowering(llvm::PassBuilder &builder, LoweringOptions options) {
  registerLLVMPasses(builder);
  options.callbacks = builder.getPassInstrumentationCallbacks();
  if (options.strandHooks)
    return registerInstrumentation(builder, options);
  if (options.elides)
    return builder.registerPipelineStartEPCallback([options](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
      passes.addPass(PedigreesInElisionPass(options));
    });
  builder.registerPipelineStartEPCallback([options](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
    passes.addPass(LowerCilkPass(atLevel(options, level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0)));
    passes.addPass(KeepByValueCallsPass());
    if (level.getSpeedupLevel() > 0)
      passes.addPass(SimplifyKernelsPass());
  });
  builder.registerOptimizerEarlyEPCallback(
      [&builder](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase phase) {
        if (level.getSpeedupLevel() < 2)
          return;
        llvm::FunctionPassManager simplification;
        simplification.addPass(DropClampsPass()); // first, so that the passes behind it see addresses without clamps
        simplification.addPass(builder.buildFunctionSimplificationPipeline(level, phase));
        passes.addPass(ShareLoopFactsPass(std::move(simplification)));
      });
  builder.registerScalarOptimizerLateEPCallback([](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
    passes.addPass(UseOwnReducersPass());
    passes.addPass(HoistLookupsPass());
    passes.addPass(DescribeEntriesPass());
  });
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { passes.addPass(PauseVectorisersPass()); });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase) {
        if (level != llvm::OptimizationLevel::O0)
          passes.addPass(KeepLookupsPass());
        passes.addPass(ReleaseKernelsPass());
      });
  if (options.count)
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
                                               llvm::ThinOrFullLTOPhase) { passes.addPass(CountInstructionsPass()); });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase) {
        passes.addPass(PlacementPass(level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0));
      });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
                                             llvm::ThinOrFullLTOPhase) { passes.addPass(WeakenListedPass()); });
  builder.registerPipelineParsingCallback([options](llvm::StringRef name, llvm::ModulePassManager &passes,
                                                    llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name != "cilk-lower")
      return false;
    passes.addPass(LowerCilkPass(options));
    return true;
  });
}

std::unique_ptr<llvm::Module> cilk2gpu::extractTasks(llvm::Module &module, const LoweringOptions &options) {
  findTasks(module, options);
  return takeOutTasks(module, withoutVariables(options));
}

/// Makes a whole program in MLIR from a module that Clang made: the graph part, in the requested dialect, and the host
/// part. Null after an error.
static mlir::OwningOpRef<mlir::ModuleOp> importProgram(llvm::Module &module, bool onlyCilk, Trip &trip,
                                                       const LoweringOptions &options) {
  llvm::SmallVector<llvm::Function *> functions = findTasks(module, options);
  mlir::OwningOpRef<mlir::ModuleOp> program = importFunctions(module, trip, withoutVariables(options), onlyCilk);
  if (!program)
    return nullptr;
  if (options.device)
    (*program)->setAttr(kForDevicesAttr, mlir::UnitAttr::get(trip.getContext()));
  leaveCodeToGraph(module, functions.empty() ? functions : findCilkFunctions(module));
  runPass(module, options, DropMarkersPass());
  dropLocations(module, options);
  return addHost(*program, module, trip) ? std::move(program) : nullptr;
}

/// Reads a program in MLIR and brings its graph part into the requested dialect. Null after an error.
static mlir::OwningOpRef<mlir::ModuleOp> readProgram(const llvm::Module &module, bool onlyCilk, Trip &trip,
                                                     const LoweringOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> program = parseProgram(*options.source, trip);
  if (!program || !hasNodes(*program))
    return nullptr;
  GraphDialect dialect = graphDialect(*program);
  if (onlyCilk && dialect == GraphDialect::Channel) {
    (*program->getOps<channel::GraphOp>().begin())->emitError()
        << "this graph is in the channel dialect already, from which there is no way back to the cilk "
           "dialect; use --emit=channel";
    return nullptr;
  }
  if (dialect != GraphDialect::Cilk || onlyCilk)
    return program;
  DetachedHost host(*program, module);
  return isInChannelDialect(*program, trip, options) ? std::move(program) : nullptr;
}

/// Puts blocks on the edges of switches. MLIR's text of a switch cannot name one result of several by its number, but a
/// branch can:
///   llvm.switch %c : i32, ^default [1: ^one(%fields#0)]  ->  [1: ^between]  with  ^between: llvm.br ^one(%fields#0)
static void nameSwitchOperands(mlir::ModuleOp program) {
  llvm::SmallVector<std::pair<mlir::LLVM::SwitchOp, unsigned>> edges;
  program.walk([&](mlir::LLVM::SwitchOp inst) {
    for (unsigned i = 0; i < inst->getNumSuccessors(); ++i)
      if (llvm::any_of(inst.getSuccessorOperands(i).getForwardedOperands(), [](mlir::Value value) {
            mlir::Operation *op = value.getDefiningOp();
            return op && op->getNumResults() > 1;
          }))
        edges.emplace_back(inst, i);
  });
  for (auto [inst, i] : edges) {
    mlir::Block *target = inst->getSuccessor(i);
    auto *between = new mlir::Block();
    target->getParent()->getBlocks().insert(target->getIterator(), between);
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(between);
    mlir::MutableOperandRange operands = inst.getSuccessorOperands(i).getMutableForwardedOperands();
    mlir::LLVM::BrOp::create(builder, inst.getLoc(), llvm::SmallVector<mlir::Value>(operands.getAsOperandRange()),
                             target);
    operands.clear();
    inst->setSuccessor(between, i);
  }
}

static void printModule(mlir::ModuleOp program, llvm::raw_ostream &os, bool withLocations) {
  nameSwitchOperands(program);
  mlir::OpPrintingFlags flags;
  if (withLocations)
    flags.enableDebugInfo();
  program->print(os, flags);
  os << '\n';
}

/// Makes a whole program in MLIR from a module, in the dialect that `onlyCilk` says. Null after an error.
static mlir::OwningOpRef<mlir::ModuleOp> makeProgram(llvm::Module &module, bool onlyCilk, Trip &trip,
                                                     const LoweringOptions &options) {
  return findTemplate(module, options) ? readProgram(module, onlyCilk, trip, options)
                                       : importProgram(module, onlyCilk, trip, options);
}

bool cilk2gpu::printStage(std::unique_ptr<llvm::Module> module, Stage stage, const LoweringOptions &options,
                          llvm::raw_ostream &os) {
  Trip trip(*module, options.callbacks);
  mlir::OwningOpRef<mlir::ModuleOp> program = makeProgram(*module, stage == Stage::Cilk, trip, options);
  if (program)
    printModule(*program, os, !options.dropLocations);
  return bool(program);
}

bool cilk2gpu::drawGraph(std::unique_ptr<llvm::Module> module, const LoweringOptions &options,
                         const llvm::StringMap<std::string> &signatures, GraphDrawings &drawings) {
  Trip trip(*module, options.callbacks);
  mlir::OwningOpRef<mlir::ModuleOp> program = makeProgram(*module, /*onlyCilk=*/false, trip, options);
  if (program)
    drawings.add(*program, signatures);
  return bool(program);
}
