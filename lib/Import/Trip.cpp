// See Trip.h.
#include "Trip.h"

#include "Import/ImportPasses.h"
#include "cilk2gpu/Dialect/Registration.h"
#include "cilk2gpu/Support/LLVMRemarks.h"
#include "cilk2gpu/Support/Remarks.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace cilk2gpu;

Trip::Trip(llvm::Module &module, llvm::PassInstrumentationCallbacks *callbacks)
    : module(module), callbacks(callbacks), context(mlir::MLIRContext::Threading::DISABLED) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  // Only the dialects of input and output are loaded, because loading all of MLIR's dialects takes longer than the trip
  // of a small program. The LLVM dialect represents intrinsics of processors as calls of intrinsics.
  mlir::registerLLVMDialectImport(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  handler = context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diag) { forward(diag); });
}

Trip::~Trip() { context.getDiagEngine().eraseHandler(handler); }

mlir::OwningOpRef<mlir::ModuleOp> Trip::parse(llvm::StringRef text, llvm::StringRef name) {
  mlir::ParserConfig config(&context);
  return mlir::parseSourceString<mlir::ModuleOp>(text, config, name);
}

mlir::OwningOpRef<mlir::ModuleOp> Trip::import(std::unique_ptr<llvm::Module> source) {
  source->setModuleIdentifier(module.getSourceFileName());
  llvm::ModulePassManager passes;
  passes.addPass(PrepareImportPass());
  runUnitPasses(passes, *source, module, callbacks);
  mlir::OwningOpRef<mlir::ModuleOp> imported = mlir::translateLLVMIRToModule(
      std::move(source), &context, /*emitExpensiveWarnings=*/false, /*dropDICompositeTypeElements=*/true);
  if (imported)
    imported->setName(module.getSourceFileName());
  return imported;
}

bool Trip::transform(mlir::ModuleOp program, llvm::function_ref<void(mlir::OpPassManager &)> build) {
  mlir::PassManager passes(&context);
  // The result is verified once, not after every pass. cilk-opt verifies after every pass.
  passes.enableVerifier(false);
  build(passes);
  return succeeded(passes.run(program)) && succeeded(mlir::verify(program));
}

std::unique_ptr<llvm::Module> Trip::translate(mlir::ModuleOp program) {
  std::unique_ptr<llvm::Module> translated = mlir::translateModuleToLLVMIR(program, module.getContext(), "cilk2gpu");
  if (!translated)
    return nullptr;
  llvm::ModulePassManager passes;
  passes.addPass(FinishExportPass());
  runUnitPasses(passes, *translated, module, callbacks);
  return translated;
}

mlir::OwningOpRef<mlir::ModuleOp> Trip::run(std::unique_ptr<llvm::Module> source,
                                            llvm::function_ref<void(mlir::OpPassManager &)> build) {
  mlir::OwningOpRef<mlir::ModuleOp> imported = import(std::move(source));
  return imported && transform(*imported, build) ? std::move(imported) : nullptr;
}

std::unique_ptr<llvm::Module> Trip::roundTrip(std::unique_ptr<llvm::Module> source,
                                              llvm::function_ref<void(mlir::OpPassManager &)> build) {
  mlir::OwningOpRef<mlir::ModuleOp> result = run(std::move(source), build);
  return result ? translate(*result) : nullptr;
}

/// Returns the file that the program's debug information calls `name`, with its folder, which MLIR's locations leave
/// out.
static llvm::DIFile *fileNamed(llvm::StringRef name, llvm::Module &module) {
  for (llvm::Function &function : module)
    if (llvm::DISubprogram *scope = function.getSubprogram(); scope && scope->getFilename() == name)
      return scope->getFile();
  return llvm::DIFile::get(module.getContext(), name, "");
}

/// Returns the source line of a diagnostic, if it has one.
static llvm::DiagnosticLocation locationOf(mlir::Diagnostic &diag, llvm::Module &module) {
  auto file = diag.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
  if (!file)
    return {};
  llvm::DIFile *source = fileNamed(file.getFilename().getValue(), module);
  return llvm::DiagnosticLocation(
      llvm::DILocation::get(module.getContext(), file.getLine(), std::max(1u, file.getColumn()), source));
}

/// Turns MLIR's remarks into optimisation remarks of the user's function, or of any function if the user's function is
/// in another file.
static void forwardRemark(mlir::Diagnostic &diag, llvm::Module &module) {
  SpeedRemark about = readRemark(diag);
  llvm::Function *function = module.getFunction(about.origin);
  if (!function || function->isDeclaration()) {
    auto it = llvm::find_if(module, [](const llvm::Function &other) { return !other.isDeclaration(); });
    function = it == module.end() ? nullptr : &*it;
  }
  if (function)
    emitRemark(*function, about.name, locationOf(diag, module), diag.str(), about.missed);
}

/// Turns MLIR's errors into LLVM's errors at the same source line.
void Trip::forward(mlir::Diagnostic &diag) {
  if (muted && diag.getSeverity() != mlir::DiagnosticSeverity::Error)
    return;
  if (diag.getSeverity() == mlir::DiagnosticSeverity::Remark)
    return forwardRemark(diag, module);
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
  llvm::DiagnosticLocation location = locationOf(diag, module);
  if (!function || !location.isValid())
    return module.getContext().emitError(message);
  module.getContext().diagnose(llvm::DiagnosticInfoUnsupported(*function, message, location));
}
