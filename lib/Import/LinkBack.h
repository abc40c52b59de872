// Links lowered Cilk functions back into the module that they came from.
#ifndef CILK2GPU_LIB_IMPORT_LINKBACK_H
#define CILK2GPU_LIB_IMPORT_LINKBACK_H

#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Gives every global a name, so that the lowered module can refer to it.
void nameGlobals(llvm::Module &module);

/// Gives the functions of `lowered` what code generation wants to know (target, features, sanitizers, frame pointers),
/// as it is for the user's function that each was made from; `fallback` is for those made from none.
void inheritAttributes(llvm::Module &lowered, llvm::Module &module, llvm::Function &fallback);

/// Links `part`, a part of `module` or made from one, into it. A declaration on one side is the definition that the
/// other has under that name, local symbols included. Returns false after an error.
bool linkByName(llvm::Module &module, std::unique_ptr<llvm::Module> part);

/// Links all of `part` into `module`, also what nothing refers to. What `module` declared keeps its place there, the
/// others follow in the order that they had.
bool linkWhole(llvm::Module &module, std::unique_ptr<llvm::Module> part);

/// Replaces the bodies of `functions` by those in `lowered` and adds what else it defines. Linkage, visibility, comdat
/// and attributes of the user's functions stay.
/// Returns false after an error.
bool linkBack(llvm::Module &module, std::unique_ptr<llvm::Module> lowered, llvm::ArrayRef<llvm::Function *> functions);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_LINKBACK_H
