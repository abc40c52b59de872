// Functions on modules that contain parts of another module, and on linking them back into it.
#ifndef CILK2GPU_SUPPORT_MODULEPARTS_H
#define CILK2GPU_SUPPORT_MODULEPARTS_H

#include "llvm/IR/Module.h"

#include <memory>

namespace cilk2gpu {

/// Removes unused declarations, and the lists that concern the whole program (constructors, used).
void dropUnused(llvm::Module &module);

/// Turns ifuncs, which are functions that a resolver chooses at start-up, into ordinary declarations. A copy of a
/// module has all ifuncs, but not their resolvers.
void declareIndirectFunctions(llvm::Module &module);

/// Links `part`, a part of `module` or made from it, into `module`. Symbols are matched by name, local symbols
/// included: a declaration in one module refers to the definition in the other. Returns false after an error.
bool linkByName(llvm::Module &module, std::unique_ptr<llvm::Module> part);

/// Links all of `part` into `module`, including symbols without uses. Symbols that `module` declared keep their
/// positions there. The others follow in the order that they had. Returns false after an error.
bool linkWhole(llvm::Module &module, std::unique_ptr<llvm::Module> part);

} // namespace cilk2gpu

#endif // CILK2GPU_SUPPORT_MODULEPARTS_H
