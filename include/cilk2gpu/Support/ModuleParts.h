// Modules that are made of parts of another one, and linked back into it.
#ifndef CILK2GPU_SUPPORT_MODULEPARTS_H
#define CILK2GPU_SUPPORT_MODULEPARTS_H

#include "llvm/IR/Module.h"

#include <memory>

namespace cilk2gpu {

/// Removes declarations that nothing refers to, and lists of the whole program (constructors, used).
void dropUnused(llvm::Module &module);

/// Makes ordinary declarations of functions that are chosen at start-up (ifunc): a copy of a module has all of them,
/// but not the functions that choose.
void declareIndirectFunctions(llvm::Module &module);

/// Links `part`, a part of `module` or made from one, into it. A declaration on one side is the definition that the
/// other has under that name, local symbols included. Returns false after an error.
bool linkByName(llvm::Module &module, std::unique_ptr<llvm::Module> part);

/// Links all of `part` into `module`, also symbols that nothing refers to. Symbols that `module` declared keep their
/// positions there; the others follow in the order that they had. Returns false after an error.
bool linkWhole(llvm::Module &module, std::unique_ptr<llvm::Module> part);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_MODULEPARTS_H
