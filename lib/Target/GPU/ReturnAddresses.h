// Return addresses of AMD's functions that are too long for a branch.
//
// A branch reaches 128 KB. LLVM makes a longer one through a pair of scalar registers, which it chooses after the
// function's prologue is made. In a function without calls it takes the registers of the return address, s[30:31], and
// does not save them (seen with LLVM 22.1.8 for gfx1100 and gfx1201). The function then returns to the target of the
// branch. So each function that may be this long names the registers as overwritten, and its prologue saves them.
#ifndef CILK2GPU_LIB_TARGET_GPU_RETURNADDRESSES_H
#define CILK2GPU_LIB_TARGET_GPU_RETURNADDRESSES_H

namespace llvm {
class Module;
}

namespace cilk2gpu {

/// Has long functions save their return addresses. Must run after optimisation.
void keepReturnAddresses(llvm::Module &program);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_RETURNADDRESSES_H
