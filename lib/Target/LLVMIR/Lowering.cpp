// LowerCilkPass: extract the Cilk functions, run the pipelines, link the result back. See Lowering.h.
#include "cilk2gpu/Target/LLVMIR/Lowering.h"

#include "Extract.h"
#include "LinkBack.h"
#include "cilk2gpu/Frontend/Markers.h"
#include "cilk2gpu/Target/Graph/EmitGraph.h"
#include "cilk2gpu/Target/LLVMIR/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Passes/PassBuilder.h"

using namespace cilk2gpu;

namespace {

/// One trip of a module's Cilk functions through MLIR.
class Trip {
public:
  Trip(llvm::Module &module) : module(module), context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    mlir::registerAllFromLLVMIRTranslations(registry);
    mlir::registerAllToLLVMIRTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    handler = context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diag) { forward(diag); });
  }
  ~Trip() { context.getDiagEngine().eraseHandler(handler); }

  /// Imports `extracted` and runs `build`'s pipeline; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run(std::unique_ptr<llvm::Module> extracted, void (*build)(mlir::OpPassManager &)) {
    extracted->setModuleIdentifier(module.getSourceFileName());
    mlir::OwningOpRef<mlir::ModuleOp> imported = mlir::translateLLVMIRToModule(
        std::move(extracted), &context, /*emitExpensiveWarnings=*/false, /*dropDICompositeTypeElements=*/true);
    if (!imported)
      return nullptr;
    imported->setName(module.getSourceFileName());
    mlir::PassManager passes(&context);
    build(passes);
    return succeeded(passes.run(*imported)) ? std::move(imported) : nullptr;
  }

private:
  /// MLIR's errors become LLVM's, at the same source line.
  void forward(mlir::Diagnostic &diag) {
    if (diag.getSeverity() != mlir::DiagnosticSeverity::Error)
      return;
    std::string message = diag.str();
    llvm::Function *function = nullptr;
    for (llvm::Function &candidate : module)
      if (!candidate.isDeclaration())
        function = &candidate;
    auto file = diag.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
    if (!function || !file)
      return module.getContext().emitError(message);
    auto *source = llvm::DIFile::get(module.getContext(), file.getFilename().getValue(), "");
    llvm::DiagnosticLocation location(llvm::DILocation::get(module.getContext(), file.getLine(), file.getColumn(), source));
    module.getContext().diagnose(llvm::DiagnosticInfoUnsupported(*function, message, location));
  }

  llvm::Module &module;
  mlir::MLIRContext context;
  mlir::DiagnosticEngine::HandlerID handler;
};

} // namespace

static void buildNative(mlir::OpPassManager &pm) {
  addImportPipeline(pm);
  addChannelPipeline(pm);
  addNativePipeline(pm);
}

static void buildChannel(mlir::OpPassManager &pm) {
  addImportPipeline(pm);
  addChannelPipeline(pm);
}

/// After an error the markers have to go, or code generation would report them again.
static void dropMarkers(llvm::Module &module) {
  for (const char *name : {kSpawnBeginMarker, kSpawnCalleeMarker, kSpawnEndMarker, kSyncMarker, kReturnSyncMarker, kForBeginMarker, kForEndMarker})
    if (llvm::Function *marker = module.getFunction(name)) {
      for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
        user->replaceAllUsesWith(llvm::PoisonValue::get(user->getType()));
        llvm::cast<llvm::Instruction>(user)->eraseFromParent();
      }
      marker->eraseFromParent();
    }
}

llvm::PreservedAnalyses LowerCilkPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::SmallVector<llvm::Function *> functions = findCilkFunctions(module);
  if (functions.empty())
    return llvm::PreservedAnalyses::all();
  // Errors are fatal for the compilation, through the context's diagnostic handler.
  auto lowered = [&]() -> bool {
    nameGlobals(module);
    std::unique_ptr<llvm::Module> extracted = extractCilk(module, functions);
    if (!extracted)
      return false;
    Trip trip(module);
    mlir::OwningOpRef<mlir::ModuleOp> result = trip.run(std::move(extracted), buildNative);
    if (!result)
      return false;
    std::unique_ptr<llvm::Module> exported = mlir::translateModuleToLLVMIR(*result, module.getContext(), "cilk2gpu");
    return exported && linkBack(module, std::move(exported), functions);
  };
  if (!lowered() && !module.getContext().getDiagHandlerPtr()->HasErrors)
    module.getContext().emitError("cilk2gpu could not lower this module; the messages above say why");
  dropMarkers(module);
  return llvm::PreservedAnalyses::none();
}

void cilk2gpu::registerLowering(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(LowerCilkPass()); });
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager &passes,
                                             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name != "lower-cilk")
      return false;
    passes.addPass(LowerCilkPass());
    return true;
  });
}

bool cilk2gpu::printStage(std::unique_ptr<llvm::Module> module, Stage stage, llvm::raw_ostream &os) {
  nameGlobals(*module);
  std::unique_ptr<llvm::Module> extracted = extractCilk(*module, findCilkFunctions(*module));
  if (!extracted)
    return false;
  Trip trip(*module);
  mlir::OwningOpRef<mlir::ModuleOp> result =
      trip.run(std::move(extracted), stage == Stage::Cilk ? addImportPipeline : buildChannel);
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
