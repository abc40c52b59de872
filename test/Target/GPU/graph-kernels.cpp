// Tests the kernel of an image that runs lanes of hand-written graphs (cilk2gpu/Graph.h). Its entry asks the host for elements. It
// calls kernels through the table of functions, which has those that the GPU can run. Only the first lane of each wavefront stays.
// RUN: %cilk2gpuxx -O2 --offload-arch=sm_90 --emit=llvm %s -o - | FileCheck %s
// RUN: %cilk2gpuxx -O0 --offload-arch=gfx90a --emit=llvm %s -o - | FileCheck %s
//
// The entry and the variable that the host sets keep their names.
// RUN: %cilk2gpuxx -O2 --offload-arch=sm_90 --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
// PTX: .visible .global {{.*}} __cilk2gpu_graph_lanes
// PTX: .visible .entry __cilk2gpu_graph_kernel(
// DEFINE: %{arch} = gfx90a
// DEFINE: %{isa} = %cilk2gpuxx -O2 --offload-arch=%{arch} --emit=isa %s -o - | FileCheck %s --check-prefix=AMD
// RUN: %{isa}
// REDEFINE: %{arch} = gfx942
// RUN: %{isa}
// REDEFINE: %{arch} = gfx1100
// RUN: %{isa}
// REDEFINE: %{arch} = gfx1201
// RUN: %{isa}
// AMD: {{^}}__cilk2gpu_graph_kernel:
// AMD: .amdhsa_kernel __cilk2gpu_graph_kernel
// AMD: .protected __cilk2gpu_graph_lanes
//
// Images of programs without kernel nodes do not have one, also if they use the header.
// RUN: %cilk2gpuxx -O2 -DONLY_TASKS --offload-arch=sm_90 --emit=ptx %s -o - | FileCheck %s --check-prefix=NONE
// NONE: .visible .entry
// NONE-NOT: __cilk2gpu_graph
// RUN: not %cilk2gpuxx -O2 -DNOTHING --offload-arch=sm_90 --emit=ptx %s -o - 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: the source files have no Cilk function, and no kernel of a graph or of thread blocks, to run on a GPU
//
// A program as HIP source has no runtime for graphs.
// RUN: not %cilk2gpuxx -O2 --offload-arch=gfx90a --emit=hip %s -o %t.hip 2>&1 | FileCheck %s --check-prefix=HIP
// HIP: error: --emit=hip: the program has kernels of a graph written by hand (<cilk2gpu/Graph.h>), which need the run-time library;
// HIP-SAME: compile it without --emit=hip
#include <cilk2gpu/Graph.h>
#include <cilk/cilk.h>

using namespace cilk2gpu;

// The table has kernels, and the function that passes them their arguments. A kernel that a GPU cannot run is not in it.
// CHECK: @__cilk2gpu_function_table = {{.*}}sum{{.*}}TypedKernelNode{{.*}}call
// CHECK-NOT: unfit

// The lane checks that the host's functions are in the table before it calls.
// CHECK: define {{.*}}_kernel void @__cilk2gpu_graph_kernel(
// CHECK: call {{.*}}ptr @__cilk2gpu_device_find(ptr {{.*}}, ptr addrspacecast (ptr addrspace(1) @__cilk2gpu_function_table to ptr), i32 [[COUNT:[0-9]+]])
// CHECK: call {{.*}}ptr @__cilk2gpu_device_function(ptr {{.*}}, ptr addrspacecast (ptr addrspace(1) @__cilk2gpu_function_table to ptr), i32 [[COUNT]])

#if !defined(ONLY_TASKS) && !defined(NOTHING)
static void sum(int id, int offset, long *total) {
  atomic_add(total, *static_cast<int *>(deq(id, offset)));
  tfree(id, offset);
}

thread_local int own;
static void unfit(int id, int offset, long *) {
  own = id;
  tfree(id, offset);
}

void connect(Graph &graph, ChannelNode &one, ChannelNode &other, long *total) {
  KernelNode *first = graph.KernelNode(sum), *second = graph.KernelNode(unfit);
  for (KernelNode *each : {first, second})
    each->setConstArg(2, sizeof(long *), total);
  one.connectToKernelNode(first);
  other.connectToKernelNode(second);
}
#endif

#ifdef ONLY_TASKS
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}
#endif
