// Tests the machine code of operations that lanes make together. One lane makes each reservation and each fold as one atomic
// operation in global memory, at the device's scope if only lanes take part. No operation is flat.
// DEFINE: %{arch} = gfx90a
// DEFINE: %{isa} = GFX9
// DEFINE: %{image} = %cilk2gpu -O2 --emit=hsaco --offload-arch=%{arch} %s -o %t.co && llvm-objdump -d --no-show-raw-insn %t.co > %t.s
// DEFINE: %{run} = %{image} && FileCheck %s --check-prefixes=AMD,%{isa} < %t.s && FileCheck %s --check-prefixes=FOLD,FOLD-%{isa} < %t.s && \
// DEFINE:   not grep flat_atomic %t.s
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
// RUN: %cilk2gpu -O2 --emit=ptx --offload-arch=sm_90 %s -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx && \
// RUN:   FileCheck %s --check-prefix=PTXFOLD < %t.ptx
#include <cilk/cilk.h>

// The second segment gives its frame back. Lanes with the same store are found: on NVIDIA by comparing addresses; on AMD, the
// compiler sees that all lanes have the same store. Their first lane adds their number, and each gets its index from the value
// before.
// AMD: <__cilk2gpu_{{.*}}_both_k1>:
// AMD: v_mbcnt_lo_u32_b32 v{{[0-9]+}}, -1, 0
// AMD-NOT: {{global_atomic|ds_bpermute}}
// AMD: v_readlane_b32
// AMD: v_readlane_b32
// AMD-NOT: {{global_atomic|ds_bpermute}}
// GFX9: v_cmp_eq_u32{{.*}} vcc, s{{[0-9]+}}, v{{[0-9]+}}
// GFX9: s_and_saveexec_b64
// GFX942: v_cmp_eq_u32{{.*}} vcc, s{{[0-9]+}}, v{{[0-9]+}}
// GFX942: s_and_saveexec_b64
// GFX11: v_cmpx_eq_u32_e64 s{{[0-9]+}}, v{{[0-9]+}}
// GFX12: v_cmpx_eq_u32_e64 s{{[0-9]+}}, v{{[0-9]+}}
// AMD: s_bcnt1_i32
// GFX9: global_atomic_add_x2 v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], off{{.*}} glc{{( |/)}}
// GFX942: global_atomic_add_x2 v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], off{{.*}} sc0{{( |/)}}
// GFX11: global_atomic_add_u64 v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], off{{.*}} glc{{( |/)}}
// GFX12: global_atomic_add_u64 v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], off{{.*}} th:TH_ATOMIC_RETURN scope:SCOPE_DEV
// AMD-NOT: {{global_atomic|ds_bpermute}}
// AMD: s_endpgm

// PTX: .visible .entry __cilk2gpu_{{.*}}_both_k1(
// PTX: activemask.b32
// PTX: shfl.sync.idx.b32
// PTX: vote.sync.ballot.b32
// PTX-NOT: atom.
// PTX: popc.b64
// PTX: atom.global.add.u64
// PTX-NOT: atom.
// PTX: ret;

int both(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn both(n - 1);
  int y = cilk_spawn both(n - 2);
  cilk_sync;
  return x * 3 - y;
}

// A sum of children's results goes into one accumulator. Each lane compares its accumulator's address with the next lane's. In a
// loop, values and numbers of next lanes are passed from lane to lane, to the first lane of the run. Then this lane makes one
// operation, without a result.
// FOLD: <__cilk2gpu_{{.*}}_sum_acc_k0>:
// FOLD: ds_bpermute_b32
// FOLD: ds_bpermute_b32
// FOLD: v_cmp_{{eq|ne}}_u64
// FOLD: ds_bpermute_b32
// FOLD: ds_bpermute_b32
// FOLD: s_cbranch_
// FOLD-GFX9: s_and_saveexec_b64
// FOLD-GFX942: s_and_saveexec_b64
// FOLD-GFX11: s_and_saveexec_b32
// FOLD-GFX12: s_and_saveexec_b32
// FOLD-GFX9: global_atomic_add v[{{[0-9:]+}}], v{{[0-9]+}}, off{{ +//}}
// FOLD-GFX942: global_atomic_add v[{{[0-9:]+}}], v{{[0-9]+}}, off sc1
// FOLD-GFX11: global_atomic_add_u32 v[{{[0-9:]+}}], v{{[0-9]+}}, off{{ +//}}
// FOLD-GFX12: global_atomic_add_u32 v[{{[0-9:]+}}], v{{[0-9]+}}, off scope:SCOPE_SYS
// FOLD: s_endpgm

// Between two points where lanes meet, there is only this operation.
// PTXFOLD: .func __cilk2gpu_{{.*}}_sum_$_acc_$_k0_$_device(
// PTXFOLD: activemask.b32
// PTXFOLD-NOT: {{atom|red}}.
// PTXFOLD: shfl.sync.idx.b32
// PTXFOLD-NOT: {{atom|red}}.
// PTXFOLD: vote.sync.ballot.b32
// PTXFOLD-NOT: {{atom|red}}.
// PTXFOLD: shfl.sync.idx.b32
// PTXFOLD-NOT: {{atom|red}}.
// PTXFOLD: atom.global.add.u32
// PTXFOLD-NOT: {{atom|red}}.
// PTXFOLD: activemask.b32
int sum(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn sum(n - 1);
  int y = cilk_spawn sum(n - 2);
  cilk_sync;
  return x + y;
}

// AMD's hardware cannot make some folds in the host's memory: these are loops of compare-and-swap.
// FOLD: <__cilk2gpu_{{.*}}_most_acc_k0>:
// FOLD-NOT: global_atomic_smax
// FOLD-NOT: global_atomic_max
// FOLD: global_atomic_cmpswap
// FOLD: s_endpgm
int most(int n) {
  if (n < 2)
    return n * 5 % 7;
  int x = cilk_spawn most(n - 1);
  int y = cilk_spawn most(n - 2);
  cilk_sync;
  return x > y ? x : y;
}
