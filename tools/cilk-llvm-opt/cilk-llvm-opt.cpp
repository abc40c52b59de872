// The optimiser driver of the project's passes on LLVM IR: like LLVM's opt, which cannot load the Clang plugin. LLVM's
// own options -print-before=, -print-after=, -print-after-all and -time-passes work here, too.
#include "cilk2gpu/Pipeline/LLVMPasses.h"
#include "cilk2gpu/Pipeline/Lowering.h"
#include "cilk2gpu/Support/Analyses.h"
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
static cl::opt<bool> extract("extract",
                             cl::desc("take out the Cilk functions and bring them into the form that MLIR imports"),
                             cl::cat(category));
static cl::opt<std::string> until("until", cl::desc("print the module after this pass and end"), cl::value_desc("pass"),
                                  cl::cat(category));
static cl::opt<bool> helpPasses("help-passes", cl::desc("list the passes"), cl::cat(category));
static cl::opt<bool> printReference("print-reference", cl::desc("print the reference page of the passes"),
                                    cl::cat(category));

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
  if (verifyModule(module, &errs()))
    return fail("the passes left a module that is not valid");
  module.print(outs(), nullptr);
  return 0;
}

static int runExtraction(Module &module, PassInstrumentationCallbacks &callbacks) {
  std::unique_ptr<Module> extracted = cilk2gpu::extractTasks(module, {}, &callbacks);
  if (!extracted)
    return 1;
  extracted->print(outs(), nullptr);
  return 0;
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
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseIRFile(input, error, context);
  if (!module) {
    error.print("cilk-llvm-opt", errs());
    return 1;
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassInstrumentationCallbacks callbacks;
  StandardInstrumentations instrumentations(context, /*DebugLogging=*/false);
  instrumentations.registerCallbacks(callbacks, &modules);
  PassBuilder builder(/*TM=*/nullptr, PipelineTuningOptions(), std::nullopt, &callbacks);
  cilk2gpu::registerLowering(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  if (!until.empty())
    stopAt(callbacks);
  return extract ? runExtraction(*module, callbacks) : runPasses(*module, builder, modules);
}
