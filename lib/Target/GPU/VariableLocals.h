// Corrects code that LLVM 22 generates wrongly for AMD: locals of variable size, and the stack pointer that they move.
//
// A wavefront has one stack pointer. On some processors it counts the bytes of all lanes, on others the bytes of one
// lane (target_info::StackUnit). LLVM 22 supports the second kind only in part.
#ifndef CILK2GPU_LIB_TARGET_GPU_VARIABLELOCALS_H
#define CILK2GPU_LIB_TARGET_GPU_VARIABLELOCALS_H

#include "Retarget.h"

namespace cilk2gpu {

/// Changes a program for AMD so that LLVM generates correct code. Must be the last step: no other pass can read the
/// result.
void mendVariableLocals(llvm::Module &program, const target_info::AmdTraits &processor);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_VARIABLELOCALS_H
