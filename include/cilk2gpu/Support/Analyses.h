// LLVM's analysis managers, registered with one another, for code that runs passes on a module of its own.
#ifndef CILK2GPU_SUPPORT_ANALYSES_H
#define CILK2GPU_SUPPORT_ANALYSES_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2gpu {

/// Must live as long as everything that runs with it. Not thread-safe.
struct Analyses {
  /// `machine`, if not null, tells passes what the target can do.
  explicit Analyses(llvm::TargetMachine *machine = nullptr) : builder(machine) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }
  Analyses(const Analyses &) = delete;

  // The managers may be destroyed in this order.
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_ANALYSES_H
