// Tests the kernel of an image that runs thread blocks (cilk2gpu/Wireframe.h). It calls kernels through the table of functions.
// Index variables come from what the workgroup knows, and what the threads of a block share is in the workgroup's memory.
// RUN: %cilk2gpuxx -std=c++17 -O2 --offload-arch=sm_90 --emit=llvm %s -o - | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: %cilk2gpuxx -std=c++17 -O0 --offload-arch=gfx90a --emit=llvm %s -o - | FileCheck %s --check-prefixes=CHECK,AMD
//
// Blocks have up to 1,024 threads. NVIDIA's barrier lets threads of a warp arrive one by one.
// RUN: %cilk2gpuxx -std=c++17 -O2 --offload-arch=sm_90 --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
// PTX: .shared .align 16 .b8 __cilk2gpu_block_shared[4000]
// PTX: barrier.sync
// PTX: .visible .entry __cilk2gpu_blocks_kernel(
// PTX: .maxntid 1024
// DEFINE: %{arch} = gfx90a
// DEFINE: %{isa} = %cilk2gpuxx -std=c++17 -O2 --offload-arch=%{arch} --emit=isa %s -o - | FileCheck %s --check-prefix=ISA
// RUN: %{isa}
// REDEFINE: %{arch} = gfx942
// RUN: %{isa}
// REDEFINE: %{arch} = gfx1100
// RUN: %{isa}
// ISA: s_barrier
// ISA: .amdhsa_kernel __cilk2gpu_blocks_kernel
// ISA: .max_flat_workgroup_size: 1024
//
// The variables of one kernel must fit; those of two kernels take the same place.
// RUN: not %cilk2gpuxx -std=c++17 -O2 -DLARGE=12400 --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck %s --check-prefix=TOO-LARGE
// TOO-LARGE: error: the threads of a block share 49600 bytes in 'last(int*)', and a block has 49088 bytes for its WF_SHARED variables
// TOO-LARGE-SAME: ; let a block share less
// RUN: not %cilk2gpuxx -std=c++17 -O0 -DLARGE=12400 %s -o %t 2>&1 | FileCheck %s --check-prefix=TOO-LARGE
// Kernels without __WF__ are checked when code for GPUs is linked.
// RUN: not %cilk2gpuxx -std=c++17 -O2 -DLARGE=12400 -DUNMARKED --offload-arch=sm_90 %s -o %t 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: the threads of a block share 49600 bytes in 'last(int*)'{{.*}}; let a block share less (--offload-arch=sm_90)
// RUN: %cilk2gpuxx -std=c++17 -O2 -DLARGE=12200 --offload-arch=sm_90 %s -o %t
//
// Images of programs that only include the header do not have the kernel.
// RUN: not %cilk2gpuxx -std=c++17 -O2 -DNOTHING --offload-arch=sm_90 --emit=ptx %s -o - 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: the source files have no Cilk function, and no kernel of a graph or of thread blocks, to run on a GPU
//
// A program as HIP source has no runtime for thread blocks.
// RUN: not %cilk2gpuxx -std=c++17 -O2 --offload-arch=gfx90a --emit=hip %s -o %t.hip 2>&1 | FileCheck %s --check-prefix=HIP
// HIP: error: --emit=hip: the program has kernels of thread blocks (<cilk2gpu/Wireframe.h>), which need the run-time library;
// HIP-SAME: compile it without --emit=hip
#include <cilk2gpu/Wireframe.h>

#ifndef LARGE
#define LARGE 1000
#endif

// CHECK: @__cilk2gpu_block_shared = internal {{.*}}addrspace(3) global [{{[0-9]+}} x i8] poison
// The table has the kernels and what calls them, but neither functions of the host nor mapping functions.
// CHECK: @__cilk2gpu_function_table = {{.*}}first
// CHECK-NOT: runBlock
// CHECK-NOT: mapBlocks
// CHECK-NOT: thread_local
// CHECK: define internal void @_Z5firstPi(
// CHECK: addrspace(3)
// NVIDIA: call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
// AMD: fence syncscope("workgroup") release
// AMD: call void @llvm.amdgcn.s.barrier()
// AMD: fence syncscope("workgroup") acquire
// CHECK: define {{.*}}_kernel void @__cilk2gpu_blocks_kernel(

#ifndef NOTHING
__WF__ void first(int *sums) {
  WF_SHARED int parts[1000];
  parts[threadIdx.x] = int(threadIdx.x + blockDim.x);
  wf::SyncThreads();
  if (threadIdx.x == 0)
    for (unsigned i = 0; i < blockDim.x; ++i)
      sums[blockIdx.x] += parts[i];
}

#ifdef UNMARKED
#undef __WF__
#define __WF__
#endif
__WF__ void last(int *sums) {
  WF_SHARED int other[LARGE];
  other[threadIdx.x] = int(gridDim.x);
  wf::SyncThreads();
  sums[blockIdx.x] += other[blockDim.x - 1 - threadIdx.x];
}
#endif

int main() {
#ifndef NOTHING
  static int sums[4];
  wf::launch(dim3(4), dim3(64), [] { WF::AddDependency({blockIdx.x - 1}); }, first, sums);
  wf::launch(dim3(4), dim3(1), [] {}, last, sums);
#endif
}
