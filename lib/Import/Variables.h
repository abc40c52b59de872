// Marker calls that carry the user's variables through MLIR (Variables.cpp).
#ifndef CILK2GPU_LIB_IMPORT_VARIABLES_H
#define CILK2GPU_LIB_IMPORT_VARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"

#include <map>

namespace cilk2gpu {

/// A variable in a task's frame.
struct FrameMember {
  llvm::StringRef name;
  llvm::DIType *type; ///< null for a pointer
  unsigned line;
};

/// Variables in a frame, by their offset in bytes.
using FrameMembers = std::map<uint64_t, FrameMember>;

/// Makes a structure of the variables in a frame of `owner`, a task, or one of its kernels. Of variables with the same
/// name, all but the first have their line in their name.
llvm::DIType *createFrameType(llvm::DIBuilder &builder, llvm::DISubprogram &program, llvm::StringRef owner,
                              const FrameMembers &members);

/// Makes the variable that stands for a frame of the type `type` in the function `program`.
llvm::DILocalVariable *createFrameVariable(llvm::DIBuilder &builder, llvm::DISubprogram &program, llvm::DIType *type);

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
