// LLVM's analysis managers, registered with one another, for code that runs passes on a module of its own.
#ifndef CILK2GPU_SUPPORT_ANALYSES_H
#define CILK2GPU_SUPPORT_ANALYSES_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2gpu {

/// A set of analysis managers. It must live as long as the passes that run with it. Not thread-safe.
struct Analyses {
  /// `machine`, if not null, gives passes the properties of the target. `callbacks`, if not null, see every pass: they
  /// print IR before and after passes, and time them.
  explicit Analyses(llvm::TargetMachine *machine = nullptr, llvm::PassInstrumentationCallbacks *callbacks = nullptr)
      : builder(machine) {
    // The builder itself does not get `callbacks`: it would name all of LLVM's passes to them once more.
    auto instrumentation = [callbacks] { return llvm::PassInstrumentationAnalysis(callbacks); };
    modules.registerPass(instrumentation);
    sccs.registerPass(instrumentation);
    functions.registerPass(instrumentation);
    loops.registerPass(instrumentation);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }
  Analyses(const Analyses &) = delete;

  // In this order, a manager is destroyed before the managers that its results refer to.
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_ANALYSES_H
