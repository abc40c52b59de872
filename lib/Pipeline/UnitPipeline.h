// The order of the passes on LLVM IR around the way through MLIR, in phases. UnitPipeline.cpp is their table of
// contents.
#ifndef CILK2GPU_LIB_PIPELINE_UNITPIPELINE_H
#define CILK2GPU_LIB_PIPELINE_UNITPIPELINE_H

#include "llvm/IR/PassManager.h"

#include <memory>

namespace cilk2gpu {

/// Settings and facts that the passes on a unit depend on.
struct UnitPipelineOptions {
  bool executable = false; ///< the unit is a program's: no library's functions take the place of its own
  bool device = false;     ///< code for GPUs is made, too
};

/// First phase, on every unit. After it, it is known which functions are Cilk functions.
void addFindingPasses(llvm::ModulePassManager &passes, const UnitPipelineOptions &options);

/// Second phase, on a unit with Cilk functions: what must be done where the other functions' bodies are.
void addUnitPasses(llvm::ModulePassManager &passes, const UnitPipelineOptions &options);

/// Third phase, on a module of the Cilk functions (cloneTasks): brings them into the form that MLIR imports.
void addTaskPasses(llvm::ModulePassManager &passes);

/// Last phase, on a unit: links what has come back from MLIR, the code of `functions`.
void addLinkPasses(llvm::ModulePassManager &passes, std::unique_ptr<llvm::Module> lowered,
                   llvm::ArrayRef<llvm::Function *> functions);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_PIPELINE_UNITPIPELINE_H
