// See Trip.h.
#include "Trip.h"

#include "cilk2gpu/Target/LLVMIR/Pipelines.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace cilk2gpu;

Trip::Trip(llvm::Module &module) : module(module), context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::registerAllFromLLVMIRTranslations(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  handler = context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diag) { forward(diag); });
}

Trip::~Trip() { context.getDiagEngine().eraseHandler(handler); }

mlir::OwningOpRef<mlir::ModuleOp> Trip::run(std::unique_ptr<llvm::Module> source,
                                            llvm::function_ref<void(mlir::OpPassManager &)> build) {
  source->setModuleIdentifier(module.getSourceFileName());
  mlir::OwningOpRef<mlir::ModuleOp> imported = mlir::translateLLVMIRToModule(
      std::move(source), &context, /*emitExpensiveWarnings=*/false, /*dropDICompositeTypeElements=*/true);
  if (!imported)
    return nullptr;
  imported->setName(module.getSourceFileName());
  mlir::PassManager passes(&context);
  build(passes);
  return succeeded(passes.run(*imported)) ? std::move(imported) : nullptr;
}

std::unique_ptr<llvm::Module> Trip::roundTrip(std::unique_ptr<llvm::Module> source,
                                              llvm::function_ref<void(mlir::OpPassManager &)> build) {
  mlir::OwningOpRef<mlir::ModuleOp> result = run(std::move(source), build);
  return result ? mlir::translateModuleToLLVMIR(*result, module.getContext(), "cilk2gpu") : nullptr;
}

/// MLIR's errors become LLVM's, at the same source line.
void Trip::forward(mlir::Diagnostic &diag) {
  if (diag.getSeverity() != mlir::DiagnosticSeverity::Error)
    return;
  std::string message = diag.str();
  if (diverted) {
    if (diverted->empty())
      *diverted = message;
    return;
  }
  llvm::Function *function = nullptr;
  for (llvm::Function &candidate : module)
    if (!candidate.isDeclaration())
      function = &candidate;
  auto file = diag.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
  if (!function || !file)
    return module.getContext().emitError(message);
  auto *source = llvm::DIFile::get(module.getContext(), file.getFilename().getValue(), "");
  llvm::DiagnosticLocation location(
      llvm::DILocation::get(module.getContext(), file.getLine(), file.getColumn(), source));
  module.getContext().diagnose(llvm::DiagnosticInfoUnsupported(*function, message, location));
}
