// See MlirInput.h. The main file stays known to Clang's source manager, so that errors are shown with its lines.
#include "cilk2gpu/Frontend/MlirInput.h"

#include "cilk2gpu/Support/Markers.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"

using namespace clang;

/// Returns the text of the C file. It causes no diagnostic, whatever warnings are enabled.
static std::string templateText(bool isCpp) {
  return std::string("#pragma clang diagnostic ignored \"-Weverything\"\n") + (isCpp ? "extern \"C\" " : "") + "void " +
         cilk2gpu::kProgramTemplate + "(void) {}\n";
}

bool cilk2gpu::hasMlirExtension(const CompilerInstance &CI) {
  const auto &inputs = CI.getFrontendOpts().Inputs;
  return !inputs.empty() && inputs.front().isFile() && inputs.front().getFile().ends_with(".mlir");
}

std::shared_ptr<const cilk2gpu::MlirSource> cilk2gpu::takeMlirInput(CompilerInstance &CI) {
  SourceManager &sources = CI.getSourceManager();
  auto source = std::make_shared<MlirSource>();
  source->name = CI.getFrontendOpts().Inputs.front().getFile().str();
  source->text = sources.getBufferDataOrNone(sources.getMainFileID()).value_or("").str();
  if (llvm::StringRef(source->text).trim().empty()) {
    DiagnosticsEngine &diags = CI.getDiagnostics();
    unsigned id = diags.getCustomDiagID(DiagnosticsEngine::Error,
                                        "'%0' is empty; a program in MLIR is a builtin.module with operations of the "
                                        "cilk, channel or llvm dialects");
    diags.Report(id) << source->name;
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(templateText(CI.getLangOpts().CPlusPlus), source->name);
  sources.setMainFileID(sources.createFileID(std::move(buffer)));
  return source;
}
