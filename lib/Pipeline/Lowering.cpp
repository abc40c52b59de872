// LowerCilkPass: extract the Cilk functions, run the pipelines, link the result back. See Lowering.h.
#include "cilk2gpu/Pipeline/Lowering.h"

#include "Import/Extract.h"
#include "Import/Forwarders.h"
#include "Import/LinkBack.h"
#include "Remarks.h"
#include "Target/Host/CountInstructions.h"
#include "Target/Host/KernelPasses.h"
#include "Target/Host/VectorTarget.h"
#include "Target/Host/VectoriseKernels.h"
#include "Trip.h"
#include "cilk2gpu/Dialect/Channel/IR/Channel.h"
#include "cilk2gpu/Frontend/Markers.h"
#include "cilk2gpu/Pipeline/Pipelines.h"
#include "cilk2gpu/Support/Remarks.h"
#include "cilk2gpu/Target/GPU/DeviceModule.h"
#include "cilk2gpu/Target/Graph/EmitGraph.h"
#include "cilk2gpu/Target/Host/Placement.h"
#include "cilk2gpu/Vectorise/LaneAttributes.h"

#include "mlir/Pass/Pass.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cilk2gpu;

/// After an error the markers have to go, or code generation would report them again, and so would a second run.
static void dropMarkers(llvm::Module &module) {
  for (const char *name : {kSpawnBeginMarker, kSpawnCalleeMarker, kSpawnEndMarker, kSyncMarker, kReturnSyncMarker,
                           kForBeginMarker, kForEndMarker})
    if (llvm::Function *marker = module.getFunction(name)) {
      for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
        user->replaceAllUsesWith(llvm::PoisonValue::get(user->getType()));
        llvm::cast<llvm::Instruction>(user)->eraseFromParent();
      }
      marker->eraseFromParent();
    }
  for (llvm::Function &function : module)
    function.removeFnAttr(kTaskFunctionAttr);
}

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

/// The whole way; `device` gets the unit's device module if that is wanted and there is one.
static bool lowerFunctions(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions,
                           const LoweringOptions &options, std::unique_ptr<llvm::Module> &device) {
  nameGlobals(module);
  readLanesAnnotations(module);
  std::string deviceSymbols = options.device ? deviceSymbolPrefix(module) : "";
  if (options.device)
    markPointedAt(module);
  std::unique_ptr<llvm::Module> extracted = extractCilk(module, functions);
  if (!extracted)
    return false;
  Trip trip(module);
  std::string outline;
  std::string vectors = vectorTargetNames(module, options);
  auto lower = [&](std::unique_ptr<llvm::Module> from, llvm::StringSet<> *wasted) -> std::unique_ptr<llvm::Module> {
    std::unique_ptr<llvm::Module> lowered = trip.roundTrip(std::move(from), [&](mlir::OpPassManager &pm) {
      addImportPipeline(pm);
      addChannelPipeline(pm, options);
      outline.clear();
      if (vectors.empty())
        pm.addPass(std::make_unique<ExplainScalarPass>(whyNoVectors(module, options)));
      if (options.outline)
        pm.addPass(std::make_unique<OutlinePass>(outline));
      addNativePipeline(pm, vectors, deviceSymbols, options.count);
    });
    if (!lowered)
      return nullptr;
    inheritAttributes(*lowered, module, *functions.front());
    bool ok = vectors.empty() || vectoriseKernels(*lowered, module, functions, trip, options, wasted);
    return ok ? std::move(lowered) : nullptr;
  };
  // Columns are made before it is known whether kernels run in vectors, which alone gain from many of them. Devices do,
  // too.
  bool mayTurnBack = !vectors.empty() && !options.device;
  std::unique_ptr<llvm::Module> again = mayTurnBack ? llvm::CloneModule(*extracted) : nullptr;
  llvm::StringSet<> wasted;
  std::unique_ptr<llvm::Module> lowered = lower(std::move(extracted), mayTurnBack ? &wasted : nullptr);
  if (lowered && !wasted.empty()) {
    keepFieldsWhole(*again, wasted);
    trip.mute();
    lowered = lower(std::move(again), nullptr);
  }
  if (!lowered)
    return false;
  if (!linkBack(module, std::move(lowered), functions))
    return false;
  describeChannelMarker(module);
  if (options.device)
    device = extractDeviceModule(module, deviceSymbols);
  if (device && options.outline)
    addOutline(*device, outline);
  return true;
}

/// Lowers all Cilk functions; a failure is reported.
static std::unique_ptr<llvm::Module> lowerModule(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions,
                                                 const LoweringOptions &options) {
  std::unique_ptr<llvm::Module> device;
  bool lowered = lowerFunctions(module, functions, options, device);
  if (!lowered && !module.getContext().getDiagHandlerPtr()->HasErrors)
    module.getContext().emitError("cilk2gpu could not lower this module; the messages above say why");
  dropMarkers(module);
  return device;
}

/// A unit without tasks: other units' tasks may call what it defines.
static std::unique_ptr<llvm::Module> extractOrdinaryCode(llvm::Module &module) {
  nameGlobals(module);
  std::string symbols = deviceSymbolPrefix(module);
  markPointedAt(module);
  return extractDeviceModule(module, symbols);
}

static llvm::PreservedAnalyses embedOrdinaryCode(llvm::Module &module) {
  if (std::unique_ptr<llvm::Module> device = extractOrdinaryCode(module))
    embedDeviceModule(module, *device);
  return llvm::PreservedAnalyses::none();
}

/// Under -fsemantic-interposition another library's function may take the place of one with the same name, but not of
/// a program's, and not of main.
static void keepOwn(llvm::Module &module, bool executable) {
  if (!module.getSemanticInterposition() || findCilkFunctions(module).empty())
    return;
  for (llvm::Function &function : module) {
    bool isReplaced = llvm::GlobalValue::isInterposableLinkage(function.getLinkage());
    if (!function.isDeclarationForLinker() && !isReplaced && (executable || function.getName() == "main"))
      function.setDSOLocal(true);
  }
}

/// What an alias stands for, unless something else may take its place when the program is linked.
static llvm::Function *ownAliasee(llvm::GlobalAlias &alias) {
  llvm::Constant *value = &alias;
  for (auto *next = &alias; next; next = llvm::dyn_cast<llvm::GlobalAlias>(value)) {
    if (next->isInterposable())
      return nullptr;
    value = next->getAliasee();
  }
  auto *function = llvm::dyn_cast<llvm::Function>(value);
  return function && !function->isInterposable() ? function : nullptr;
}

/// Calls and spawns by an alias, of which Clang makes one for constructors, are those of the function: only then is it
/// seen that they are of a Cilk function.
static void resolveAliases(llvm::Module &module) {
  if (module.alias_empty() || findCilkFunctions(module).empty())
    return;
  llvm::Function *marker = module.getFunction(kSpawnCalleeMarker);
  for (llvm::GlobalAlias &alias : module.aliases())
    if (llvm::Function *function = ownAliasee(alias))
      alias.replaceUsesWithIf(function, [&](llvm::Use &use) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
        if (!call || !call->isCallee(&use))
          return call && marker && call->getCalledFunction() == marker;
        return call->getFunctionType() == function->getFunctionType();
      });
}

/// Before Cilk functions are looked for. `device`: code for GPUs is made, too.
static void prepare(llvm::Module &module, const LoweringOptions &options, bool device) {
  keepOwn(module, options.executable);
  resolveAliases(module);
  if (device)
    splitCoroutines(module);
  splitForwarders(module);
}

llvm::PreservedAnalyses LowerCilkPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  prepare(module, options, options.device);
  llvm::SmallVector<llvm::Function *> functions = findCilkFunctions(module);
  if (functions.empty() && options.device && !hasDeviceModule(module)) // the pass may run twice
    return embedOrdinaryCode(module);
  if (functions.empty())
    return llvm::PreservedAnalyses::all();
  showRemarksOnce(module.getContext());
  if (std::unique_ptr<llvm::Module> device = lowerModule(module, functions, options))
    embedDeviceModule(module, *device);
  requestPlacement(module);
  // To carry it along to the end takes a twentieth of compiling a small program. Notes for gcov are made of it.
  if (options.dropLocations && !module.getNamedMetadata("llvm.gcov"))
    llvm::StripDebugInfo(module);
  return llvm::PreservedAnalyses::none();
}

std::unique_ptr<llvm::Module> cilk2gpu::lowerForDevice(llvm::Module &module, LoweringOptions options) {
  prepare(module, options, /*device=*/true);
  llvm::SmallVector<llvm::Function *> functions = findCilkFunctions(module);
  options.device = true;
  return functions.empty() ? extractOrdinaryCode(module) : lowerModule(module, functions, options);
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
  builder.registerPipelineStartEPCallback([options](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
    passes.addPass(LowerCilkPass(atLevel(options, level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0)));
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
  builder.registerPipelineParsingCallback([options](llvm::StringRef name, llvm::ModulePassManager &passes,
                                                    llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name != "lower-cilk")
      return false;
    passes.addPass(LowerCilkPass(options));
    return true;
  });
}

bool cilk2gpu::printStage(std::unique_ptr<llvm::Module> module, Stage stage, const LoweringOptions &options,
                          llvm::raw_ostream &os) {
  nameGlobals(*module);
  prepare(*module, options, /*device=*/false);
  std::unique_ptr<llvm::Module> extracted = extractCilk(*module, findCilkFunctions(*module));
  if (!extracted)
    return false;
  Trip trip(*module);
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
