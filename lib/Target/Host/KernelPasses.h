// Passes for functions that gain little from LLVM's whole pipeline:
// - Vector forms, whose lane forms were simplified before. On vectors of 16 and more lanes, InstCombine or SLP takes
//   six times as long as on as many scalar instructions, and the pipeline runs dozens of such passes.
// - Forms for lanes that restart, which rarely run.
// - Straight functions of the compiler: scalar kernels, elided forms and functions that start a graph, if they have
//   only straight code and integers. The pipeline is made for loops, calls and vectors, and takes as long without them.
#ifndef CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H
#define CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H

#include "llvm/IR/PassManager.h"

namespace cilk2gpu {

/// Runs a few passes on kernels that are marked with kOwnPassesAttr (cilk2gpu/Support/LoweredNames.h), after inlining
/// the calls in them that must be inlined. Keeps the rest of the pipeline away from these kernels (optnone) until
/// ReleaseKernelsPass. Functions marked with kIfStraight are left to the pipeline unless they are straight. The pass
/// must run right after LowerCilkPass.
struct SimplifyKernelsPass : llvm::PassInfoMixin<SimplifyKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Keeps LLVM's vectorisers away from kernels that spawn in many places, until ReleaseKernelsPass. Stores to channels
/// are far apart and in many blocks, so the vectorisers achieve nothing there, and take longer than all other passes
/// together (11 of 12 seconds with 36 spawns). This pass must run in front of them.
struct PauseVectorisersPass : llvm::PassInfoMixin<PauseVectorisersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Makes code generation treat these functions like others. Forms for lanes that restart stay unoptimised, unless
/// all code is to be as small as possible. This pass must run at the end of every pipeline that has run
/// SimplifyKernelsPass.
struct ReleaseKernelsPass : llvm::PassInfoMixin<ReleaseKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_HOST_KERNELPASSES_H
