// The optimiser driver of the project's passes on LLVM IR. LLVM's opt cannot be used, because it cannot load the Clang
// plugin. LLVM's own options -print-before=, -print-after=, -print-after-all and -time-passes work here, too.
#include "Import/SourceUnit.h"
#include "cilk2gpu/Pipeline/LLVMPasses.h"
#include "cilk2gpu/Pipeline/LowerCilk.h"
#include "cilk2gpu/Support/Analyses.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

static cl::OptionCategory category("cilk-llvm-opt");
static cl::opt<std::string> input(cl::Positional, cl::desc("<LLVM IR>"), cl::init("-"), cl::cat(category));
static cl::opt<std::string> passes("passes", cl::desc("run these passes, as LLVM's opt writes them"),
                                   cl::cat(category));
static cl::opt<std::string> unitFile("unit", cl::desc("the translation unit that the Cilk functions are of"),
                                     cl::value_desc("LLVM IR"), cl::cat(category));
static cl::opt<bool> extract("extract",
                             cl::desc("take out the Cilk functions and bring them into the form that MLIR imports"),
                             cl::cat(category));
static cl::opt<std::string> until("until", cl::desc("print the module after this pass and end"), cl::value_desc("pass"),
                                  cl::cat(category));
static cl::opt<bool> helpPasses("help-passes", cl::desc("list the passes"), cl::cat(category));
static cl::opt<bool> printReference("print-reference", cl::desc("print the reference page of the passes"),
                                    cl::cat(category));

namespace {

/// Prints errors and goes on, as Clang does. LLVM's default handler would end the program at the first error.
class ErrorPrinter : public DiagnosticHandler {
public:
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return false;
    DiagnosticPrinterRawOStream printer(errs() << "error: ");
    info.print(printer);
    errs() << "\n";
    return true;
  }
};

} // namespace

/// Ends the program after the pass `until`, with its module as output.
static void stopAt(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerAfterPassCallback([&](StringRef pass, Any unit, const PreservedAnalyses &) {
    auto *module = any_cast<const Module *>(&unit);
    if (!module || callbacks.getPassNameForClassName(pass) != until)
      return;
    (*module)->print(outs(), nullptr);
    outs().flush();
    std::exit(0);
  });
}

static int fail(const Twine &message) {
  errs() << "cilk-llvm-opt: error: " << message << "\n";
  return 1;
}

/// Runs `passes` on the module.
static int runPasses(Module &module, PassBuilder &builder, ModuleAnalysisManager &analyses) {
  ModulePassManager manager;
  if (Error error = builder.parsePassPipeline(manager, passes))
    return fail(toString(std::move(error)));
  manager.run(module, analyses);
  if (module.getContext().getDiagHandlerPtr()->HasErrors)
    return 1;
  if (verifyModule(module, &errs()))
    return fail("the passes left a module that is not valid");
  return 0;
}

/// Replaces the module by a module of its Cilk functions in normal form.
static int runExtraction(std::unique_ptr<Module> &module, PassInstrumentationCallbacks &callbacks) {
  cilk2gpu::LoweringOptions options;
  options.callbacks = &callbacks;
  std::unique_ptr<Module> extracted = cilk2gpu::extractTasks(*module, options);
  if (!extracted)
    return 1;
  module = std::move(extracted);
  return 0;
}

static std::unique_ptr<Module> readModule(StringRef file, LLVMContext &context) {
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseIRFile(file, error, context);
  if (!module)
    error.print("cilk-llvm-opt", errs());
  return module;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "cilk2gpu's passes on LLVM IR\n");
  if (helpPasses || printReference) {
    (helpPasses ? cilk2gpu::printLLVMPasses : cilk2gpu::printLLVMPassReference)(outs());
    return 0;
  }
  if (extract == !passes.empty())
    return fail("one of --passes= and --extract says what to do; --help-passes lists the passes");
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<ErrorPrinter>());
  std::unique_ptr<Module> module = readModule(input, context);
  std::unique_ptr<Module> unit = unitFile.empty() ? nullptr : readModule(unitFile, context);
  if (!module || (!unit && !unitFile.empty()))
    return 1;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassInstrumentationCallbacks callbacks;
  StandardInstrumentations instrumentations(context, /*DebugLogging=*/false);
  instrumentations.registerCallbacks(callbacks, &modules);
  PassBuilder builder(/*TM=*/nullptr, PipelineTuningOptions(), std::nullopt, &callbacks);
  cilk2gpu::registerLowering(builder);
  if (unit)
    modules.registerPass([&] { return cilk2gpu::SourceUnitAnalysis(unit.get()); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  if (!until.empty())
    stopAt(callbacks);
  if (int failed = extract ? runExtraction(module, callbacks) : runPasses(*module, builder, modules))
    return failed;
  if (!until.empty())
    return fail("the pass '" + until + "' of --until has not run; --help-passes lists the passes");
  module->print(outs(), nullptr);
  return 0;
}
