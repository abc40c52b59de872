// Counts the work of an instrumented serial elision (cilk-scale): machine instructions of the program itself. Two
// passes make the count:
//
// 1. CountWorkPass adds a number to `__cilk2gpu_scale_work` in every basic block, and behind every hook that reads the
//    counter, when the optimiser is done. The number is a placeholder. The addition is one piece of inline assembly, so
//    code generation keeps it as one instruction.
// 2. A pass of code generation (registerWorkFilling) replaces each placeholder by the number of instructions up to the
//    next hook, or up to the end of the machine block. Instructions that only instrumentation needs are not counted.
#ifndef CILK2GPU_LIB_INSTRUMENT_COUNTWORK_H
#define CILK2GPU_LIB_INSTRUMENT_COUNTWORK_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Triple;
}

namespace cilk2gpu {

/// Makes every block of a module count its instructions, once. Also brackets calls of functions of other units with
/// hooks, so that the runtime can estimate the instructions of libraries.
struct CountWorkPass : llvm::PassInfoMixin<CountWorkPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Tells apart the syncs of an instrumented elision by the kernel that the graph needs behind them. Runs right behind
/// StrandHooksPass.
struct NameSyncsPass : llvm::PassInfoMixin<NameSyncsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Names in instrumented elisions (cilk2gpu/abi/StrandHooks.h): the hooks, the records of their sites, and the counter
/// of instructions.
inline constexpr char kStrandHookPrefix[] = "__cilk2gpu_strand_";
inline constexpr char kScaleHookPrefix[] = "__cilk2gpu_scale_";
inline constexpr char kEnterHook[] = "__cilk2gpu_scale_enter";
inline constexpr char kStrandSitePrefix[] = ".cilk2gpu.site";
inline constexpr char kWorkCounter[] = "__cilk2gpu_scale_work";

/// Returns whether a function of this name reads the counter of instructions: a hook that begins or ends a strand, or
/// wsp_getworkspan of <cilk/cilkscale.h>. Instructions behind its call must not have been added before the call.
bool isCounterReader(llvm::StringRef name);

/// Returns the assembly that adds operand 0 to the memory of operand 1. Empty: there is none for this processor.
llvm::StringRef workAssembly(const llvm::Triple &triple);

/// Makes code generation fill in the numbers of all functions that CountWorkPass has changed.
void registerWorkFilling();

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_INSTRUMENT_COUNTWORK_H
