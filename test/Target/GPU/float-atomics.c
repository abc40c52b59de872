// Tests that atomic additions of floating-point numbers keep subnormal numbers, as the host does. NVIDIA's instruction for floats
// flushes them, so these additions are loops of compare-and-swap. On AMD, all types have loops.
// RUN: %cilk2gpu -O2 --offload-arch=sm_90 --emit=ptx %s -o %t.ptx && FileCheck %s < %t.ptx && not grep -E 'atom[.a-z]*[.]add[.]f32' %t.ptx
// RUN: %cilk2gpu -O2 --offload-arch=sm_70 --emit=ptx %s -o %t.ptx && not grep -E 'atom[.a-z]*[.]add[.]f32' %t.ptx
// RUN: %cilk2gpu -O2 --offload-arch=gfx90a --emit=isa %s -o %t.s && not grep -E 'atomic_(pk_)?(add|min|max)_(rtn_)?(f|bf)' %t.s
// RUN: %cilk2gpu -O2 --offload-arch=gfx942 --emit=isa %s -o %t.s && not grep -E 'atomic_(pk_)?(add|min|max)_(rtn_)?(f|bf)' %t.s
// RUN: %cilk2gpu -O2 --offload-arch=gfx1201 --emit=isa %s -o %t.s && not grep -E 'atomic_(pk_)?(add|min|max)_(rtn_)?(f|bf)' %t.s
#include <cilk/cilk.h>

_Float16 halves[1];
float floats[2];
double doubles[1];

void task(int n, float x) {
  if (n == 0) {
    // CHECK: .visible .entry
    // CHECK: neg.f32 [[LESS:%r[0-9]+]],
    // CHECK: fence.acq_rel.sys;
    // CHECK-NOT: fence.
    // CHECK: sub.rn.f32 [[SUM:%r[0-9]+]], {{.*}}, [[LESS]];
    // CHECK-NEXT: atom.relaxed.sys.{{(global[.])?}}cas.b32 {{.*}}, [[SUM]];
    // CHECK: fence.acq_rel.sys;
    __atomic_fetch_add(&floats[0], x, __ATOMIC_ACQ_REL);
    // CHECK: sub.rn.f32 [[REST:%r[0-9]+]],
    // CHECK-NEXT: atom.relaxed.sys.{{(global[.])?}}cas.b32 {{.*}}, [[REST]];
    __atomic_fetch_sub(&floats[1], x, __ATOMIC_RELAXED);
    // CHECK: atom.{{(global[.])?}}add.f64
    __atomic_fetch_add(&doubles[0], x, __ATOMIC_RELAXED);
    // CHECK: atom.{{(global[.])?}}add.noftz.f16
    __atomic_fetch_add(&halves[0], (_Float16)x, __ATOMIC_RELAXED);
    return;
  }
  cilk_spawn task(n - 1, x + 1);
  cilk_spawn task(n - 1, x);
}
