// Names of accessed variables, for reports of races.
#ifndef CILK2GPU_LIB_INSTRUMENT_RACENAMES_H
#define CILK2GPU_LIB_INSTRUMENT_RACENAMES_H

#include "llvm/IR/Function.h"

#include <string>

namespace cilk2gpu {

/// Returns the name that NameAccessesPass gave to the memory of an access, or an empty text.
std::string nameOfAccess(const llvm::Instruction &inst);

/// Removes what NameAccessesPass has put between stores.
void dropSeparators(llvm::Function &function);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_INSTRUMENT_RACENAMES_H
