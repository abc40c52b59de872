// LowerCilkPass: extract the Cilk functions, run the pipelines, link the result back. See Lowering.h.
#include "cilk2gpu/Pipeline/Lowering.h"

#include "Import/Extract.h"
#include "Import/ExtractTasks.h"
#include "Import/ImportPasses.h"
#include "Remarks.h"
#include "Target/Host/CountInstructions.h"
#include "Target/Host/KernelPasses.h"
#include "Target/Host/VectorTarget.h"
#include "Target/Host/VectoriseKernels.h"
#include "Trip.h"
#include "UnitPipeline.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Frontend/Markers.h"
#include "cilk2gpu/Pipeline/LLVMPasses.h"
#include "cilk2gpu/Pipeline/Pipelines.h"
#include "cilk2gpu/Support/Remarks.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/Target/GPU/UnitPasses.h"
#include "cilk2gpu/Target/Graph/EmitGraph.h"
#include "cilk2gpu/Target/Host/Placement.h"
#include "cilk2gpu/Vectorise/LaneOps.h"

#include "mlir/Pass/Pass.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cilk2gpu;

namespace {

/// Writes down what the graph is.
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

/// Says of each kernel that it runs lane by lane, where none are made to run otherwise.
struct ExplainScalarPass : mlir::PassWrapper<ExplainScalarPass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExplainScalarPass)
  explicit ExplainScalarPass(llvm::StringRef reason) : reason(reason) {}
  void runOnOperation() override {
    getOperation().walk([&](channel::KernelOp kernel) {
      auto body =
          mlir::SymbolTable::lookupNearestSymbolFrom<mlir::LLVM::LLVMFuncOp>(getOperation(), kernel.getBodyAttr());
      speedRemark(body, "LaneByLane", /*missed=*/true) << "kernel '" << sourceName(kernel.getTask()) << ":"
                                                       << kernel.getSegment() << "' runs lane by lane: " << reason;
    });
    markAllAnalysesPreserved();
  }
  llvm::StringRef reason;
};

} // namespace

/// Tells the pipeline that the structs of these functions' elements stay whole.
static void keepFieldsWhole(llvm::Module &extracted, const llvm::StringSet<> &origins) {
  for (llvm::Function &function : extracted)
    if (origins.contains(function.getFnAttribute(kOriginAttr).getValueAsString()))
      function.addFnAttr(lane::kWholeFieldsAttr);
}

namespace {

/// The way of one unit through all phases. Each function returns false or null after an error, which it reports.
class UnitLowering {
public:
  UnitLowering(llvm::Module &unit, const LoweringOptions &options, llvm::PassInstrumentationCallbacks *callbacks)
      : unit(unit), options(options), callbacks(callbacks) {}

  /// Looks for Cilk functions, and makes some of ordinary functions. Returns whether there are any.
  bool find();
  /// The Cilk functions, ready for MLIR.
  std::unique_ptr<llvm::Module> extract();
  /// All of the lowering. `device` gets the unit's device module if that is wanted and there is one.
  bool lower(std::unique_ptr<llvm::Module> &device);
  /// The device module of a unit without Cilk functions: other units' tasks may call what it defines.
  std::unique_ptr<llvm::Module> extractOrdinaryCode();
  void dropMarkers() {
    run(unit, [](llvm::ModulePassManager &passes) { passes.addPass(DropMarkersPass()); });
  }

private:
  bool run(llvm::Module &module, llvm::function_ref<void(llvm::ModulePassManager &)> build);
  std::string namePrefix();
  std::unique_ptr<llvm::Module> goThroughMLIR(std::unique_ptr<llvm::Module> extracted, Trip &trip);
  std::unique_ptr<llvm::Module> lowerTasks(std::unique_ptr<llvm::Module> extracted, Trip &trip,
                                           llvm::StringSet<> *wasted);
  std::unique_ptr<llvm::Module> lowerTasks(std::unique_ptr<llvm::Module> extracted);
  UnitPipelineOptions unitOptions() const {
    UnitPipelineOptions result;
    result.executable = options.executable;
    result.device = options.device;
    return result;
  }

  llvm::Module &unit;
  const LoweringOptions &options;
  llvm::PassInstrumentationCallbacks *callbacks;
  llvm::SmallVector<llvm::Function *> functions;
  std::string deviceSymbols; ///< what kernels' symbols in device images begin with; empty: there are none
  std::string vectors;       ///< the instruction sets that kernels are vectorised for; empty: none
  std::string outline;
};

} // namespace

bool UnitLowering::run(llvm::Module &module, llvm::function_ref<void(llvm::ModulePassManager &)> build) {
  llvm::ModulePassManager passes;
  build(passes);
  return runUnitPasses(passes, module, unit, callbacks);
}

bool UnitLowering::find() {
  run(unit, [&](llvm::ModulePassManager &passes) { addFindingPasses(passes, unitOptions()); });
  functions = findCilkFunctions(unit);
  return !functions.empty();
}

/// What kernels' symbols begin with depends on the unit as it is before it is marked for devices.
std::string UnitLowering::namePrefix() {
  run(unit, [](llvm::ModulePassManager &passes) { passes.addPass(NameGlobalsPass()); });
  return options.device ? deviceSymbolPrefix(unit) : "";
}

std::unique_ptr<llvm::Module> UnitLowering::extract() {
  deviceSymbols = namePrefix();
  if (!run(unit, [&](llvm::ModulePassManager &passes) { addUnitPasses(passes, unitOptions()); }))
    return nullptr;
  std::unique_ptr<llvm::Module> extracted = cloneTasks(unit);
  return run(*extracted, addTaskPasses) ? std::move(extracted) : nullptr;
}

std::unique_ptr<llvm::Module> UnitLowering::goThroughMLIR(std::unique_ptr<llvm::Module> extracted, Trip &trip) {
  return trip.roundTrip(std::move(extracted), [&](mlir::OpPassManager &pm) {
    addImportPipeline(pm);
    addChannelPipeline(pm, options);
    outline.clear();
    if (vectors.empty())
      pm.addPass(std::make_unique<ExplainScalarPass>(whyNoVectors(unit, options)));
    if (options.outline)
      pm.addPass(std::make_unique<OutlinePass>(outline));
    addNativePipeline(pm, vectors, deviceSymbols, options.count);
  });
}

std::unique_ptr<llvm::Module> UnitLowering::lowerTasks(std::unique_ptr<llvm::Module> extracted, Trip &trip,
                                                       llvm::StringSet<> *wasted) {
  std::unique_ptr<llvm::Module> lowered = goThroughMLIR(std::move(extracted), trip);
  if (!lowered)
    return nullptr;
  run(*lowered, [](llvm::ModulePassManager &passes) { passes.addPass(InheritAttributesPass()); });
  bool ok = vectors.empty() || vectoriseKernels(*lowered, unit, functions, trip, options, wasted);
  return ok ? std::move(lowered) : nullptr;
}

/// Columns are made before it is known whether kernels run in vectors, which alone gain from many of them. Devices do,
/// too.
std::unique_ptr<llvm::Module> UnitLowering::lowerTasks(std::unique_ptr<llvm::Module> extracted) {
  Trip trip(unit, callbacks);
  vectors = vectorTargetNames(unit, options);
  bool mayTurnBack = !vectors.empty() && !options.device;
  std::unique_ptr<llvm::Module> again = mayTurnBack ? llvm::CloneModule(*extracted) : nullptr;
  llvm::StringSet<> wasted;
  std::unique_ptr<llvm::Module> lowered = lowerTasks(std::move(extracted), trip, mayTurnBack ? &wasted : nullptr);
  if (!lowered || wasted.empty())
    return lowered;
  keepFieldsWhole(*again, wasted);
  trip.mute();
  return lowerTasks(std::move(again), trip, nullptr);
}

bool UnitLowering::lower(std::unique_ptr<llvm::Module> &device) {
  std::unique_ptr<llvm::Module> extracted = extract();
  std::unique_ptr<llvm::Module> lowered = extracted ? lowerTasks(std::move(extracted)) : nullptr;
  if (!lowered)
    return false;
  run(*lowered, [](llvm::ModulePassManager &passes) { passes.addPass(JoinDebugInfoPass()); });
  if (!run(unit, [&](llvm::ModulePassManager &passes) { addLinkPasses(passes, std::move(lowered)); }))
    return false;
  if (options.device)
    device = extractDeviceModule(unit, deviceSymbols);
  if (device && options.outline)
    addOutline(*device, outline);
  return true;
}

std::unique_ptr<llvm::Module> UnitLowering::extractOrdinaryCode() {
  std::string symbols = namePrefix();
  run(unit, [](llvm::ModulePassManager &passes) { passes.addPass(MarkPointedAtPass()); });
  return extractDeviceModule(unit, symbols);
}

/// Lowers all Cilk functions; a failure is reported. Returns the unit's device module if that is wanted and there is
/// one.
static std::unique_ptr<llvm::Module> lowerUnit(llvm::Module &module, UnitLowering &lowering) {
  std::unique_ptr<llvm::Module> device;
  bool lowered = lowering.lower(device);
  if (!lowered && !module.getContext().getDiagHandlerPtr()->HasErrors)
    module.getContext().emitError("cilk2gpu could not lower this module; the messages above say why");
  lowering.dropMarkers();
  return device;
}

llvm::PreservedAnalyses LowerCilkPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  UnitLowering lowering(module, options, callbacks);
  bool hasTasks = lowering.find();
  if (!hasTasks && (!options.device || hasDeviceModule(module))) // the pass may run twice
    return llvm::PreservedAnalyses::all();
  if (hasTasks)
    showRemarksOnce(module.getContext());
  if (std::unique_ptr<llvm::Module> device = hasTasks ? lowerUnit(module, lowering) : lowering.extractOrdinaryCode())
    embedDeviceModule(module, *device);
  if (!hasTasks)
    return llvm::PreservedAnalyses::none();
  requestPlacement(module);
  // To carry it along to the end takes a twentieth of compiling a small program. Notes for gcov are made of it.
  if (options.dropLocations && !module.getNamedMetadata("llvm.gcov"))
    llvm::StripDebugInfo(module);
  return llvm::PreservedAnalyses::none();
}

std::unique_ptr<llvm::Module> cilk2gpu::lowerForDevice(llvm::Module &module, LoweringOptions options) {
  options.device = true;
  UnitLowering lowering(module, options, /*callbacks=*/nullptr);
  return lowering.find() ? lowerUnit(module, lowering) : lowering.extractOrdinaryCode();
}

LoweringOptions cilk2gpu::atLevel(LoweringOptions options, bool forSpeed) {
  options.combine &= forSpeed;
  options.inlineLeaves &= forSpeed;
  if (!forSpeed && options.lanes == Lanes::Auto) {
    options.lanes = Lanes::Scalar;
    options.byLevel = true;
  }
  return options;
}

void cilk2gpu::registerLowering(llvm::PassBuilder &builder, const LoweringOptions &options) {
  registerLLVMPasses(builder);
  llvm::PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks();
  builder.registerPipelineStartEPCallback(
      [options, callbacks](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
        bool forSpeed = level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0;
        passes.addPass(LowerCilkPass(atLevel(options, forSpeed), callbacks));
        if (level.getSpeedupLevel() > 0)
          passes.addPass(SimplifyKernelsPass());
      });
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) { passes.addPass(PauseVectorisersPass()); });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
                                             llvm::ThinOrFullLTOPhase) { passes.addPass(ReleaseKernelsPass()); });
  if (options.count)
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
                                               llvm::ThinOrFullLTOPhase) { passes.addPass(CountInstructionsPass()); });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase) {
        passes.addPass(PlacementPass(level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0));
      });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
                                             llvm::ThinOrFullLTOPhase) { passes.addPass(WeakenListedPass()); });
  builder.registerPipelineParsingCallback([options, callbacks](llvm::StringRef name, llvm::ModulePassManager &passes,
                                                               llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name != "cilk-lower")
      return false;
    passes.addPass(LowerCilkPass(options, callbacks));
    return true;
  });
}

std::unique_ptr<llvm::Module> cilk2gpu::extractTasks(llvm::Module &module, LoweringOptions options,
                                                     llvm::PassInstrumentationCallbacks *callbacks) {
  options.device = false;
  UnitLowering lowering(module, options, callbacks);
  lowering.find();
  return lowering.extract();
}

bool cilk2gpu::printStage(std::unique_ptr<llvm::Module> module, Stage stage, const LoweringOptions &options,
                          llvm::raw_ostream &os) {
  std::unique_ptr<llvm::Module> extracted = extractTasks(*module, options);
  if (!extracted)
    return false;
  Trip trip(*module, /*callbacks=*/nullptr);
  mlir::OwningOpRef<mlir::ModuleOp> result = trip.run(std::move(extracted), [&](mlir::OpPassManager &pm) {
    addImportPipeline(pm);
    if (stage != Stage::Cilk)
      addChannelPipeline(pm, options);
  });
  if (!result)
    return false;
  switch (stage) {
  case Stage::Cilk:
  case Stage::Channel:
    result->print(os);
    break;
  case Stage::Graph:
    emitDot(*result, os);
    break;
  case Stage::GraphJson:
    emitJson(*result, os);
    break;
  }
  return true;
}
