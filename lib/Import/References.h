// References and pointers of a function that always lead to the same variable.
#ifndef CILK2GPU_LIB_IMPORT_REFERENCES_H
#define CILK2GPU_LIB_IMPORT_REFERENCES_H

#include "llvm/IR/Function.h"

namespace cilk2gpu {

/// Replaces loads of addresses from variables of the function by the addresses, if they are the same at all times.
/// Drops the variables that are then not read. The function must be Clang's unoptimised code. Returns false if nothing
/// changed.
bool resolveReferences(llvm::Function &function);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_REFERENCES_H
