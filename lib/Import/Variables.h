// Marker calls that carry the user's variables through MLIR (Variables.cpp).
#ifndef CILK2GPU_LIB_IMPORT_VARIABLES_H
#define CILK2GPU_LIB_IMPORT_VARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Returns true if `inst` marks a variable for debuggers (kVariableMarker).
bool isVariableMark(const llvm::Instruction &inst);

/// Erases marks of variables that would be the only reason to share a variable between `part`, which becomes a function
/// of its own, and the code around it.
void dropCrossingMarks(llvm::ArrayRef<llvm::BasicBlock *> part);

/// Turns the marks of a module that comes back from MLIR into records of variables.
void recordVariables(llvm::Module &lowered, const llvm::Module &unit);

/// Notes the variables of optimised Cilk functions (OptimisedVariables.cpp).
void noteValues(llvm::Module &unit);

/// Describes these variables in a module that comes back from MLIR and goes there no more.
void recordValues(llvm::Module &lowered, const llvm::Module &unit);
void dropValueTable(llvm::Module &unit);

/// Removes the table of variables from the unit.
void dropVariableTable(llvm::Module &unit);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_VARIABLES_H
