// The kernel of an image that runs thread blocks (<cilk2gpu/Wireframe.h>), and the variables of blocks and threads. The
// device runtime has the kernel's body (runtime/device/Blocks.cpp). It calls kernels through the table of functions
// (FunctionTable.h).
//
//   blockIdx, threadIdx, ...   thread-local on the host; here a copy in each function that uses them, made from what
//                              the workgroup knows
//   WF_SHARED variables        thread-local on the host; here parts of one array in the workgroup's memory. Variables
//                              that no block uses together have the same place.
#ifndef CILK2GPU_LIB_TARGET_GPU_BLOCKKERNEL_H
#define CILK2GPU_LIB_TARGET_GPU_BLOCKKERNEL_H

#include "Retarget.h"
#include "llvm/Support/Error.h"

namespace cilk2gpu {

/// Names of the functions that call functions of blocks.
inline constexpr const char *kBlockCalls[] = {"__cilk2gpu_blocks_call_thread", "__cilk2gpu_blocks_call_node",
                                              "__cilk2gpu_blocks_call_placed"};

/// Places the variables of a retargeted program. Fails if the blocks of a kernel share more than a workgroup's memory.
llvm::Error placeBlockVariables(llvm::Module &program, const DeviceTarget &target);

/// Adds the kernel if the program has functions that run blocks. Runs before the table of functions is made and the
/// device runtime is linked.
void addBlockKernel(llvm::Module &program);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_BLOCKKERNEL_H
