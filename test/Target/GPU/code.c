// Tests the code of kernels in images: an operation that all lanes make is one atomic addition in global memory for
// each wavefront.
// RUN: %cilk2gpu -O2 -fno-cilk-combine --offload-arch=sm_90 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %cilk2gpu -O2 -fno-cilk-combine --offload-arch=gfx90a --emit=isa %s | FileCheck %s --check-prefixes=AMD,WAVE64
// RUN: %cilk2gpu -O2 -fno-cilk-combine --offload-arch=gfx1100 --emit=isa %s | FileCheck %s --check-prefixes=AMD,WAVE32
// RUN: %cilk2gpu -O2 -fno-cilk-combine --offload-arch=gfx90a --emit=llvm %s | FileCheck %s --check-prefix=LLVM
#include <cilk/cilk.h>

int tree(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn tree(n - 1);
  int y = cilk_spawn tree(n - 2);
  cilk_sync;
  return x + y;
}

// The entry for restarted lanes comes first or second; each takes the wave.
// PTX: .target sm_90
// PTX-NOT: debug
// PTX: .visible .entry [[SYMBOL:__cilk2gpu_[0-9a-f]+_[0-9]+_tree_k0(_r)?]](
// PTX-NEXT: .param .u64
// PTX: .maxntid 256
// The active lanes, their leader's addition, and its result, passed to all of them.
// PTX: activemask.b32
// PTX: atom.global.add.u64
// PTX: shfl.sync.idx.b32
// No access is generic: atom.global.add.u64 names global memory, atom.add.u64 does not.
// PTX-NOT: {{[[:space:]](atom|red)\.([a-z_]+\.(sys|gpu|cta)\.)?[a-z]+\.[bsu]}}
// PTX: ret;

// AMD: {{\.protected[[:space:]]+}}__cilk2gpu_{{[0-9a-f]+}}_{{[0-9]+}}_tree_k
// AMD-NOT: flat_atomic
// AMD: v_mbcnt_{{hi|lo}}_u32_b32
// AMD: global_atomic_add_{{x2|u64}}
// AMD: v_readlane_b32
// AMD-NOT: flat_atomic
// WAVE64: .wavefront_size: 64
// WAVE32: .wavefront_size: 32

// LLVM-NOT: @__cilk2gpu_deep_stack
// LLVM: define protected amdgpu_kernel void @__cilk2gpu_{{[0-9a-f]+_[0-9]+}}_tree_k0
// LLVM: atomicrmw add ptr addrspace(1) %{{.*}} syncscope("agent") monotonic
