// The kernel of an image that runs lanes of hand-written graphs (cilk2gpu/abi/GraphLanes.h). The device runtime has its
// body. It calls the functions that graphs point at through the table of functions (FunctionTable.h).
#ifndef CILK2GPU_LIB_TARGET_GPU_GRAPHKERNEL_H
#define CILK2GPU_LIB_TARGET_GPU_GRAPHKERNEL_H

#include "Retarget.h"

namespace cilk2gpu {

/// Name of the function that calls a kernel of a graph.
inline constexpr char kGraphCall[] = "__cilk2gpu_graph_call";

/// Adds a function that says whether the image has a version of a function of the host's, unless it is there:
/// `int32 __cilk2gpu_knows(address)`.
void addQuestion(llvm::Module &program);

/// Adds the kernel to a retargeted program if that has kernel nodes. Runs before the table of functions is made and the
/// device runtime is linked.
void addGraphKernel(llvm::Module &program);

} // namespace cilk2gpu

#endif // CILK2GPU_LIB_TARGET_GPU_GRAPHKERNEL_H
