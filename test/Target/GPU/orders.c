// Tests the memory orders of requests to the host as machine code. A lane takes the slot's lock with acquire and gives it back
// with release, at the device's scope or a wider one. Before it posts a request, it writes data back for the system. It reads the
// host's answer past all caches.
// DEFINE: %{run} = %cilk2gpu -O2 %s --offload-arch
// RUN: %{run}=gfx90a --emit=isa | FileCheck %s --check-prefix=GFX90A
// RUN: %{run}=gfx942 --emit=isa | FileCheck %s --check-prefix=GFX942
// RUN: %{run}=gfx1100 --emit=isa | FileCheck %s --check-prefix=GFX11
// RUN: %{run}=gfx1201 --emit=isa | FileCheck %s --check-prefix=GFX12
// RUN: %{run}=sm_90 --emit=ptx | FileCheck %s --check-prefix=PTX
#include <cilk/cilk.h>
#include <stdio.h>

void list(int n) {
  if (n == 0)
    return;
  cilk_spawn list(n - 1);
  putchar(n);
}

// The lock; arguments, and a fence around the wavefront's barrier; `posted`; the loop on `served`; the fence; the answer; the
// lock again.
// GFX90A: _ZN{{.*}}ask{{.*}}:
// GFX90A: global_atomic_cmpswap {{.*}} glc
// GFX90A-NEXT: s_waitcnt vmcnt(0)
// GFX90A-NEXT: buffer_wbinvl1_vol
// GFX90A: global_store_dword {{.*}} offset:1152
// GFX90A: buffer_wbl2
// GFX90A: s_waitcnt vmcnt(0)
// GFX90A-NEXT: buffer_invl2
// GFX90A-NEXT: buffer_wbinvl1_vol
// GFX90A: global_store_dwordx2 {{.*}} offset:8
// GFX90A: buffer_wbl2
// GFX90A-NEXT: s_waitcnt vmcnt(0)
// GFX90A: global_store_dwordx2 v[{{.*}}], v[{{.*}}], off{{$}}
// GFX90A-NEXT: global_load_dwordx2 {{.*}} offset:64 glc
// GFX90A-NEXT: s_waitcnt vmcnt(0)
// GFX90A-NEXT: buffer_invl2
// GFX90A-NEXT: buffer_wbinvl1_vol
// GFX90A: s_sleep
// GFX90A: global_load_dwordx2 {{.*}} offset:64 glc
// GFX90A-NEXT: s_waitcnt vmcnt(0)
// GFX90A-NEXT: buffer_invl2
// GFX90A-NEXT: buffer_wbinvl1_vol
// GFX90A: buffer_invl2
// GFX90A-NEXT: buffer_wbinvl1_vol
// GFX90A: global_load_dwordx2 {{.*}} offset:128
// GFX90A: s_waitcnt vmcnt(0)
// GFX90A: global_store_dword v{{.*}}, s[{{[0-9:]+}}]{{$}}
// GFX90A: s_setpc_b64

// GFX942: _ZN{{.*}}ask{{.*}}:
// GFX942: global_atomic_cmpswap {{.*}} sc0
// GFX942-NEXT: s_waitcnt vmcnt(0)
// GFX942-NEXT: buffer_inv sc1
// GFX942: global_store_dword {{.*}} offset:1152
// GFX942: buffer_wbl2 sc0 sc1
// GFX942: s_waitcnt vmcnt(0)
// GFX942-NEXT: buffer_inv sc0 sc1
// GFX942: global_store_dwordx2 {{.*}} offset:8
// GFX942: buffer_wbl2 sc0 sc1
// GFX942-NEXT: s_waitcnt vmcnt(0)
// GFX942-NOT: buffer_wbl2
// GFX942: global_store_dwordx2 v[{{.*}}], v[{{.*}}], off sc0 sc1
// GFX942-NEXT: global_load_dwordx2 {{.*}} offset:64 sc0 sc1
// GFX942-NEXT: s_waitcnt vmcnt(0)
// GFX942-NEXT: buffer_inv sc0 sc1
// GFX942: s_sleep
// GFX942: global_load_dwordx2 {{.*}} offset:64 sc0 sc1
// GFX942-NEXT: s_waitcnt vmcnt(0)
// GFX942-NEXT: buffer_inv sc0 sc1
// GFX942: buffer_inv sc0 sc1
// GFX942: global_load_dwordx2 {{.*}} offset:128
// GFX942: buffer_wbl2 sc1
// GFX942-NEXT: s_waitcnt vmcnt(0)
// GFX942-NEXT: global_store_dword v{{.*}}, s[{{[0-9:]+}}] sc1
// GFX942: s_setpc_b64

// GFX11: _ZN{{.*}}ask{{.*}}:
// GFX11: global_atomic_cmpswap_b32 {{.*}} glc
// GFX11-NEXT: s_waitcnt vmcnt(0)
// GFX11-NEXT: buffer_gl1_inv
// GFX11-NEXT: buffer_gl0_inv
// GFX11: global_store_b32 {{.*}} offset:1152
// GFX11: s_waitcnt_vscnt null, 0x0
// GFX11: buffer_gl1_inv
// GFX11-NEXT: buffer_gl0_inv
// GFX11: global_store_b64 {{.*}} offset:8
// GFX11: s_waitcnt_vscnt null, 0x0
// GFX11-NEXT: global_store_b64 v[{{.*}}], v[{{.*}}], off{{$}}
// GFX11: global_load_b64 {{.*}} offset:64 glc
// GFX11-NEXT: s_waitcnt vmcnt(0)
// GFX11-NEXT: buffer_gl1_inv
// GFX11-NEXT: buffer_gl0_inv
// GFX11: s_sleep
// GFX11: global_load_b64 {{.*}} offset:64 glc
// GFX11-NEXT: s_waitcnt vmcnt(0)
// GFX11-NEXT: buffer_gl1_inv
// GFX11-NEXT: buffer_gl0_inv
// GFX11: global_load_b64 {{.*}} offset:128
// GFX11: s_waitcnt vmcnt(0)
// GFX11: global_store_b32 v{{.*}}, s[{{[0-9:]+}}]{{$}}
// GFX11: s_setpc_b64

// GFX12: _ZN{{.*}}ask{{.*}}:
// GFX12: global_atomic_cmpswap_b32 {{.*}} scope:SCOPE_DEV
// GFX12-NEXT: s_wait_loadcnt 0x0
// GFX12-NEXT: global_inv scope:SCOPE_DEV
// GFX12: global_store_b32 {{.*}} offset:1152
// GFX12: global_wb scope:SCOPE_SYS
// GFX12: s_wait_storecnt 0x0
// GFX12-NEXT: global_inv scope:SCOPE_SYS
// GFX12: global_store_b64 {{.*}} offset:8
// GFX12-NEXT: global_wb scope:SCOPE_SYS
// GFX12-NEXT: s_wait_storecnt 0x0
// GFX12-NEXT: global_store_b64 {{.*}} scope:SCOPE_SYS
// GFX12: global_load_b64 {{.*}} offset:64 scope:SCOPE_SYS
// GFX12-NEXT: s_wait_loadcnt 0x0
// GFX12-NEXT: global_inv scope:SCOPE_SYS
// GFX12: s_sleep
// GFX12: global_load_b64 {{.*}} offset:64 scope:SCOPE_SYS
// GFX12-NEXT: s_wait_loadcnt 0x0
// GFX12-NEXT: global_inv scope:SCOPE_SYS
// GFX12: global_load_b64 {{.*}} offset:128
// GFX12: s_wait_storecnt 0x0
// GFX12: s_wait_loadcnt 0x0
// GFX12: global_store_b32 {{.*}} scope:SCOPE_DEV
// GFX12: s_setpc_b64

// PTX: .func {{.*}}ask
// PTX: atom.acquire.{{gpu|sys}}.global.cas.b32
// PTX: fence.acq_rel.sys;
// PTX-NEXT: bar.warp.sync
// PTX-NEXT: fence.acq_rel.sys;
// PTX: st.release.sys.global.b64
// PTX: ld.acquire.sys.global.b64
// PTX: fence.acq_rel.sys;
// PTX-NEXT: bar.warp.sync
// PTX-NEXT: fence.acq_rel.sys;
// PTX: st.release.{{gpu|sys}}.global.b32 {{.*}}, 0;
