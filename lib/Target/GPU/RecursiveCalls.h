// Recursive functions on NVIDIA's GPUs.
//
// The runtime has the driver compile each function once, for all kernels. NVIDIA's assembler (CUDA 13.0) then emits no
// instructions that bring the threads of a warp together again in a function that calls itself, directly or through
// others. Threads that have parted stay apart until the function returns. Nevertheless, the assembler may keep the
// counter of a loop in a register that the warp has only once. Threads in different iterations then overwrite each
// other's counter. An H200 wrote behind the end of arrays (sort of 65 numbers).
//
// The assembler does not see that a function calls itself if the call goes through a pointer in memory. It then emits
// the instructions, and saves what nested calls need.
#ifndef CILK2GPU_LIB_TARGET_GPU_RECURSIVECALLS_H
#define CILK2GPU_LIB_TARGET_GPU_RECURSIVECALLS_H

namespace llvm {
class Module;
}

namespace cilk2gpu {

/// Makes the calls among functions that call one another, or themselves, go through pointers. Must run after
/// optimisation.
void hideRecursion(llvm::Module &program);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_RECURSIVECALLS_H
