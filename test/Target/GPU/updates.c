// Tests that `x += cilk_spawn f()` is one atomic operation for the lanes of a wavefront with the same x. Values are passed from
// lane to lane, and one lane adds the sum, in global memory, at the system's scope. The operation is not flat. (If the spawner's
// elision runs, x is its own: that update may be anywhere.)
// DEFINE: %{arch} = gfx90a
// DEFINE: %{isa} = GFX9
// DEFINE: %{run} = %cilk2gpu -O2 --emit=isa --offload-arch=%{arch} %s -o %t.s && FileCheck %s --check-prefixes=AMD,%{isa} < %t.s
// RUN: %{run}
// REDEFINE: %{arch} = gfx942
// REDEFINE: %{isa} = GFX942
// RUN: %{run}
// REDEFINE: %{arch} = gfx1100
// REDEFINE: %{isa} = GFX11
// RUN: %{run}
// REDEFINE: %{arch} = gfx1201
// REDEFINE: %{isa} = GFX12
// RUN: %{run}
// RUN: %cilk2gpu -O2 --emit=ptx --offload-arch=sm_90 %s -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx
#include <cilk/cilk.h>

__attribute__((noinline)) static int value(int n) { return n * 7 % 5; }

// The child's kernel.
// AMD: {{^}}__cilk2gpu_{{.*}}_sum_spawn0_k0:
// AMD-NOT: {{global|flat}}_atomic
// AMD: ds_bpermute_b32
// AMD-NOT: {{global|flat}}_atomic
// AMD: ds_bpermute_b32
// GFX9: s_and_saveexec_b64
// GFX942: s_and_saveexec_b64
// GFX11: s_and_saveexec_b32
// GFX12: s_and_saveexec_b32
// GFX9: global_atomic_add v[{{[0-9:]+}}], v{{[0-9]+}}, off{{$}}
// GFX942: global_atomic_add v[{{[0-9:]+}}], v{{[0-9]+}}, off sc1
// GFX11: global_atomic_add_u32 v[{{[0-9:]+}}], v{{[0-9]+}}, off{{$}}
// GFX12: global_atomic_add_u32 v[{{[0-9:]+}}], v{{[0-9]+}}, off scope:SCOPE_SYS
// AMD-NOT: {{global_atomic_add |global_atomic_add_u32|flat_atomic}}
// AMD: s_endpgm

// PTX: .visible .entry __cilk2gpu_{{.*}}_sum_spawn0_k0(
// PTX: shfl.sync.idx.b32
// PTX: atom.global.add.u32
// PTX-NOT: atom.global.add.u32
// PTX: ret;
int sum(int n) {
  int x = 0;
  for (int i = 0; i < n; ++i)
    x -= cilk_spawn value(i);
  cilk_sync;
  return x;
}
