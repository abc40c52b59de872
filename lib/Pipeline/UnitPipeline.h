// The order of the passes on LLVM IR before and after MLIR, in phases. UnitPipeline.cpp is their table of contents.
#ifndef CILK2GPU_LIB_PIPELINE_UNITPIPELINE_H
#define CILK2GPU_LIB_PIPELINE_UNITPIPELINE_H

#include "llvm/IR/PassManager.h"

#include <memory>

namespace cilk2gpu {

/// Settings and facts on which the passes on a unit depend.
struct UnitPipelineOptions {
  bool executable = false; ///< the unit is part of a program, whose functions no library replaces
  bool device = false;     ///< code for GPUs is also made
  bool count = false;      ///< executed instructions are counted
  bool variables = false;  ///< keep the variables of code without optimisation for debuggers
  bool throws = false;     ///< exceptions may leave tasks
  bool pedigrees = false;  ///< strands know their pedigrees
};

/// First phase, on every unit. Afterwards it is known which functions are Cilk functions.
void addFindingPasses(llvm::ModulePassManager &passes, const UnitPipelineOptions &options);

/// Second phase, on a unit with Cilk functions: passes that need the bodies of the other functions.
void addUnitPasses(llvm::ModulePassManager &passes, const UnitPipelineOptions &options);

/// Third phase, on a module of the Cilk functions (cloneTasks): brings them into the form that MLIR imports.
void addTaskPasses(llvm::ModulePassManager &passes);

/// Last phase, on a unit: links the code of `functions`, which has come back from MLIR.
void addLinkPasses(llvm::ModulePassManager &passes, std::unique_ptr<llvm::Module> lowered,
                   llvm::ArrayRef<llvm::Function *> functions);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_PIPELINE_UNITPIPELINE_H
