// Names of accessed variables, for reports of races.
#ifndef CILK2GPU_LIB_INSTRUMENT_RACENAMES_H
#define CILK2GPU_LIB_INSTRUMENT_RACENAMES_H

#include "Sites.h"

#include "llvm/IR/Function.h"

#include <optional>
#include <string>

namespace cilk2gpu {

/// Returns the name that NameAccessesPass gave to the memory of an access, or an empty text.
std::string nameOfAccess(const llvm::Instruction &inst);

/// Returns an expression of the source for the memory at `pointer`, or an empty text. For code as Clang made it.
std::string nameOfMemory(llvm::Value *pointer);

/// Returns the place that NameAccessesPass noted at an access. LLVM drops the location of an access that it moves.
std::optional<Sites::Place> placeOfAccess(const llvm::Instruction &inst);

/// Removes what NameAccessesPass has put between stores.
void dropSeparators(llvm::Function &function);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_INSTRUMENT_RACENAMES_H
