// Variables that the body of a cilk_for, or a spawned block, shares with the function around it.
#ifndef CILK2GPU_LIB_IMPORT_CAPTURES_H
#define CILK2GPU_LIB_IMPORT_CAPTURES_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2gpu {

/// Passes variables of the function that `body` only reads by value: the body gets a variable with a copy, and the code
/// before `begin` reads the values. Such a variable is a scalar, or an object of a structure. Arrays stay where they
/// are, and so do variables whose address may be known elsewhere, because a pointer may change them. Structures of
/// cilk_for bodies are only copied if they are small; a spawned block (`isBlock`) has the values of its spawn. `unit`
/// has the code of the functions that get addresses. Returns the copies, which stand at the start of the body.
llvm::SmallVector<llvm::AllocaInst *> passReadsByValue(llvm::Instruction &begin,
                                                       llvm::ArrayRef<llvm::BasicBlock *> body,
                                                       const llvm::Module &unit, bool isBlock);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_IMPORT_CAPTURES_H
