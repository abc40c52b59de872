// What LLVM 22's AMDGPU gets wrong about locals of variable size, and about the stack pointer that they move.
//
// A wavefront has one stack pointer. Where private memory is reached through a buffer (gfx9, gfx10), it counts the
// bytes of all lanes; where there are instructions for it (gfx94x, gfx11 and later), those of each lane. LLVM does the
// latter in part only.
#ifndef CILK2GPU_LIB_TARGET_GPU_VARIABLELOCALS_H
#define CILK2GPU_LIB_TARGET_GPU_VARIABLELOCALS_H

#include "Retarget.h"

namespace llvm {
class MCSubtargetInfo;
}

namespace cilk2gpu {

/// Changes a program for AMD so that its code will be right. The last step: what it makes is no IR that others could
/// read.
void mendVariableLocals(llvm::Module &program, const DeviceTarget &target, const llvm::MCSubtargetInfo &processor);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_VARIABLELOCALS_H
