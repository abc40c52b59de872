// Tests the persistent kernel of an image that is linked with -foffload-persistent: its entry, a table of the lanes' functions in
// the order of the tasks, and workers. Only a worker's first lane polls for messages of the aggregator.
// DEFINE: %{arch} = gfx90a
// DEFINE: %{isa} = %cilk2gpu -O2 -fno-cilk-combine -foffload-persistent --offload-arch=%{arch} --emit=isa %s -o %t.s && FileCheck %s < %t.s
// RUN: %{isa} --check-prefixes=AMD,GFX90A
// RUN: FileCheck %s --check-prefix=TABLE < %t.s
// REDEFINE: %{arch} = gfx942
// RUN: %{isa} --check-prefixes=AMD,GFX942
// RUN: FileCheck %s --check-prefix=TABLE < %t.s
// REDEFINE: %{arch} = gfx1100
// RUN: %{isa} --check-prefixes=AMD,GFX1100
// RUN: FileCheck %s --check-prefix=TABLE < %t.s
// REDEFINE: %{arch} = gfx1201
// RUN: %{isa} --check-prefixes=AMD,GFX1201
// RUN: FileCheck %s --check-prefix=TABLE < %t.s
// RUN: %cilk2gpu -O2 -fno-cilk-combine -foffload-persistent --offload-arch=sm_90 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --check-prefixes=PTX,PTX-TABLE < %t.ptx
//
// Other images do not have one.
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %cilk2gpu -O2 -foffload-persistent -fno-offload-persistent --offload-arch=sm_90 --emit=ptx %s -o - | FileCheck %s --check-prefix=NONE
// NONE-NOT: {{__cilk2gpu_persistent|__cilk2gpu_lane_|Scheduler}}
#include <cilk/cilk.h>

// This function's three kernels, and the other function's kernel. The table has the lanes' functions, the list their kernels'
// names.
long tree(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn tree(n - 1);
  cilk_sync;
  long y = cilk_spawn tree(n - 2);
  cilk_sync;
  return x * 3 + y;
}

void each(long *data, int n) {
  if (n == 1) {
    *data = n;
    return;
  }
  cilk_spawn each(data, n / 2);
  cilk_spawn each(data + n / 2, n - n / 2);
}

// The leader alone loads the number of the last message. After a change, earlier writes of other wavefronts are visible.
// AMD: {{^}}__cilk2gpu_persistent:
// AMD: v_cmp_eq_u32_e64 [[LEADER:s[^,]+]], 0, v
// AMD: s_and_saveexec_b{{32|64}} s{{[^,]+}}, [[LEADER]]
// AMD: global_atomic_add{{(_u32)?}} v{{.*}} offset:256
// AMD: s_and_saveexec_b{{32|64}} s{{[^,]+}}, [[LEADER]]
// AMD-NEXT: s_cbranch_execz
// GFX90A: global_load_dwordx2 {{.*}} glc
// GFX942: global_load_dwordx2 {{.*}} sc1
// GFX1100: global_load_b64 {{.*}} glc
// GFX1201: global_load_b64 {{.*}} scope:SCOPE_DEV
// AMD: s_sleep 8
// GFX90A: global_load_dwordx2 {{.*}} glc
// GFX90A-NEXT: s_waitcnt vmcnt(0)
// GFX90A: buffer_wbinvl1_vol
// GFX942: buffer_inv sc1
// GFX1100: buffer_gl1_inv
// GFX1100-NEXT: buffer_gl0_inv
// GFX1201: global_inv scope:SCOPE_DEV
//
// It calls a lane's function. When the accesses of all lanes are done, it counts its wavefront as done.
// AMD: s_swappc_b64
// GFX90A: s_waitcnt vmcnt(0)
// GFX942: buffer_wbl2 sc1
// GFX942-NEXT: s_waitcnt vmcnt(0)
// GFX1100: s_waitcnt_vscnt null, 0x0
// GFX1201: s_wait_storecnt 0x0
// AMD: global_atomic_add_{{x2|u64}} {{.*}} offset:384
//
// Registers leave room for several blocks.
// AMD: .amdhsa_kernel __cilk2gpu_persistent
// AMD: .amdhsa_kernarg_size {{[0-9]+}}
// GFX90A: .set amdgpu.max_num_vgpr, 64
// GFX942: .set amdgpu.max_num_vgpr, 64

// TABLE: {{^}}__cilk2gpu_lane_table:
// TABLE-NEXT: .quad {{.*}}_tree.k0.device
// TABLE-NEXT: .quad {{.*}}_tree.k1.device
// TABLE-NEXT: .quad {{.*}}_tree.k2.device
// TABLE-NEXT: .quad {{.*}}_tree.elided.device
// TABLE-NEXT: .quad {{.*}}_each.k0.device
// TABLE-NEXT: .quad {{.*}}_each.elided.device
// TABLE-NEXT: .size __cilk2gpu_lane_table, 48
// TABLE: {{^}}__cilk2gpu_lane_names:
// TABLE-NEXT: .asc{{.*}}_tree_k0\000__cilk2gpu_{{.*}}_tree_k1\000{{.*}}_tree_k2\000{{.*}}_tree_elided\000{{.*}}_each_k0\000{{.*}}_each_elided"

// PTX-TABLE: .visible .global .align 8 .u64 __cilk2gpu_lane_table[6] = {{{.*}}_tree_$_k0_$_device, {{.*}}_tree_$_k1_$_device, {{.*}}_tree_$_k2_$_device, {{.*}}_tree_$_elided_$_device, {{.*}}_each_$_k0_$_device, {{.*}}_each_$_elided_$_device};
// PTX: .visible .entry __cilk2gpu_persistent(
// PTX: .maxntid 256
// PTX-NOT: .minnctapersm
// PTX: mov.u32 [[LANE:%r[0-9]+]], %laneid;
// PTX-NEXT: setp.ne.b32 [[OTHERS:%p[0-9]+]], [[LANE]], 0;
// PTX: @[[OTHERS]] bra
// PTX: atom.global.add.u32
// PTX: @[[OTHERS]] bra
// PTX: ld.relaxed.sys.global.b64
// PTX: nanosleep.u32
// PTX: ld.acquire.sys.global.b64
// PTX: shfl.sync.idx.b32
// PTX: fence.{{acq_rel|release}}.sys;
// PTX-NEXT: bar.warp.sync -1;
// PTX: .callprototype
// PTX-NEXT: call %rd
// PTX: fence.{{acq_rel|release}}.sys;
// PTX-NEXT: atom.global.add.u64
