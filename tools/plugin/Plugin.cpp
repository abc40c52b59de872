// The Clang plugin: `clang -fplugin=Cilk2GPU.so` compiles Cilk. It only reads its arguments and puts the frontend's
// consumer before Clang's own; everything else is in lib/.
#include "cilk2gpu/Frontend/Frontend.h"
#include "cilk2gpu/Target/LLVMIR/Lowering.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

#include <cstdlib>

using namespace clang;

/// One for the process: Clang asks for the pass plugin before it runs what the action has registered.
static cilk2gpu::LoweringOptions lowering;

static void registerLowering(llvm::PassBuilder &builder) { cilk2gpu::registerLowering(builder, lowering); }

/// For inputs that are LLVM IR already, which no frontend reads.
static void registerForIR(llvm::PassBuilder &builder) {
  if (const char *words = std::getenv(cilk2gpu::kLoweringVariable))
    for (llvm::StringRef word : llvm::split(words, ','))
      cilk2gpu::parseLoweringWord(word, lowering);
  registerLowering(builder);
}

namespace {

class CilkAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    trackLocations(CI);
    // The elision has no markers, and its IR goes where it would without the plugin.
    if (!options.serialElision)
      CI.getCodeGenOpts().PassBuilderCallbacks.push_back(registerLowering);
    return cilk2gpu::createCilkConsumer(CI, options);
  }

  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &arguments) override {
    for (const std::string &argument : arguments) {
      if (argument == "serial-elision") {
        options.serialElision = true;
      } else if (argument == "dialect=mit") {
        options.mitDialect = true;
      } else if (!cilk2gpu::parseLoweringWord(argument, lowering)) {
        DiagnosticsEngine &diags = CI.getDiagnostics();
        unsigned id = diags.getCustomDiagID(
            DiagnosticsEngine::Error,
            "the cilk2gpu plugin has no argument '%0'; it takes 'serial-elision', "
            "'dialect=mit', 'lanes=auto|simd|scalar', 'vector-isa=auto|none|avx512+avx2+sse+neon', "
            "'vector-length=4|8|16|32|64', 'veclib=NAME', "
            "'no-combine', 'no-inline-leaves', 'device' and 'count'");
        diags.Report(id) << argument;
        return false;
      }
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  // Later stages report errors at source lines, so locations must be in the IR also without -g. This kind of debug
  // information leaves nothing in the object file, but instrumented code and bitcode show it: not without Cilk, and only
  // until the lowering.
  void trackLocations(CompilerInstance &CI) {
    CodeGenOptions &codegen = CI.getCodeGenOpts();
    bool usesCilk = !options.serialElision && (options.mitDialect || cilk2gpu::hasMitExtension(CI) ||
                                               cilk2gpu::mentionsCilk(CI.getSourceManager(), CI.getLangOpts()));
    lowering.dropLocations = usesCilk && codegen.getDebugInfo() == llvm::codegenoptions::NoDebugInfo;
    if (lowering.dropLocations)
      codegen.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  }

  cilk2gpu::FrontendOptions options;
};

} // namespace

static FrontendPluginRegistry::Add<CilkAction> registration("cilk2gpu", "Cilk's spawn and sync");

/// With -fpass-plugin= the lowering also runs on inputs that are LLVM IR already (-save-temps); it does nothing where
/// the frontend's registration has done the work.
extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cilk2gpu", "0.1.0", registerForIR};
}
