// The Clang plugin: `clang -fplugin=Cilk2GPU.so` compiles Cilk. It reads its arguments, and puts the frontend's
// consumer before Clang's own consumer. All other code is in lib/.
#include "cilk2gpu/Frontend/Frontend.h"
#include "cilk2gpu/Frontend/MlirInput.h"
#include "cilk2gpu/Pipeline/LowerCilk.h"
#include "cilk2gpu/Version.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

#include <cstdlib>

using namespace clang;

/// Options of the whole process: Clang asks for the pass plugin before it runs the action's registrations.
static cilk2gpu::LoweringOptions lowering;

static void registerLowering(llvm::PassBuilder &builder) { cilk2gpu::registerLowering(builder, lowering); }

/// Registers the lowering for inputs that are LLVM IR already, which no frontend reads.
static void registerForIR(llvm::PassBuilder &builder) {
  if (const char *words = std::getenv(cilk2gpu::kLoweringVariable))
    for (llvm::StringRef word : llvm::split(words, ','))
      cilk2gpu::parseLoweringWord(word, lowering);
  registerLowering(builder);
}

namespace {

/// Limits the fusing of -ffp-contract=fast, which lets code generation fuse every multiplication and addition. If the
/// elision's target has no fused instruction, vectors must not fuse, even if their instruction set has one. So only
/// operations that allow fusing are fused. Other functions of the target, and operations that CodeGen makes, do not
/// change.
class ContractionConsumer : public ASTConsumer {
public:
  explicit ContractionConsumer(CompilerInstance &CI) : CI(CI) {}

  void HandleTranslationUnit(ASTContext &) override {
    const TargetInfo &target = CI.getTarget();
    bool fuses = !target.getTriple().isX86() || target.hasFeature("fma") || target.hasFeature("fma4");
    if (!fuses && CI.getLangOpts().getDefaultFPContractMode() == LangOptions::FPM_Fast)
      CI.getLangOpts().setDefaultFPContractMode(LangOptions::FPM_FastHonorPragmas);
  }

private:
  CompilerInstance &CI;
};

class CilkAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    if (cilk2gpu::hasMlirExtension(CI))
      return createProgramConsumer(CI);
    bool hasCilk = lowering.strandHooks || usesCilk(CI);
    trackLocations(CI, hasCilk);
    options.pedigrees = lowering.pedigrees;
    // The elision has no markers, so its IR takes the same path as without the plugin. With pedigrees, the lowering
    // removes the markers.
    if (options.serialElision && !options.pedigrees)
      return cilk2gpu::createCilkConsumer(CI, options);
    lowering.elides = options.serialElision;
    frontend::ActionKind action = CI.getFrontendOpts().ProgramAction;
    options.skipsLowering = CI.getCodeGenOpts().DisableLLVMPasses &&
                            llvm::is_contained({frontend::EmitObj, frontend::EmitAssembly}, action);
    options.throwsFromTasks = cilk2gpu::throwsFromTasks(lowering);
    options.instrumentsElision = lowering.strandHooks || lowering.elides;
    lowering.throws = CI.getLangOpts().CPlusPlus && CI.getLangOpts().CXXExceptions;
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(registerLowering);
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(cilk2gpu::createCilkConsumer(CI, options));
    if (hasCilk)
      consumers.push_back(std::make_unique<ContractionConsumer>(CI));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
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
            "'no-combine', 'no-inline', 'device', 'count', 'strand-hooks', 'races', 'count-work' and 'pedigrees'");
        diags.Report(id) << argument;
        return false;
      }
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  /// Gives the program to the lowering, and an empty program to Clang.
  std::unique_ptr<ASTConsumer> createProgramConsumer(CompilerInstance &CI) {
    lowering.source = cilk2gpu::takeMlirInput(CI);
    lowering.dropLocations = CI.getCodeGenOpts().getDebugInfo() == llvm::codegenoptions::NoDebugInfo;
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(registerLowering);
    return std::make_unique<ASTConsumer>();
  }

  bool usesCilk(CompilerInstance &CI) const {
    return (!options.serialElision || lowering.pedigrees) &&
           (options.mitDialect || cilk2gpu::hasMitExtension(CI) ||
            cilk2gpu::mentionsCilk(CI.getSourceManager(), CI.getLangOpts()));
  }

  // Later stages report errors at source lines, so the IR needs locations also without -g. This kind of debug
  // information leaves nothing in the object file, but instrumented code and bitcode show it. So it is added only to
  // units with Cilk, and removed by the lowering.
  void trackLocations(CompilerInstance &CI, bool hasCilk) {
    CodeGenOptions &codegen = CI.getCodeGenOpts();
    lowering.dropLocations = hasCilk && codegen.getDebugInfo() == llvm::codegenoptions::NoDebugInfo;
    // Reports of races name variables, and need to know where the variables of an iteration begin.
    if (lowering.races) {
      codegen.SanitizeAddressUseAfterScope = true;
      codegen.setAssignmentTrackingMode(CodeGenOptions::AssignmentTrackingOpts::Disabled);
    }
    if (lowering.races && codegen.getDebugInfo() < llvm::codegenoptions::LimitedDebugInfo)
      codegen.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
    else if (lowering.dropLocations)
      codegen.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  }

  cilk2gpu::FrontendOptions options;
};

} // namespace

static FrontendPluginRegistry::Add<CilkAction> registration("cilk2gpu", "Cilk's spawn and sync");

/// With -fpass-plugin=, the lowering also runs on inputs that are LLVM IR already (-save-temps). It does nothing if the
/// frontend's registration has already run it.
extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cilk2gpu", CILK2GPU_VERSION, registerForIR};
}
